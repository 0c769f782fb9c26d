//! A pane beside the view, or over it where there is no room.

use gloo::utils::document;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::next_frame;
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
    let body = NodeRef::<html::Div>::new();
    follow_keyboard(store, shown, back);
    if pane == Pane::Details {
        begin_at_top(store, body);
    }
    view! {
        <aside class=class aria-label=name hidden=move || !shown.get()>
            <div class="pane-head">
                <button class="quiet-button" node_ref=back on:click=move |_| store.uncover()>
                    {icon(BACK)} "Back"
                </button>
                <strong>{name}</strong>
            </div>
            <div class="pane-body" node_ref=body tabindex="-1">{children()}</div>
        </aside>
    }
}

/// Makes the keyboard go where the eyes go: into a pane that comes to lie over the view, and back when it is closed.
fn follow_keyboard(store: Store, shown: Memo<bool>, back: NodeRef<html::Button>) {
    let from = StoredValue::new_local(None::<HtmlElement>);
    Effect::new(move |before: Option<bool>| {
        let over = store.panes.with(|panes| panes.narrow) && shown.get();
        match before {
            Some(false) if over => {
                from.set_value(document().active_element().and_then(|element| element.dyn_into().ok()));
                // Not before it can be seen.
                next_frame(move || back.get_untracked().iter().for_each(|back| _ = back.focus()));
            }
            Some(true) if !over => {
                let from = from.try_update_value(Option::take).flatten();
                next_frame(move || from.iter().for_each(|from| _ = from.focus()));
            }
            _ => {}
        }
        over
    });
}

/// Shows another message from its beginning.
fn begin_at_top(store: Store, body: NodeRef<html::Div>) {
    let message =
        Memo::new(move |_| store.details.with(|details| details.as_ref().map(|details| details.line.key.clone())));
    Effect::new(move || {
        message.track();
        body.get_untracked().iter().for_each(|body| body.set_scroll_top(0));
    });
}
