//! A pane beside the view, or over it where there is no room.

use leptos::html;
use leptos::prelude::*;

use crate::store::{Pane, Store};
use crate::view::icon::{BACK, icon};

/// Draws a pane with a way back from it, which shows where it lies over the view.
#[component]
pub fn Beside(
    /// Which.
    pane: Pane,
    /// What it is called.
    name: &'static str,
    /// How it looks.
    class: &'static str,
    /// What is in it.
    children: Children,
) -> impl IntoView {
    let store = Store::of_page();
    let shown = Memo::new(move |_| store.shows(pane));
    let back = NodeRef::<html::Button>::new();
    // The keyboard goes where the eyes go; on the way back it goes to the page, from where every key works.
    Effect::new(move |before: Option<bool>| {
        let over = store.panes.with(|panes| panes.narrow) && shown.get();
        if over && before == Some(false) {
            back.get_untracked().iter().for_each(|back| _ = back.focus());
        }
        over
    });
    view! {
        <aside class=class aria-label=name hidden=move || !shown.get()>
            <div class="pane-head">
                <button class="quiet-button" node_ref=back on:click=move |_| store.panes.update(|panes| panes.over = None)>
                    {icon(BACK)} "Back"
                </button>
                <strong>{name}</strong>
            </div>
            <div class="pane-body" tabindex="-1">{children()}</div>
        </aside>
    }
}
