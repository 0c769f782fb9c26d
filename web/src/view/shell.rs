//! The frame around all views: header, side, view and details.

pub mod head;
pub mod main;
pub mod pane;

use leptos::prelude::*;

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
            view! { <button class="behind" tabindex="-1" aria-hidden="true" on:click=move |_| store.panes.update(|panes| panes.over = None)></button> }
        })
    };
    view! {
        <div class="frame">
            <header class="top" inert=move || inert.get()><Head/></header>
            <nav class="views" aria-label="Views" inert=move || inert.get()><Views/></nav>
            <SearchTools inert/>
            <div class="news"><Progress/><Failure/></div>
            <Beside pane=Pane::Side name="Source and filters" class="pane side"><SidePane/></Beside>
            <MainView inert/>
            <Beside pane=Pane::Details name="Details" class="pane details-pane"><DetailsPane/></Beside>
            {behind}
        </div>
    }
}
