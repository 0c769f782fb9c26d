//! What the list does when it is clicked on, and when keys are pressed in it.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent, MouseEvent};

use super::virtual_list::VirtualList;
use crate::protocol::{Goal, Key, RowPosition};

/// Selects what is clicked on, or opens it in place.
pub(super) fn clicked(list: VirtualList, event: &MouseEvent) {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let closest = |selector| target.as_ref().and_then(|target| target.closest(selector).ok().flatten());
    let Some(row) = closest("[data-key],[data-first]") else { return };
    let Some(key) = row.get_attribute("data-key").or_else(|| row.get_attribute("data-first")) else { return };
    if closest(".fold").is_some() {
        list.toggle(&key);
    } else if closest("button, summary").is_none() {
        // What is clicked on is in sight already.
        list.update(|state| state.revealed = Some(key.clone()));
        list.selection.select(key);
    }
}

/// Moves through the list.
pub(super) fn pressed(list: VirtualList, event: &KeyboardEvent) {
    if is_at(event, ".scroller, .row") {
        moved(list, event);
    }
}

/// Moves through the list by keys that are pressed nowhere in particular.
pub(super) fn pressed_nowhere(list: VirtualList, event: &Event) {
    if let Some(event) = event.dyn_ref::<KeyboardEvent>().filter(|event| is_at(event, "body, main")) {
        moved(list, event);
    }
}

fn moved(list: VirtualList, event: &KeyboardEvent) {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.default_prevented() {
        return;
    }
    match event.key().as_str() {
        "Home" => list.select_end(false),
        "End" => list.select_end(true),
        "PageDown" => turn_page(list, 1.0),
        "PageUp" => turn_page(list, -1.0),
        "ArrowDown" => step(list, false),
        "ArrowUp" => step(list, true),
        "Enter" | " " => with_selected(list, |_| true),
        "ArrowRight" => with_selected(list, |open| !open),
        "ArrowLeft" => with_selected(list, |open| open),
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}

/// Moves by a little less than a window, so that the eye finds where it was.
fn turn_page(list: VirtualList, pages: f64) {
    let height = list.update(|state| state.height());
    list.go(|window, anchor| window.walk(anchor, (height - 36.0).max(36.0) * pages));
}

/// Whether a key is pressed at one of these and not within: keys in what a message says belong to that.
fn is_at(event: &KeyboardEvent, selector: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.matches(selector).unwrap_or(false))
}

/// Selects the next message; when the selected one is out of sight, the first or the last that is to be seen.
fn step(list: VirtualList, back: bool) {
    let (first, end) = list.update(|state| state.in_sight());
    let cursor = list.selection.row.with_untracked(|row| row.as_ref().map(|row| row.index));
    if cursor.is_some_and(|row| (first.saturating_sub(1)..end + 1).contains(&row)) {
        list.selection.step(Goal::Message, back);
        return;
    }
    let key_at = |row: u32| list.update(|state| state.key(row).cloned());
    let seen = |row: &u32| key_at(*row).is_some();
    let row = if back { (first..end).rev().find(seen) } else { (first..end).find(seen) };
    if let Some((row, key)) = row.and_then(|row| Some((row, key_at(row)?))) {
        list.selection.move_to(RowPosition { index: row, key, hit: None });
    }
}

/// Opens or closes what the selected message says, if `wanted` agrees, which is told whether it is open.
fn with_selected(list: VirtualList, wanted: impl FnOnce(bool) -> bool) {
    let selected: Option<Key> = list.selection.key.get_untracked();
    if let Some(key) = selected
        && wanted(list.open.with_untracked(|open| open.contains(&key)))
    {
        list.toggle(&key);
    }
}
