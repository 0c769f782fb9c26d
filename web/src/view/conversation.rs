//! The conversation: messages in threads, or by time.
//!
//! The list may have a million rows, each of its own height; only those around the reader exist. See [`scroll`] for the
//! arithmetic and [`reel`] for how it is drawn.

pub(crate) mod bar;
mod follow;
mod kept;
mod keys;
mod reel;
pub(crate) mod row;
mod touch;

use gloo::events::{EventListener, EventListenerOptions};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use crate::dom::{El, after, el, keyed, memo};
use crate::protocol::{Head, Line, Row, Rows, decode, encode};
use crate::store::Store;
use huddle_web_model::list::pages::Pages;
use huddle_web_model::route::Place;
use reel::Reel;

/// Draws the conversation.
pub fn conversation_view() -> El {
    let store = Store::of_page();
    let reel = Reel::new(store);
    follow(reel);
    let empty = memo(move || reel.total.get() == Some(0));
    let shown = move || Some(if empty.get() { bar::nothing(store) } else { list(reel) });
    el("section")
        .class("conversation")
        .live_class("flat", move || store.place.with(|place| place.flat))
        .attr("aria-label", "Conversation")
        .with(bar::bar(store))
        .with(el("div").class("reel").live_one(shown).with(bar::fresh(reel)))
}

/// Draws the conversation with rows of which each says nothing.
pub fn rehearsed(store: Store) -> Vec<El> {
    let rows = vec![Row::Head(Head { count: 2, ..Head::default() }), Row::Said(Line { depth: 1, ..Line::default() })];
    let mut pages = Pages::default();
    // As it comes from the worker.
    let bytes = encode(&Rows { start: 0, total: 2, rows }).unwrap_or_default();
    decode(&bytes).into_iter().for_each(|rows| pages.renew(rows));
    let reel = Reel::new(store);
    let rows = pages.slots(0, 2);
    rows.iter().map(|slot| row::row(reel, slot)).chain([conversation_view()]).collect()
}

/// Draws the list itself.
fn list(reel: Reel) -> El {
    let block = el("div").class("block");
    keyed(&block, move || reel.drawn.get(), |slot| (slot.index, slot.stamp), move |slot| row::row(reel, slot));
    let sizer = el("div").class("sizer");
    let scroller = el("div")
        .class("scroller")
        .attr("role", "feed")
        .attr("aria-label", "Messages")
        .attr("tabindex", "0")
        .on("scroll", move |_| reel.scrolled())
        .on("click", move |event| keys::clicked(reel, event.unchecked_ref()))
        .on("keydown", move |event| keys::pressed(reel, event.unchecked_ref()))
        .with(el("div").class("layer").with(block.clone()))
        .with(sizer.clone());
    for (place, element) in [(reel.block, &block), (reel.sizer, &sizer), (reel.scroller, &scroller)] {
        place.set(Some(element.html().clone()));
    }
    watch(reel);
    scroller
}

/// Follows what is open, which list is wanted, and what is selected.
fn follow(reel: Reel) {
    let store = reel.store;
    let list = memo(move || store.place.with(Place::list));
    after(move || {
        let (list, version) = (list.get(), store.version.get());
        if let Some(overview) = store.overview.get() {
            reel.count(&overview);
            reel.renew(list, version);
        }
    });
    after(move || {
        let Some(row) = store.cursor.get() else { return };
        let selected = store.place.with_untracked(|place| place.selected.clone());
        // The row of the same message may be another when there are new ones: that moves nothing.
        if reel.kept(|kept| std::mem::replace(&mut kept.revealed, selected.clone()) != selected) {
            reel.reveal(row);
        }
    });
}

/// Watches sizes, and whose hand moves the scroll bar, for as long as the list is there.
fn watch(reel: Reel) {
    let resized = Closure::<dyn FnMut()>::new(move || reel.resized());
    let observer = web_sys::ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
    let held = StoredValue::new_local((resized, observer, Vec::new()));
    after(move || {
        let (Some(scroller), Some(block)) = (reel.scroller.get(), reel.block.get()) else { return };
        if let Some(observer) = held.with_value(|held| held.1.clone()) {
            observer.observe(&scroller);
            observer.observe(&block);
        }
        let hear = |name: &'static str, by_hand: fn(&web_sys::Event) -> bool| {
            EventListener::new(&scroller, name, move |event| reel.by_hand(by_hand(event)))
        };
        // A press on the rows or the bar comes before its scrolling, as a wheel's turn and a finger's touch do.
        let mut listeners = vec![hear("pointerdown", |_| false), hear("wheel", |_| true), hear("touchstart", |_| true)];
        // Keys that are pressed nowhere in particular move through the list as well.
        listeners.push(EventListener::new_with_options(
            &document(),
            "keydown",
            EventListenerOptions::enable_prevent_default(),
            move |event| keys::pressed_nowhere(reel, event),
        ));
        held.update_value(|held| held.2 = listeners);
        reel.draw();
    });
    on_cleanup(move || {
        reel.leave();
        held.try_update_value(|held| {
            if let Some(observer) = held.1.take() {
                observer.disconnect();
            }
            held.2.clear();
        });
    });
}
