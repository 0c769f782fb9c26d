//! The frame around all views: header, side, view and details.

pub mod head;
pub mod main;
pub mod pane;

use gloo::render::request_animation_frame;
use gloo::utils::document;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::details::DetailsPane;
use super::open::{Failure, Progress};
use super::search::SearchTools;
use super::side::SidePane;
use crate::store::{Pane, Store};
use head::{Head, Views};
use main::MainView;
use pane::Beside;

/// Draws what is open: the view that the reader is in, and what stands around it.
#[component]
pub fn Shell() -> impl IntoView {
    let store = Store::of_page();
    let covered = Memo::new(move |_| store.panes.with(|panes| panes.narrow && panes.over.is_some()));
    // What is covered cannot be reached with the keyboard either.
    let inert = Signal::from(covered);
    let behind = move || {
        covered.get().then(|| {
            view! { <button class="behind" tabindex="-1" aria-hidden="true" on:click=move |_| store.uncover()></button> }
        })
    };
    view! {
        <div class="frame">
            <button class="skip button" on:click=move |_| to_view()>"Skip to the view"</button>
            <header class="top" inert=move || inert.get()><Head/></header>
            <nav class="views" aria-label="Views" inert=move || inert.get()><Views/></nav>
            <div class="bar-end"><Progress/><SearchTools inert/></div>
            <div class="news"><Failure/></div>
            <Beside pane=Pane::Side name="Source and filters" class="pane side"><SidePane/></Beside>
            <MainView inert/>
            <Beside pane=Pane::Details name="Details" class="pane details-pane"><DetailsPane/></Beside>
            {behind}
        </div>
    }
}

/// Gives the keyboard to the view.
fn to_view() {
    let main = document().get_element_by_id("main").and_then(|main| main.dyn_into::<HtmlElement>().ok());
    main.iter().for_each(|main| _ = main.focus());
}

/// Calls a function in the next frame, whatever becomes of who asked for it.
fn next_frame(then: impl FnOnce() + 'static) {
    std::mem::forget(request_animation_frame(move |_| then()));
}
