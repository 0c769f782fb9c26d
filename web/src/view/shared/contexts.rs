//! Shared contexts: documents that agents extend together, version by version.

use leptos::prelude::*;

use super::super::papers::{agent, agents, button, file_button, named, paper, time};
use super::{OPEN, moment, version};
use crate::dom::{El, el};
use crate::protocol::papers::ContextCard;
use crate::store::Store;
use crate::view::conversation::row::found;

/// One version: who made it, when, and what it added.
type Version = (String, Option<i64>, String);

/// Draws the shared contexts.
pub(super) fn contexts(store: Store, contexts: &[ContextCard]) -> Option<El> {
    let cards = contexts.iter().map(|card| context(store, card));
    (!contexts.is_empty()).then(|| paper("Shared contexts", Some(contexts.len())).all(cards))
}

fn context(store: Store, card: &ContextCard) -> El {
    // All versions, until one is chosen.
    let chosen = RwSignal::new(None::<usize>);
    let choices = card.versions.iter().enumerate().map(|(place, version)| choice(store, chosen, place, version));
    let whole = el("li").with(pick(chosen, None).text("All of it"));
    let list = el("ol").attr("aria-label", "Versions").with(whole).all(choices);
    let versions = card.versions.clone();
    let added = el("div").class("added").live(move || text(store, &versions, chosen.get()));
    let header = el("header")
        .with(el("h3").text(&card.name))
        .maybe(found(card.hit))
        .with(version(card.version).text(", ").maybe(time(card.updated)))
        .with(file_button(store, "small end", OPEN, Some(&card.name), &card.file));
    let by = agents(store, &card.contributors);
    let by = (!by.is_empty()).then(|| el("p").class("small-text").text("by ").all(by));
    el("article")
        .class("card context")
        .attr("data-context", &card.name)
        .with(header)
        .maybe(by)
        .with(el("div").class("versions").with(list).with(added))
}

/// Begins a button that chooses a version, or all of them.
fn pick(chosen: RwSignal<Option<usize>>, version: Option<usize>) -> El {
    let pressed = move || Some((chosen.get() == version).to_string());
    button("version", move || chosen.set(version)).live_attr("aria-pressed", pressed)
}

fn choice(store: Store, chosen: RwSignal<Option<usize>>, place: usize, (who, at, _): &Version) -> El {
    let number = el("span").text(&(place + 1).to_string());
    let who = (!who.is_empty()).then(|| named(store, who));
    el("li").with(pick(chosen, Some(place)).with(number).text(" ").maybe(who).with(moment(*at)))
}

/// Draws what one version added, or all of them.
fn text(store: Store, versions: &[Version], chosen: Option<usize>) -> Vec<El> {
    let mut drawn = Vec::new();
    for (place, (who, at, added)) in versions.iter().enumerate() {
        if chosen.is_none_or(|chosen| chosen == place) {
            let by = el("p").class("by").with(version(place as u64 + 1)).maybe(agent(store, who)).with(moment(*at));
            drawn.push(by);
            drawn.push(el("p").class("text").text(added.trim_end()));
        }
    }
    drawn
}
