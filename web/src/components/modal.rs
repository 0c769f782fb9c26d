//! A dialog over the page, which takes the keyboard and gives it back.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use super::icon::{CROSS, Icon};
use crate::state::{Dialog, Feedback, use_store};

/// Shows a dialog for as long as it is drawn. The title of a bare one is only heard.
#[component]
pub fn Modal(
    /// What closing it closes.
    dialog: Dialog,
    #[prop(into)] title: String,
    #[prop(optional)] class: &'static str,
    #[prop(optional)] bare: bool,
    children: Children,
) -> impl IntoView {
    let feedback = use_store::<Feedback>();
    let node = NodeRef::<html::Dialog>::new();
    // A dialog can be shown only when it is in the page.
    Effect::new(move || {
        if let Some(element) = node.get().filter(|element| !element.open()) {
            let _ = element.show_modal();
        }
    });
    // Closed before it is removed: only then does the browser give the keyboard back to where it was.
    on_cleanup(close_open_dialog);
    let closed = move |_| feedback.dialog.update(|open| *open = open.take().filter(|open| *open != dialog));
    // Everything in the dialog is in other elements: a click on the dialog itself is one beside it.
    let click_beside = move |event: MouseEvent| {
        if event.target() == event.current_target() {
            close_open_dialog();
        }
    };
    let head = (!bare).then(|| {
        view! {
            <div class="over-head">
                <h2>{title.clone()}</h2>
                <button class="quiet-button" aria-label="Close" on:click=move |_| close_open_dialog()>
                    <Icon path=CROSS />
                </button>
            </div>
        }
    });
    view! {
        <dialog node_ref=node class=format!("over {class}") aria-label=title on:close=closed on:click=click_beside>
            {head}
            {children()}
        </dialog>
    }
}

/// Closes the dialog that is open, so that the keyboard is where it was before when this returns: the page removes a dialog
/// only later.
pub fn close_open_dialog() {
    if let Ok(Some(dialog)) = document().query_selector("dialog[open]") {
        dialog.unchecked_into::<HtmlDialogElement>().close();
    }
}
