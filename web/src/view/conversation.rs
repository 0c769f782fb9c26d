//! The conversation: messages in threads, or by time.
//!
//! The list may have a million rows, each of its own height; only those around the reader exist. See [`scroll`] for the
//! arithmetic and [`reel`] for how it is drawn.

pub(crate) mod bar;
mod follow;
pub mod heights;
mod kept;
mod keys;
pub mod pages;
mod reel;
pub(crate) mod row;
pub mod scroll;
mod touch;
pub mod words;

use gloo::events::{EventListener, EventListenerOptions};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use crate::place::Place;
use crate::store::Store;
use reel::Reel;

/// Draws the conversation.
#[component]
pub fn ConversationView() -> impl IntoView {
    let store = Store::of_page();
    let reel = Reel::new(store);
    follow(reel);
    let empty = Memo::new(move |_| reel.total.get() == Some(0));
    let list = move || {
        if empty.get() { bar::nothing(store) } else { list(reel) }
    };
    view! {
        <section class="conversation" class:flat=move || store.place.with(|place| place.flat) aria-label="Conversation">
            {bar::bar(store)}
            <div class="reel">
                {list}
                {bar::fresh(reel)}
            </div>
        </section>
    }
}

/// Draws the list itself.
fn list(reel: Reel) -> AnyView {
    let click = move |event: web_sys::MouseEvent| keys::clicked(reel, &event);
    let press = move |event: web_sys::KeyboardEvent| keys::pressed(reel, &event);
    watch(reel);
    view! {
        <div class="scroller" role="feed" aria-label="Messages" tabindex="0" node_ref=reel.scroller
            on:scroll=move |_| reel.scrolled() on:click=click on:keydown=press>
            <div class="layer">
                <div class="block" node_ref=reel.block>
                    <For each=move || reel.drawn.get() key=|slot| (slot.index, slot.stamp)
                        children=move |slot| row::row(reel, &slot)/>
                </div>
            </div>
            <div class="sizer" node_ref=reel.sizer></div>
        </div>
    }
    .into_any()
}

/// Follows what is open, which list is wanted, and what is selected.
fn follow(reel: Reel) {
    let store = reel.store;
    let list = Memo::new(move |_| store.place.with(Place::list));
    Effect::new(move || {
        let (list, version) = (list.get(), store.version.get());
        if let Some(overview) = store.overview.get() {
            reel.count(&overview);
            reel.renew(list, version);
        }
    });
    Effect::new(move || {
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
    Effect::new(move || {
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
