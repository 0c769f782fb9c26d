//! What stands around the list: which list it is, what is new, and what is said when there is nothing to list.

use leptos::prelude::*;

use super::virtual_list::VirtualList;
use crate::format;
use crate::state::{DatasetState, RouteState, Search, SearchState, use_store};
use huddle_web_model::route::Place;

/// The line above the list.
#[component]
pub fn ListBar() -> impl IntoView {
    view! {
        <div class="list-bar">
            <h2 class="unseen">"Messages"</h2>
            <div class="choice" role="group" aria-label="Order">
                <OrderButton name="Threads" flat=false />
                <OrderButton name="By time" flat=true />
            </div>
            <Counts />
        </div>
    }
}

#[component]
fn OrderButton(name: &'static str, flat: bool) -> impl IntoView {
    let route: RouteState = use_store();
    let pressed = move || route.route.with(|route| route.flat) == flat;
    let choose = move |_| route.push(|route| route.flat = flat);
    view! { <button type="button" aria-pressed=move || pressed().to_string() on:click=choose>{name}</button> }
}

#[component]
fn Counts() -> impl IntoView {
    let (dataset, route, search): (DatasetState, RouteState, SearchState) = (use_store(), use_store(), use_store());
    let words = move || {
        let (messages, threads) = dataset.overview.with(|it| it.as_ref().map_or((0, 0), |it| (it.entries, it.threads)));
        let mut words = format::count(messages.into(), "message");
        if let Search::Found(found) = search.result.get() {
            words = format!("{} of {words} found", format::number(found));
            let list = route.route.with(Place::list);
            if list.found {
                words.push_str(if list.threads { " · only conversations with hits" } else { " · only hits" });
            }
        } else if threads > 0 {
            words.push_str(" · ");
            words.push_str(&format::count(threads.into(), "conversation"));
        }
        words
    };
    view! { <span class="counts">{words}</span> }
}

/// How many messages are new, as a way to them.
#[component]
pub fn Fresh(list: VirtualList) -> impl IntoView {
    let words = move || format!("{} new", format::number(list.fresh.get().into()));
    view! {
        <div class="fresh" role="status">
            <Show when=move || list.fresh.get() != 0>
                <button type="button" on:click=move |_| list.go_to_news()>{words}</button>
            </Show>
        </div>
    }
}

/// Why nothing is listed.
#[component]
pub fn Nothing() -> impl IntoView {
    let (dataset, route): (DatasetState, RouteState) = (use_store(), use_store());
    let query = route.query();
    let found = Memo::new(move |_| route.route.with(|route| route.list().found));
    let problems = Memo::new(move |_| dataset.overview.with(|it| it.as_ref().is_some_and(|it| it.problems[0] > 0)));
    move || {
        if found.get() {
            return view! {
                <div class="nothing">
                    <p>"No messages match “" <span>{move || query.get()}</span> "”."</p>
                    <p><button type="button" on:click=move |_| route.push(|route| route.only = false)>"Show all messages"</button></p>
                </div>
            }
            .into_any();
        }
        let (what, more) = match problems.get() {
            true => (
                "There are no messages that can be read.",
                "Problems lists what was found instead: is it a log or a session?",
            ),
            false => (
                "There are no messages here.",
                "Reports, shared contexts and problems may still have something to say.",
            ),
        };
        view! { <div class="nothing"><p>{what}</p><p class="quiet">{more}</p></div> }.into_any()
    }
}
