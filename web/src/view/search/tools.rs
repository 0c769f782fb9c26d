//! What can be done with what is found: going through it, listing it alone, saving it.

use leptos::html;
use leptos::prelude::*;
use web_sys::FocusEvent;

use crate::protocol::{Format, Goal};
use crate::store::{Search, Store};
use crate::view::icon::{DOWN, FUNNEL, SAVE, UP, icon};

/// Draws the buttons beside the views.
#[component]
pub fn SearchTools(
    /// Whether something lies over them.
    inert: Signal<bool>,
) -> impl IntoView {
    let store = Store::of_page();
    let some = Memo::new(move |_| store.search.with(|search| matches!(search, Search::Found(count) if *count > 0)));
    let idle = Memo::new(move |_| store.place.with(|place| place.query.trim().is_empty()));
    let only = Memo::new(move |_| store.place.with(|place| place.only));
    let step = move |back: bool, name: &'static str, title: &'static str, path: &'static str| {
        view! {
            <button class="quiet-button" aria-label=name title=title disabled=move || !some.get()
                on:click=move |_| store.step(Goal::Hit, back)>{icon(path)}</button>
        }
    };
    view! {
        <section class="tools" aria-label="What is found" data-idle=move || idle.get().then_some("")
            inert=move || inert.get()>
            {step(true, "Previous hit", "Previous hit: N or [", UP)}
            {step(false, "Next hit", "Next hit: n or ]", DOWN)}
            <button class="quiet-button" title="List hits only: o" aria-pressed=move || only.get().to_string()
                on:click=move |_| store.go(|place| place.only = !place.only)>
                {icon(FUNNEL)} "Only hits"
            </button>
            <SaveMenu/>
        </section>
    }
}

/// Draws the menu of what can be saved.
#[component]
fn SaveMenu() -> impl IntoView {
    let store = Store::of_page();
    let node = NodeRef::<html::Details>::new();
    let idle = Memo::new(move |_| store.place.with(|place| place.query.trim().is_empty()));
    let close = move || node.get_untracked().iter().for_each(|menu| menu.set_open(false));
    let left = move |event: FocusEvent| {
        let to = event.related_target();
        let inside = |menu: &web_sys::HtmlDetailsElement| {
            to.as_ref().is_some_and(|to| menu.contains(wasm_bindgen::JsCast::dyn_ref(to)))
        };
        if !node.get_untracked().is_some_and(|menu| inside(&menu)) {
            close();
        }
    };
    let escape = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Escape" && node.get_untracked().is_some_and(|menu| menu.open()) {
            event.prevent_default();
            close();
        }
    };
    let item = move |format: Format, name: &'static str| {
        let save = move |_| {
            close();
            store.save(format);
        };
        let what = move || if idle.get() { "Everything" } else { "What is found" };
        view! { <button on:click=save>{what} {name}</button> }
    };
    view! {
        <details class="menu" node_ref=node on:focusout=left on:keydown=escape>
            <summary class="quiet-button">{icon(SAVE)} "Save"</summary>
            <div class="menu-items">
                {item(Format::Jsonl, " as JSONL, the records as they are")}
                {item(Format::Markdown, " as Markdown, for people")}
            </div>
        </details>
    }
}
