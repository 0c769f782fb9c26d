//! The search box, with completion, and what can be done with what is found.

pub use huddle_web_model::search::terms;
pub mod tools;
mod typing;

use gloo::utils::document;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, KeyboardEvent};

use super::icon::{CROSS, SEARCH, drawn};
use crate::dom::{El, effect, el, memo};
use crate::format::number;
use crate::store::{Search, Store};
pub use tools::search_tools;
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
pub(super) fn show(choice: &str) {
    if let Some(element) = document().get_element_by_id(choice) {
        let nearest = web_sys::ScrollIntoViewOptions::new();
        nearest.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&nearest);
    }
}

/// Draws the search box.
pub fn search_box() -> El {
    let store = Store::of_page();
    let typing = Typing::new(store);
    let expanded = memo(move || typing.choices.with(|choices| !choices.is_empty()));
    let filled = memo(move || typing.text.with(|text| !text.is_empty()));
    let misread = move || store.search.with(|search| matches!(search, Search::Misread(..)));
    let line = el("div")
        .class("search-line")
        .with(drawn(SEARCH))
        .with(input(typing, expanded))
        .with(
            el("span")
                .class("found")
                .attr("role", "status")
                .flag("data-found", true)
                .live_text(move || store.search.with(found)),
        )
        .live_one(move || filled.get().then(|| clear(typing)));
    el("search").class("search").live_flag("data-misread", misread).with(line).live_one(move || {
        if expanded.get() {
            return Some(choices(typing));
        }
        // While the box is used, and not over what is read.
        if typing.inside.get() { error(store) } else { None }
    })
}

/// Draws the box itself.
fn input(typing: Typing, expanded: Memo<bool>) -> El {
    let misread = move || typing.store.search.with(|search| matches!(search, Search::Misread(..)));
    let input = el("input")
        .attr("id", BOX)
        .attr("type", "text")
        .attr("role", "combobox")
        .attr("aria-label", "Search")
        .attr("placeholder", "Search: words, from:ann, is:unread")
        .attr("autocomplete", "off")
        .attr("autocapitalize", "off")
        .attr("spellcheck", "false")
        .attr("enterkeyhint", "search")
        .attr("aria-autocomplete", "list")
        .attr("aria-controls", "choices")
        .attr("aria-describedby", "misread")
        .live_attr("aria-expanded", move || Some(expanded.get().to_string()))
        .live_attr("aria-activedescendant", move || typing.active.get().map(choice_id))
        .live_attr("aria-invalid", move || Some(misread().to_string()))
        .on("input", move |_| typing.typed())
        .on("keydown", move |event| pressed(typing, event.unchecked_ref()))
        .on("focus", move |_| typing.inside.set(true))
        .on("blur", move |_| typing.left());
    let element: HtmlInputElement = input.element().clone().unchecked_into();
    effect(move || typing.text.with(|text| element.set_value(text)));
    input
}

/// Writes how many were found.
fn found(search: &Search) -> String {
    match search {
        Search::Found(count) => format!("{} found", number(*count)),
        Search::Idle | Search::Misread(..) => String::new(),
    }
}

fn clear(typing: Typing) -> El {
    el("button").class("quiet-button").attr("aria-label", "Clear the search").with(drawn(CROSS)).press(move || {
        typing.store.look_for("");
        focus();
    })
}

fn choice_id(place: usize) -> String {
    format!("choice-{place}")
}

fn choices(typing: Typing) -> El {
    let option = move |place: usize, choice: &str| {
        el("li")
            .attr("id", &choice_id(place))
            .attr("role", "option")
            .live_attr("aria-selected", move || Some((typing.active.get() == Some(place)).to_string()))
            .text(choice)
            .on("mousedown", move |event| {
                // The box keeps the keyboard: a click would take it away before it comes to anything.
                event.prevent_default();
                typing.take(place);
            })
    };
    let list = el("ul").attr("id", "choices").class("choices under").attr("role", "listbox");
    list.attr("aria-label", "What could be meant").live(move || {
        typing.choices.with(|choices| choices.iter().enumerate().map(|(place, choice)| option(place, choice)).collect())
    })
}

/// Draws what is wrong with the query, with the place marked.
fn error(store: Store) -> Option<El> {
    store.search.with(|search| {
        let Search::Misread(at, message, hint) = search else { return None };
        let text = store.place.with_untracked(|place| place.query.clone());
        let (before, rest) = text.split_at(text.chars().take(*at as usize).map(char::len_utf8).sum());
        let wrong = rest.chars().next().map_or(0, char::len_utf8);
        let (marked, after) = rest.split_at(wrong);
        let mark = el("mark").text(if marked.is_empty() { " " } else { marked });
        let shown = el("pre").text(before).with(mark).text(after);
        let under = el("div").attr("id", "misread").attr("role", "status").class("under misread").with(shown);
        Some(under.with(el("strong").text(message)).with(el("p").text(hint)))
    })
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
