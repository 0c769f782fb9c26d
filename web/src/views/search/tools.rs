//! What can be done with what is found: going through it, listing it alone, saving it.

use leptos::ev::{FocusEvent, KeyboardEvent, MouseEvent};
use leptos::html::Details;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Node;

use crate::components::icon::{DOWN, FUNNEL, Icon, SAVE, UP};
use crate::protocol::{Format, Goal};
use crate::state::{DatasetState, RouteState, Search, SearchState, SelectionState, use_store};

/// The buttons beside the views; `covered` says whether something lies over them.
#[component]
pub fn SearchTools(covered: Memo<bool>) -> impl IntoView {
    let (search, route): (SearchState, RouteState) = (use_store(), use_store());
    let idle = Memo::new(move |_| route.route.with(|route| route.query.trim().is_empty()));
    // Other views have no list to go through.
    let usable = Memo::new(move |_| {
        route.route.with(|route| route.view.lists())
            && search.result.with(|result| matches!(result, Search::Found(count) if *count > 0))
    });
    let only = move || route.route.with(|route| route.only && !route.query.trim().is_empty());
    let listed = move || route.route.with(|route| route.view.lists() && !route.query.trim().is_empty());
    view! {
        <section
            class="tools"
            aria-label="What is found"
            data-idle=move || idle.get().then_some("")
            inert=move || covered.get()
        >
            <StepButton back=true name="Previous hit" title="Previous hit: N or [" path=UP usable />
            <StepButton back=false name="Next hit" title="Next hit: n or ]" path=DOWN usable />
            <button
                class="quiet-button only-hits"
                title="List hits only: o"
                aria-pressed=move || only().to_string()
                disabled=move || !listed()
                on:click=move |_| route.push(|route| route.only = !route.only)
            >
                <Icon path=FUNNEL />
                "Only hits"
            </button>
            <SaveMenu idle />
        </section>
    }
}

#[component]
fn StepButton(
    back: bool,
    name: &'static str,
    title: &'static str,
    path: &'static str,
    usable: Memo<bool>,
) -> impl IntoView {
    let selection: SelectionState = use_store();
    view! {
        <button
            class="quiet-button"
            aria-label=name
            title=title
            disabled=move || !usable.get()
            on:click=move |_| selection.step(Goal::Hit, back)
        >
            <Icon path />
        </button>
    }
}

/// The menu of what can be saved; `idle` says whether nothing is searched for.
#[component]
fn SaveMenu(idle: Memo<bool>) -> impl IntoView {
    let menu = NodeRef::<Details>::new();
    let close = move || menu.get_untracked().into_iter().for_each(|menu| menu.set_open(false));
    let left = move |event: FocusEvent| {
        let to = event.related_target();
        if !menu.get_untracked().is_some_and(|menu| to.is_some_and(|to| menu.contains(to.dyn_ref::<Node>()))) {
            close();
        }
    };
    let escape = move |event: KeyboardEvent| {
        if event.key() == "Escape" && menu.get_untracked().is_some_and(|menu| menu.open()) {
            event.prevent_default();
            close();
        }
    };
    view! {
        <details class="menu" node_ref=menu on:focusout=left on:keydown=escape>
            <summary class="quiet-button"><Icon path=SAVE /> "Save"</summary>
            <div class="menu-items">
                <SaveItem format=Format::Jsonl name=" as JSONL, the records as they are" idle close />
                <SaveItem format=Format::Markdown name=" as Markdown, for people" idle close />
            </div>
        </details>
    }
}

#[component]
fn SaveItem(
    format: Format,
    name: &'static str,
    idle: Memo<bool>,
    close: impl Fn() + Copy + Send + 'static,
) -> impl IntoView {
    let dataset: DatasetState = use_store();
    let save = move |_: MouseEvent| {
        close();
        dataset.save(format);
    };
    view! { <button on:click=save>{move || if idle.get() { "Everything" } else { "What is found" }} {name}</button> }
}
