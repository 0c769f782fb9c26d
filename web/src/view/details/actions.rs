//! What can be done with the selected message: copy it, its conversation or its address, and find it on the timeline.

use leptos::prelude::*;

use crate::dom::{El, el};
use crate::protocol::{Details, Passage};
use crate::store::Store;
use huddle_web_model::route::View;
use huddle_web_model::timeline::scale::around;

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
