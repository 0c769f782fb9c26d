//! The header: what is open, the search box, and what the page itself can do.

use leptos::prelude::*;
use web_sys::MouseEvent;

use crate::format::number;
use crate::place::View;
use crate::store::{Dialog, Pane, Store};
use crate::view::icon::{self, DETAILS, FOLDER, KEYS, SIDE, THEME, icon};
use crate::view::keys::run::run;
use crate::view::keys::table::Command;
use crate::view::search::SearchBox;

/// Draws the first line.
#[component]
pub fn Head() -> impl IntoView {
    let store = Store::of_page();
    let name = move || store.overview.with(|it| it.as_ref().map(|it| it.name.clone()).unwrap_or_default());
    let live = Memo::new(move |_| store.overview.with(|it| it.as_ref().is_some_and(|it| it.live)));
    view! {
        <div class="brand">
            {pane(store, Pane::Side, "Source and filters", "Source and filters: b", SIDE)}
            <h1>"Huddle"</h1>
            <span class="source-name" title=name>{name}</span>
            {move || live.get().then(|| view! { <span class="live">"live"</span> })}
        </div>
        <SearchBox/>
        <div class="top-buttons">
            <button class="quiet-button" title="Open something else" aria-label="Open something else"
                on:click=move |_| store.dialog.set(Some(Dialog::Open))>{icon(FOLDER)}</button>
            <button class="quiet-button" title="Light, dark, or as the system: T" aria-label="Theme"
                on:click=move |_| run(store, Command::Theme)>{icon(THEME)}</button>
            <button class="quiet-button wide-only" title="Keys: ?" aria-label="Keys"
                on:click=move |_| run(store, Command::Keys)>{icon(KEYS)}</button>
            {pane(store, Pane::Details, "Details", "Details: i", DETAILS)}
        </div>
    }
}

/// Draws the button that shows or hides a pane.
fn pane(store: Store, pane: Pane, name: &'static str, title: &'static str, path: &'static str) -> impl IntoView {
    let expanded = move || store.shows(pane).to_string();
    view! {
        <button class="quiet-button" aria-label=name title=title aria-expanded=expanded on:click=move |_| store.toggle(pane)>
            {icon(path)}
        </button>
    }
}

/// Draws the ways to the views.
#[component]
pub fn Views() -> impl IntoView {
    let store = Store::of_page();
    let current = Memo::new(move |_| store.place.with(|place| place.view));
    let problems = Memo::new(move |_| store.overview.with(|it| it.as_ref().map(|it| it.problems).unwrap_or_default()));
    let badge = move || {
        let [errors, warnings, _] = problems.get();
        let (class, many, what) =
            if errors > 0 { ("badge bad", errors, "error") } else { ("badge", warnings, "warning") };
        let ending = if many == 1 { "" } else { "s" };
        (many > 0).then(
            || view! { <span class=class>{number(many.into())} <span class="unseen">" " {what} {ending}</span></span> },
        )
    };
    let tab = move |(place, view): (usize, View)| {
        // A real address, so that a view can be opened in another tab.
        let address = move || {
            store.place.with(|place| {
                format!(
                    "#{}",
                    {
                        let mut there = place.clone();
                        there.view = view;
                        there
                    }
                    .to_fragment()
                )
            })
        };
        let click = move |event: MouseEvent| {
            if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
                event.prevent_default();
                store.go(|place| place.view = view);
            }
        };
        view! {
            <a href=address aria-current=move || (current.get() == view).then_some("page") on:click=click
                title=format!("{}: {}", view.title(), place + 1)>
                {icon(picture(view))}
                {view.title()}
                {(view == View::Problems).then_some(badge)}
            </a>
        }
    };
    View::ALL.into_iter().enumerate().map(tab).collect_view()
}

/// Gives the picture of a view, which stands above its name where names are small.
const fn picture(view: View) -> &'static str {
    match view {
        View::Conversation => icon::TALK,
        View::Timeline => icon::LANES,
        View::Agents => icon::PEOPLE,
        View::Reports => icon::REPORT,
        View::Shared => icon::SHARED,
        View::Problems => icon::WARNING,
    }
}
