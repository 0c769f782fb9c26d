//! What can be done with what is found: going through it, listing it alone, saving it.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, FocusEvent, KeyboardEvent, Node};

use crate::dom::{El, el, memo};
use crate::protocol::{Format, Goal};
use crate::store::{Search, Store};
use crate::view::icon::{DOWN, FUNNEL, SAVE, UP, drawn};

/// Draws the buttons beside the views; `inert` says whether something lies over them.
pub fn search_tools(inert: Memo<bool>) -> El {
    let store = Store::of_page();
    let some = memo(move || store.search.with(|search| matches!(search, Search::Found(count) if *count > 0)));
    let idle = memo(move || store.place.with(|place| place.query.trim().is_empty()));
    let only = memo(move || store.place.with(|place| place.only));
    let step = move |back: bool, name: &str, title: &str, path: &str| {
        let button = el("button").class("quiet-button").attr("aria-label", name).attr("title", title);
        button.live_flag("disabled", move || !some.get()).with(drawn(path)).press(move || store.step(Goal::Hit, back))
    };
    let hits = el("button")
        .class("quiet-button")
        .attr("title", "List hits only: o")
        .live_attr("aria-pressed", move || Some(only.get().to_string()))
        .with(drawn(FUNNEL))
        .text("Only hits")
        .press(move || store.go(|place| place.only = !place.only));
    el("section")
        .class("tools")
        .attr("aria-label", "What is found")
        .live_flag("data-idle", move || idle.get())
        .live_flag("inert", move || inert.get())
        .with(step(true, "Previous hit", "Previous hit: N or [", UP))
        .with(step(false, "Next hit", "Next hit: n or ]", DOWN))
        .with(hits)
        .with(save_menu(store, idle))
}

/// Draws the menu of what can be saved; `idle` says whether nothing is searched for.
fn save_menu(store: Store, idle: Memo<bool>) -> El {
    let item = move |format: Format, name: &str| {
        let what = move || if idle.get() { "Everything" } else { "What is found" }.to_owned();
        el("button").live_text(what).text(name).on("click", move |event| {
            event.current_target().iter().for_each(|button| close(button.unchecked_ref()));
            store.save(format);
        })
    };
    let items = el("div")
        .class("menu-items")
        .with(item(Format::Jsonl, " as JSONL, the records as they are"))
        .with(item(Format::Markdown, " as Markdown, for people"));
    el("details")
        .class("menu")
        .with(el("summary").class("quiet-button").with(drawn(SAVE)).text("Save"))
        .with(items)
        .on("focusout", |event| left(&event))
        .on("keydown", |event| escape(&event))
}

/// Closes the menu that an element is in.
fn close(inside: &Element) {
    if let Ok(Some(menu)) = inside.closest("details") {
        let _ = menu.remove_attribute("open");
    }
}

/// Closes the menu when the keyboard is somewhere else.
fn left(event: &Event) {
    let Some(menu) = event.current_target() else { return };
    let menu: &Element = menu.unchecked_ref();
    let to = event.unchecked_ref::<FocusEvent>().related_target();
    if !to.is_some_and(|to| menu.contains(to.dyn_ref::<Node>())) {
        close(menu);
    }
}

fn escape(event: &Event) {
    let Some(menu) = event.current_target() else { return };
    let menu: &Element = menu.unchecked_ref();
    if event.unchecked_ref::<KeyboardEvent>().key() == "Escape" && menu.has_attribute("open") {
        event.prevent_default();
        close(menu);
    }
}
