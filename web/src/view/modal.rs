//! What lies over the page: a dialog that takes the keyboard and gives it back.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use super::icon::{CROSS, drawn};
use crate::dom::{El, after, el};
use crate::store::{Dialog, Store};

/// Draws a dialog that is open for as long as it is drawn: what the store knows it by, what it is called, how it looks
/// besides. A bare one's title is only heard.
pub fn modal(this: Dialog, title: &str, class: &str, bare: bool, children: Vec<El>) -> El {
    let store = Store::of_page();
    let over = el("dialog").class(&format!("over {class}")).attr("aria-label", title);
    let dialog: HtmlDialogElement = over.element().clone().unchecked_into();
    let node = StoredValue::new_local(dialog.clone());
    let close = move || node.try_with_value(HtmlDialogElement::close).unwrap_or_default();
    // It is in the page by then, as it has to be.
    after(move || {
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
