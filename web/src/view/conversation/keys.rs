//! What the list does when it is clicked on, and when keys are pressed in it.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent, MouseEvent};

use super::reel::Reel;
use crate::protocol::{Goal, Key};
use huddle_web_model::list::heights::Anchor;

/// Selects what is clicked on, or opens it in place.
pub(super) fn clicked(reel: Reel, event: &MouseEvent) {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let closest = |selector| target.as_ref().and_then(|target| target.closest(selector).ok().flatten());
    let Some(row) = closest("[data-key],[data-first]") else { return };
    let Some(key) = row.get_attribute("data-key").or_else(|| row.get_attribute("data-first")) else { return };
    if closest(".fold").is_some() {
        reel.toggle(&key);
    } else if closest("button, summary").is_none() {
        // What is clicked on is in sight already.
        reel.kept(|kept| kept.revealed = Some(key.clone()));
        reel.store.select(key);
    }
}

/// Moves through the list.
pub(super) fn pressed(reel: Reel, event: &KeyboardEvent) {
    if is_at(event, ".scroller, .row") {
        moved(reel, event);
    }
}

/// Moves through the list by keys that are pressed nowhere in particular.
pub(super) fn pressed_nowhere(reel: Reel, event: &Event) {
    if let Some(event) = event.dyn_ref::<KeyboardEvent>().filter(|event| is_at(event, "body, main")) {
        moved(reel, event);
    }
}

fn moved(reel: Reel, event: &KeyboardEvent) {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.default_prevented() {
        return;
    }
    match event.key().as_str() {
        "Home" => reel.go(|_| Anchor::default()),
        "End" => reel.go(|kept| kept.window().end()),
        "PageDown" => reel.go(|kept| kept.window().walk(kept.anchor, page(kept.height))),
        "PageUp" => reel.go(|kept| kept.window().walk(kept.anchor, -page(kept.height))),
        "ArrowDown" => step(reel, false),
        "ArrowUp" => step(reel, true),
        "Enter" | " " => with_selected(reel, |_| true),
        "ArrowRight" => with_selected(reel, |open| !open),
        "ArrowLeft" => with_selected(reel, |open| open),
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}

/// A little less than a window, so that the eye finds where it was.
fn page(height: f64) -> f64 {
    (height - 36.0).max(36.0)
}

/// Whether a key is pressed at one of these and not within: keys in what a message says belong to that.
fn is_at(event: &KeyboardEvent, selector: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.matches(selector).unwrap_or(false))
}

/// Selects the next message; when the selected one is out of sight, the first or the last that is to be seen.
fn step(reel: Reel, back: bool) {
    let (first, end) = reel.kept(|kept| kept.in_sight());
    let cursor = reel.store.cursor.get_untracked();
    if cursor.is_some_and(|row| (first.saturating_sub(1)..end + 1).contains(&row)) {
        reel.store.step(Goal::Message, back);
        return;
    }
    let seen = |row: &u32| reel.key_at(*row).is_some();
    let row = if back { (first..end).rev().find(seen) } else { (first..end).find(seen) };
    if let Some((row, key)) = row.and_then(|row| Some((row, reel.key_at(row)?))) {
        reel.store.cursor.set(Some(row));
        reel.store.shift(|place| place.selected = Some(key));
    }
}

/// Opens or closes what the selected message says, if `wanted` agrees, which is told whether it is open.
fn with_selected(reel: Reel, wanted: impl FnOnce(bool) -> bool) {
    let selected: Option<Key> = reel.store.place.with_untracked(|place| place.selected.clone());
    if let Some(key) = selected
        && wanted(reel.open.with_untracked(|open| open.contains(&key)))
    {
        reel.toggle(&key);
    }
}
