//! Sizes, wheels and fingers, and the keyboard's focus in a list whose rows come and go.

use gloo::events::{EventListener, EventListenerOptions};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, ResizeObserver};

use super::keys;
use super::virtual_list::VirtualList;
use crate::components::focus::focus_still;
use huddle_web_model::list::pages::Slot;

/// Watches sizes, and whose hand moves the scroll bar, for as long as the list is there.
pub(super) fn watch(list: VirtualList) {
    let resized = Closure::<dyn FnMut()>::new(move || list.resized());
    let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
    let held = StoredValue::new_local((resized, observer, Vec::new()));
    Effect::new(move || {
        let (Some(scroller), Some(block)) = (list.scroller.get(), list.block.get()) else { return };
        if let Some(observer) = held.with_value(|held| held.1.clone()) {
            observer.observe(&scroller);
            observer.observe(&block);
        }
        let listen = |name: &'static str, by_hand: bool| {
            EventListener::new(&scroller, name, move |_| list.update(|state| state.moved_by_hand(by_hand)))
        };
        // A press on the rows or the bar comes before its scrolling, as a wheel's turn and a finger's touch do.
        let mut listeners = vec![listen("pointerdown", false), listen("wheel", true), listen("touchstart", true)];
        // Keys that are pressed nowhere in particular move through the list as well.
        listeners.push(EventListener::new_with_options(
            &document(),
            "keydown",
            EventListenerOptions::enable_prevent_default(),
            move |event| keys::pressed_nowhere(list, event),
        ));
        held.update_value(|held| held.2 = listeners);
        list.draw();
    });
    on_cleanup(move || {
        held.try_update_value(|held| {
            held.1.iter().for_each(ResizeObserver::disconnect);
            held.2.clear();
        });
    });
}

impl VirtualList {
    /// Moves the focus from a row that is about to go to the list, where keys still do what they did.
    pub(super) fn keep_focus(self, slots: &[Slot]) {
        let active = document().active_element();
        let index = active.and_then(|it| it.closest("[data-index]").ok().flatten()).and_then(|it| {
            let inside = self.block.get_untracked().is_some_and(|block| block.contains(Some(&it)));
            it.get_attribute("data-index").filter(|_| inside)?.parse().ok()
        });
        let gone = |index: u32| {
            let slot = slots.iter().find(|slot| slot.index == index);
            self.drawn.with_untracked(|drawn| drawn.iter().find(|it| it.index == index) != slot)
        };
        if index.is_some_and(gone)
            && let Some(scroller) = self.scroller.get_untracked()
        {
            focus_still(&scroller);
        }
    }

    /// Moves the focus to a row, when it is in the list or nowhere: who hears the page hears what was selected.
    pub(super) fn focus_row(self, row: u32) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        let ours =
            |active: &Element| scroller.contains(Some(active)) || ["BODY", "MAIN"].contains(&&*active.tag_name());
        let ours = document().active_element().is_none_or(|active| ours(&active));
        let row = scroller.query_selector(&format!("[data-index=\"{row}\"]")).ok().flatten();
        if let Some(row) = row.filter(|_| ours).and_then(|row| row.dyn_into::<HtmlElement>().ok()) {
            focus_still(&row);
        }
    }
}
