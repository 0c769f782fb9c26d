//! The search box, with completion, and what can be done with what is found.

pub use huddle_web_model::search::terms;
pub mod tools;
pub mod typing;

use gloo::utils::document;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use crate::components::icon::{CROSS, Icon, SEARCH};
use crate::format::{number, sentence};
use crate::protocol::{Goal, QueryError};
use crate::state::{RouteState, Search, SearchState, SelectionState, use_store};
pub use tools::SearchTools;
use typing::Typing;

const BOX: &str = "query";

/// Puts the cursor into the search box.
pub fn focus() {
    if let Some(input) = the_box() {
        let _ = input.focus();
        input.select();
    }
}

/// Finds the search box, if it is there.
fn the_box() -> Option<HtmlInputElement> {
    document().get_element_by_id(BOX)?.dyn_into().ok()
}

/// Scrolls to a choice of a list, if it cannot be seen.
pub(crate) fn show(choice: &str) {
    if let Some(element) = document().get_element_by_id(choice) {
        let nearest = web_sys::ScrollIntoViewOptions::new();
        nearest.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&nearest);
    }
}

/// The search box.
#[component]
pub fn SearchBox() -> impl IntoView {
    let (search, route): (SearchState, RouteState) = (use_store(), use_store());
    let typing = Typing::new();
    let expanded = Memo::new(move |_| typing.choices.with(|choices| !choices.is_empty()));
    let filled = Memo::new(move |_| typing.text.with(|text| !text.is_empty()));
    // While it is typed, a query is not wrong but incomplete.
    let misread =
        Memo::new(move |_| !typing.typing.get() && search.result.with(|result| matches!(result, Search::Misread(_))));
    view! {
        <search class="search" data-misread=move || misread.get().then_some("")>
            <div class="search-line">
                <Icon path=SEARCH />
                <input
                    id=BOX
                    type="text"
                    role="combobox"
                    aria-label="Search"
                    placeholder="Search: words, from:ann, is:unread"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    enterkeyhint="search"
                    aria-autocomplete="list"
                    aria-controls="choices"
                    aria-describedby="misread"
                    aria-expanded=move || expanded.get().to_string()
                    aria-activedescendant=move || typing.active.get().map(choice_id)
                    aria-invalid=move || misread.get().to_string()
                    prop:value=move || typing.text.get()
                    on:input=move |_| typing.typed()
                    on:keydown=move |event| pressed(typing, &event)
                    on:focus=move |_| typing.inside.set(true)
                    on:blur=move |_| typing.left()
                />
                <FoundCount />
                <Show when=move || filled.get()>
                    <button
                        class="quiet-button"
                        aria-label="Clear the search"
                        on:click=move |_| {
                            route.search_for("");
                            focus();
                        }
                    >
                        <Icon path=CROSS />
                    </button>
                </Show>
            </div>
            <Show when=move || expanded.get()>
                <Choices typing />
            </Show>
            // While the box is used, and not over what is read.
            <Show when=move || !expanded.get() && typing.inside.get() && misread.get()>
                <Misread />
            </Show>
        </search>
    }
}

/// How many messages are found, and which of them is selected.
#[component]
fn FoundCount() -> impl IntoView {
    let (search, selection): (SearchState, SelectionState) = (use_store(), use_store());
    let selected = Memo::new(move |_| selection.row.with(|row| row.as_ref().and_then(|row| row.hit)));
    let words = move || match (search.result.get(), selected.get()) {
        (Search::Found(count), Some(hit)) if u64::from(hit) < count => {
            format!("{} of {} found", number(u64::from(hit) + 1), number(count))
        }
        (Search::Found(count), _) => format!("{} found", number(count)),
        _ => String::new(),
    };
    view! { <span class="found" role="status" data-found="">{words}</span> }
}

fn choice_id(place: usize) -> String {
    format!("choice-{place}")
}

/// What could stand at the cursor.
#[component]
fn Choices(typing: Typing) -> impl IntoView {
    let option = move |(place, choice): (usize, String)| {
        view! {
            <li
                id=choice_id(place)
                role="option"
                aria-selected=move || (typing.active.get() == Some(place)).to_string()
                on:mousedown=move |event| {
                    // The box keeps the keyboard: a click would take it away before it comes to anything.
                    event.prevent_default();
                    typing.take(place);
                }
            >
                {choice}
            </li>
        }
    };
    view! {
        <ul id="choices" class="choices under" role="listbox" aria-label="What could be meant">
            <For each=move || typing.choices.get().into_iter().enumerate() key=Clone::clone children=option />
        </ul>
    }
}

/// What is wrong with the query, with the word marked.
#[component]
fn Misread() -> impl IntoView {
    let (search, route): (SearchState, RouteState) = (use_store(), use_store());
    move || {
        let Search::Misread(QueryError { at, message, hint }) = search.result.get() else { return None };
        let text = route.route.with_untracked(|route| route.query.clone());
        let (before, rest) = text.split_at(text.chars().take(at as usize).map(char::len_utf8).sum());
        let (wrong, after) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        let wrong = if wrong.is_empty() { " " } else { wrong };
        Some(view! {
            <div id="misread" role="status" class="under misread">
                <pre>{before.to_owned()}<mark>{wrong.to_owned()}</mark>{after.to_owned()}</pre>
                <strong>{sentence(&message)}</strong>
                <p>{sentence(&hint)}</p>
            </div>
        })
    }
}

/// Takes the keys that the list of choices needs, and those that end typing or go from hit to hit.
fn pressed(typing: Typing, event: &KeyboardEvent) {
    let many = typing.choices.with_untracked(Vec::len);
    let active = typing.active.get_untracked();
    let plain = !(event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key());
    let has_text = typing.text.with_untracked(|text| !text.trim().is_empty());
    let taken = match (event.key().as_str(), active) {
        ("ArrowDown", _) if many == 0 => {
            typing.complete();
            true
        }
        ("ArrowDown", active) => typing.point(active.map_or(0, |place| (place + 1) % many)),
        ("ArrowUp", active) if many > 0 => {
            typing.point(active.map_or(many, |place| place + many).saturating_sub(1) % many)
        }
        ("Enter", Some(place)) => typing.take(place),
        ("Tab", active) if many > 0 && plain && (active.is_some() || has_text) => typing.take(active.unwrap_or(0)),
        ("Enter", None) => {
            if !typing.enter() {
                typing.selection.step(Goal::Hit, event.shift_key());
            }
            true
        }
        ("Escape", _) if many > 0 => {
            typing.close();
            true
        }
        _ => false,
    };
    if taken {
        event.prevent_default();
    }
}
