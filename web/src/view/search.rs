//! The search box, with completion, and what can be done with what is found.

pub mod cursor;
pub mod terms;
pub mod tools;
mod typing;

use gloo::utils::document;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, KeyboardEvent};

use super::icon::{CROSS, SEARCH, icon};
use crate::format::number;
use crate::store::{Search, Store};
pub use tools::SearchTools;
use typing::Typing;

const BOX: &str = "query";

/// Puts the cursor into the search box.
pub fn focus() {
    let input = document().get_element_by_id(BOX).and_then(|element| element.dyn_into::<HtmlInputElement>().ok());
    if let Some(input) = input {
        let _ = input.focus();
        input.select();
    }
}

/// Draws the search box.
#[component]
pub fn SearchBox() -> impl IntoView {
    let store = Store::of_page();
    let node = NodeRef::<html::Input>::new();
    let typing = Typing::new(store, node);
    let expanded = move || typing.choices.with(|choices| !choices.is_empty());
    let misread = move || store.search.with(|search| matches!(search, Search::Misread(..)));
    let active = move || typing.active.get().map(choice_id);
    view! {
        <search class="search" data-misread=move || misread().then_some("")>
            <div class="search-line">
                {icon(SEARCH)}
                <input id=BOX node_ref=node type="text" role="combobox" aria-label="Search"
                    placeholder="Search: words, from:ann, is:unread" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search"
                    aria-autocomplete="list" aria-controls="choices" aria-describedby="misread"
                    aria-expanded=move || expanded().to_string() aria-activedescendant=active
                    aria-invalid=move || misread().to_string()
                    prop:value=move || typing.text.get()
                    on:input=move |_| typing.typed()
                    on:keydown=move |event| pressed(typing, &event)
                    on:blur=move |_| typing.left()/>
                <span class="found" role="status" data-found>{move || found(&store.search.get())}</span>
                {move || (!typing.text.with(String::is_empty)).then(|| clear(typing))}
            </div>
            {move || if expanded() { choices(typing).into_any() } else { error(store, typing).into_any() }}
        </search>
    }
}

/// Writes how many were found.
fn found(search: &Search) -> String {
    match search {
        Search::Found(count) => format!("{} found", number(*count)),
        Search::Idle | Search::Misread(..) => String::new(),
    }
}

fn clear(typing: Typing) -> impl IntoView {
    let clear = move |_| {
        typing.store.look_for("");
        focus();
    };
    view! { <button class="quiet-button" aria-label="Clear the search" on:click=clear>{icon(CROSS)}</button> }
}

fn choice_id(place: usize) -> String {
    format!("choice-{place}")
}

fn choices(typing: Typing) -> impl IntoView {
    let option = move |(place, choice): (usize, String)| {
        let selected = move || (typing.active.get() == Some(place)).to_string();
        // The box keeps the keyboard: a click would take it away before it comes to anything.
        let take = move |event: web_sys::MouseEvent| {
            event.prevent_default();
            typing.take(place);
        };
        view! { <li id=choice_id(place) role="option" aria-selected=selected on:mousedown=take>{choice}</li> }
    };
    let options = move || typing.choices.get().into_iter().enumerate().map(option).collect_view();
    view! { <ul id="choices" class="choices under" role="listbox" aria-label="What could be meant">{options}</ul> }
}

/// Draws what is wrong with the query, with the place marked.
fn error(store: Store, typing: Typing) -> impl IntoView {
    let shown = move || match store.search.get() {
        Search::Misread(at, message, hint) => {
            let text = store.place.with_untracked(|place| place.query.clone());
            let (before, rest) = text.split_at(text.chars().take(at as usize).map(char::len_utf8).sum());
            let marked = rest.chars().next().map_or(" ".to_owned(), |wrong| wrong.to_string());
            let after = rest.chars().skip(1).collect::<String>();
            Some(view! {
                <div id="misread" class="under misread">
                    <pre>{before.to_owned()}<mark>{marked}</mark>{after}</pre>
                    <strong>{message}</strong>
                    <p>{hint}</p>
                </div>
            })
        }
        _ => None,
    };
    // While the box is used, and not over what is read.
    move || typing.inside.get().then(shown).flatten()
}

/// Takes the keys that the list of choices needs, and those that end typing.
fn pressed(typing: Typing, event: &KeyboardEvent) {
    let many = typing.choices.with_untracked(Vec::len);
    let active = typing.active.get_untracked();
    let taken = match (event.key().as_str(), active) {
        ("ArrowDown", _) if many == 0 => {
            typing.complete();
            true
        }
        ("ArrowDown", active) => typing.point(active.map_or(0, |place| (place + 1) % many)),
        ("ArrowUp", active) if many > 0 => {
            typing.point(active.map_or(many, |place| place + many).saturating_sub(1) % many)
        }
        ("Enter" | "Tab", Some(place)) => {
            typing.take(place);
            true
        }
        ("Enter", None) => {
            typing.enter();
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
