//! What stands around the list: which list it is, what is new, and what is said when there is nothing to list.

use leptos::prelude::*;

use super::reel::Reel;
use crate::format;
use crate::place::Place;
use crate::store::{Search, Store};

/// Draws the line above the list.
pub(super) fn bar(store: Store) -> AnyView {
    let flat = Memo::new(move |_| store.place.with(|place| place.flat));
    let order = move |name: &'static str, wanted: bool| {
        view! {
            <button type="button" aria-pressed=move || (flat.get() == wanted).to_string()
                on:click=move |_| store.go(|place| place.flat = wanted)>{name}</button>
        }
    };
    view! {
        <div class="list-bar">
            <h2 class="unseen">"Messages"</h2>
            <div class="choice" role="group" aria-label="Order">{order("Threads", false)}{order("By time", true)}</div>
            <span class="counts">{move || counts(store)}</span>
        </div>
    }
    .into_any()
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
pub(super) fn fresh(reel: Reel) -> impl IntoView {
    let go = move |_| reel.go(|kept| kept.window().end());
    let label = move || format!("{} new", format::number(reel.fresh.get().into()));
    let seen = Memo::new(move |_| reel.fresh.get() > 0);
    view! {
        <div class="fresh" role="status">
            {move || seen.get().then(|| view! { <button type="button" on:click=go>{label}</button> })}
        </div>
    }
}

/// Says why nothing is listed.
pub(super) fn nothing(store: Store) -> AnyView {
    let query = store.place.with_untracked(|place| place.list().found.then(|| place.query.clone()));
    match query {
        Some(query) => view! {
            <div class="nothing">
                <p>"No message is found by "<q>{query}</q>"."</p>
                <p><button type="button" on:click=move |_| store.go(|place| place.only = false)>"Show all messages"</button></p>
            </div>
        }
        .into_any(),
        None => view! {
            <div class="nothing">
                <p>"There are no messages here."</p>
                <p class="quiet">"Reports, shared contexts and problems may still have something to say."</p>
            </div>
        }
        .into_any(),
    }
}
