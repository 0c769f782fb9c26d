//! The frame around all views: header, side, view and details.

pub mod head;
pub mod main;
pub mod pane;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::conversation::provide_list_state;
use super::details::DetailsPane;
use super::search::{SearchBox, SearchTools};
use super::side::Side;
use crate::state::{Pane, SettingsState, use_store};
use crate::views::open::{Failure, LeftOut, Progress};
use head::{Brand, PageButtons, Tabs};
use main::MainView;
use pane::SidePane;

/// What is open: the view that the reader is in, and what stands around it.
#[component]
pub fn Shell() -> impl IntoView {
    provide_list_state();
    let settings: SettingsState = use_store();
    // What is covered cannot be reached with the keyboard either.
    let covered = Memo::new(move |_| settings.panes.with(|panes| panes.narrow && panes.over.is_some()));
    view! {
        <div class="frame">
            <button class="skip button" on:click=move |_| focus_main()>"Skip to the view"</button>
            <header class="top" inert=move || covered.get()>
                <Brand />
                <SearchBox />
                <PageButtons />
            </header>
            <nav class="views" aria-label="Views" inert=move || covered.get()>
                <Tabs />
            </nav>
            <div class="bar-end">
                <Progress />
                <SearchTools covered />
            </div>
            <div class="news"><Failure /> <LeftOut /></div>
            <SidePane pane=Pane::Side name="Source and filters" class="pane side">
                <Side />
            </SidePane>
            <MainView covered />
            <SidePane pane=Pane::Details name="Details" class="pane details-pane">
                <DetailsPane />
            </SidePane>
            <Show when=move || covered.get()>
                <button class="behind" tabindex="-1" aria-hidden="true" on:click=move |_| settings.uncover()></button>
            </Show>
        </div>
    }
}

/// Gives the keyboard to the view.
fn focus_main() {
    let main = document().get_element_by_id("main").and_then(|main| main.dyn_into::<HtmlElement>().ok());
    main.iter().for_each(|main| _ = main.focus());
}
