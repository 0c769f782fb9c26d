//! What can be done with the selected message: copy it, its conversation or its address, and find it on the timeline.

use leptos::prelude::*;

use crate::dom::{El, el};
use crate::place::View;
use crate::protocol::{Details, Passage};
use crate::store::Store;

/// Draws the buttons.
pub(super) fn actions(store: Store, details: &Details) -> El {
    let button = |name: &str| el("button").attr("type", "button").text(name);
    let key = details.line.key.clone();
    let thread = key.clone();
    let link = move || {
        let address = window().location().href().unwrap_or_default();
        store.copy_text(address, "Copied the link.");
    };
    let span = store.overview.with_untracked(|it| it.as_ref().and_then(|it| it.span));
    let on_timeline = details.on_timeline.map(|(position, _)| {
        let show = move || store.go(|place| (place.view, place.zoom) = (View::Timeline, around(position, span)));
        button("Show in timeline").press(show)
    });
    el("div")
        .class("actions")
        .attr("role", "group")
        .attr("aria-label", "With this message")
        .with(button("Copy message").press(move || store.copy(Passage::Message(key.clone()))))
        .with(button("Copy thread").press(move || store.copy(Passage::Thread(thread.clone()))))
        .with(button("Copy link").press(link))
        .maybe(on_timeline)
}

/// A window around a position on the timeline: a twenty-fifth of the whole time, but enough to see something of.
fn around(position: i64, span: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let (start, end) = span?;
    let half = ((end - start) / 50).max(1_000_000);
    Some((position.saturating_sub(half).max(0), position.saturating_add(half)))
}

#[cfg(test)]
mod tests {
    use super::around;

    #[test]
    fn the_window_is_around_the_message() {
        assert_eq!(around(500, None), None);
        assert_eq!(around(90_000_000, Some((0, 100_000_000))), Some((88_000_000, 92_000_000)));
        assert_eq!(around(500, Some((7, 8))), Some((0, 1_000_500)));
    }
}
