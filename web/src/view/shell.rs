//! The frame around all views: header, side, view and details.

pub mod head;
pub mod main;
pub mod pane;

use gloo::utils::document;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::details::details_pane;
use super::open::{failure, left_out, progress};
use super::search::{search_box, search_tools};
use super::side::side;
use crate::dom::{El, el, memo};
use crate::store::{Pane, Store};
use head::{head, views};
use main::main_view;
use pane::beside;

/// Draws what is open: the view that the reader is in, and what stands around it.
pub fn shell() -> El {
    let store = Store::of_page();
    // What is covered cannot be reached with the keyboard either.
    let covered = covered(store);
    let inert = move || covered.get();
    let skip = el("button").class("skip button").text("Skip to the view").press(to_view);
    let top = el("header").class("top").live_flag("inert", inert).all(head(store, search_box()));
    let nav = el("nav").class("views").attr("aria-label", "Views").live_flag("inert", inert).all(views(store));
    let end = el("div").class("bar-end").live_one(progress(store)).with(search_tools(covered));
    let news = el("div").class("news").live_one(failure(store)).live_one(left_out(store));
    let details = |pane: El| pane.with(details_pane());
    el("div")
        .class("frame")
        .all([skip, top, nav, end, news])
        .with(beside(store, Pane::Side, "Source and filters", "pane side", side))
        .with(main_view(store, covered))
        .with(beside(store, Pane::Details, "Details", "pane details-pane", details))
        .live_one(move || covered.get().then(|| behind(store)))
}

/// Tells whether a pane lies over the view.
fn covered(store: Store) -> Memo<bool> {
    memo(move || store.panes.with(|panes| panes.narrow && panes.over.is_some()))
}

/// Draws what is left of the page beside the pane that covers it.
fn behind(store: Store) -> El {
    let behind = el("button").class("behind").attr("tabindex", "-1").attr("aria-hidden", "true");
    behind.press(move || store.uncover())
}

/// Gives the keyboard to the view.
fn to_view() {
    let main = document().get_element_by_id("main").and_then(|main| main.dyn_into::<HtmlElement>().ok());
    main.iter().for_each(|main| _ = main.focus());
}

/// Calls a function in the next frame, whatever becomes of who asked for it.
fn next_frame(then: impl FnOnce() + 'static) {
    request_animation_frame(then);
}
