//! What lies over the page: a dialog that takes the keyboard and gives it back.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use super::icon::{CROSS, drawn, icon};
use crate::dom::{El, el};
use crate::store::{Dialog, Store};

/// Draws a dialog that is open for as long as it is drawn: what the store knows it by, what it is called, how it looks
/// besides. A bare one's title is only heard.
pub fn modal(this: Dialog, title: &str, class: &str, bare: bool, children: Vec<El>) -> El {
    let store = Store::of_page();
    let over = el("dialog").class(&format!("over {class}")).attr("aria-label", title);
    let dialog: HtmlDialogElement = over.element().clone().unchecked_into();
    let node = StoredValue::new_local(dialog.clone());
    let close = move || drop(node.try_with_value(HtmlDialogElement::close));
    // It is in the page by then, as it has to be.
    Effect::new(move || {
        if !dialog.open() {
            let _ = dialog.show_modal();
        }
    });
    // Closed before it is taken away: only then does the browser give the keyboard back to where it was.
    on_cleanup(close);
    let closed = move |_| {
        store.dialog.update(|dialog| *dialog = dialog.take().filter(|dialog| *dialog != this));
    };
    let beside = move |event: web_sys::Event| {
        // A click on what the dialog is drawn with is one beside it: everything in it is in other elements.
        if event.target() == event.current_target() {
            close();
        }
    };
    let head = (!bare).then(|| {
        let cross = el("button").class("quiet-button").attr("aria-label", "Close").with(drawn(CROSS)).press(close);
        el("div").class("over-head").with(el("h2").text(title)).with(cross)
    });
    over.on("close", closed).on("click", beside).maybe(head).all(children)
}

/// Closes the dialog that is open, so that the keyboard is where it was before when this is done: the page itself takes a
/// dialog away only later.
pub fn close() {
    if let Ok(Some(dialog)) = document().query_selector("dialog[open]") {
        dialog.unchecked_into::<HtmlDialogElement>().close();
    }
}

/// Draws a dialog that is open for as long as it is drawn, in a view.
// TODO(convert)
#[component]
pub fn Modal(
    /// What the store knows it by.
    this: Dialog,
    /// What it is called.
    #[prop(into)]
    title: String,
    /// Whether its title is only heard.
    #[prop(optional)]
    bare: bool,
    /// How it looks, besides.
    #[prop(optional)]
    class: &'static str,
    /// What is in it.
    children: Children,
) -> impl IntoView {
    let store = Store::of_page();
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move || {
        if let Some(dialog) = node.get().filter(|dialog| !dialog.open()) {
            let _ = dialog.show_modal();
        }
    });
    // Closed before it is taken away: only then does the browser give the keyboard back to where it was.
    on_cleanup(move || node.get_untracked().iter().for_each(|dialog| dialog.close()));
    let closed = move |_| {
        let here = this.clone();
        store.dialog.update(|dialog| *dialog = dialog.take().filter(|dialog| *dialog != here));
    };
    let close = move || node.get_untracked().iter().for_each(|dialog| dialog.close());
    let beside = move |event: web_sys::MouseEvent| {
        // A click on what the dialog is drawn with is one beside it: everything in it is in other elements.
        if event.target().as_ref() == node.get_untracked().as_deref().map(AsRef::as_ref) {
            close();
        }
    };
    let class = format!("over {class}");
    let head = (!bare).then(|| {
        view! {
            <div class="over-head">
                <h2>{title.clone()}</h2>
                <button class="quiet-button" aria-label="Close" on:click=move |_| close()>{icon(CROSS)}</button>
            </div>
        }
    });
    view! {
        <dialog node_ref=node class=class aria-label=title on:close=closed on:click=beside>
            {head}
            {children()}
        </dialog>
    }
}
