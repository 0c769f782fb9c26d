//! What stands around the list: which list it is, what is new, and what is said when there is nothing to list.

use leptos::prelude::*;

use super::reel::Reel;
use crate::dom::{El, el, memo};
use crate::format;
use crate::store::{Search, Store};
use huddle_web_model::route::Place;

/// Draws the line above the list.
pub(super) fn bar(store: Store) -> El {
    let flat = memo(move || store.place.with(|place| place.flat));
    let order = |name: &str, wanted: bool| {
        el("button")
            .attr("type", "button")
            .live_attr("aria-pressed", move || Some((flat.get() == wanted).to_string()))
            .press(move || store.go(|place| place.flat = wanted))
            .text(name)
    };
    let choice = el("div").class("choice").attr("role", "group").attr("aria-label", "Order");
    el("div")
        .class("list-bar")
        .with(el("h2").class("unseen").text("Messages"))
        .with(choice.with(order("Threads", false)).with(order("By time", true)))
        .with(el("span").class("counts").live_text(move || counts(store)))
}

fn counts(store: Store) -> String {
    let (messages, threads) = store.overview.with(|it| it.as_ref().map_or((0, 0), |it| (it.entries, it.threads)));
    let mut said = format::count(messages.into(), "message");
    if let Search::Found(found) = store.search.get() {
        said = format!("{} of {said} found", format::number(found));
        let list = store.place.with(Place::list);
        if list.found {
            said.push_str(if list.threads { " · only conversations with hits" } else { " · only hits" });
        }
    } else if threads > 0 {
        said.push_str(" · ");
        said.push_str(&format::count(threads.into(), "conversation"));
    }
    said
}

/// Draws how many messages are new, as a way to them.
pub(super) fn fresh(reel: Reel) -> El {
    let seen = memo(move || reel.fresh.get() > 0);
    let button = move || {
        el("button")
            .attr("type", "button")
            .press(move || reel.to_news())
            .live_text(move || format!("{} new", format::number(reel.fresh.get().into())))
    };
    el("div").class("fresh").attr("role", "status").live_one(move || seen.get().then(button))
}

/// Says why nothing is listed.
pub(super) fn nothing(store: Store) -> El {
    let nothing = el("div").class("nothing");
    if store.place.with_untracked(|place| place.list().found) {
        let all = el("button").attr("type", "button").text("Show all messages");
        let all = all.press(move || store.go(|place| place.only = false));
        // It may be searched for something else in vain.
        let query = el("q").live_text(move || store.place.with(|place| place.query.clone()));
        let said = el("p").text("No message is found by ").with(query).text(".");
        nothing.with(said).with(el("p").with(all))
    } else {
        let more = "Reports, shared contexts and problems may still have something to say.";
        nothing.with(el("p").text("There are no messages here.")).with(el("p").class("quiet").text(more))
    }
}
