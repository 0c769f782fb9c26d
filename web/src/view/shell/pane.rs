//! A pane beside the view, or over it where there is no room.

use gloo::utils::document;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::next_frame;
use crate::dom::{El, after, el, memo};
use crate::store::{Pane, Store};
use crate::view::icon::{BACK, drawn};

/// Draws a pane with a way back from it, which shows where it lies over the view. It is filled by `fill`.
pub fn beside(store: Store, pane: Pane, name: &str, class: &str, fill: fn(El) -> El) -> El {
    let shown = memo(move || store.shows(pane));
    let back = el("button").class("quiet-button").with(drawn(BACK)).text("Back").press(move || store.uncover());
    let body = el("div").class("pane-body").attr("tabindex", "-1");
    follow_keyboard(store, shown, back.clone());
    let aside = el("aside").class(class).attr("aria-label", name).live_flag("hidden", move || !shown.get());
    let head = el("div").class("pane-head").with(back).with(el("strong").text(name));
    aside.with(head).with(fill(body))
}

/// Makes the keyboard go where the eyes go: into a pane that comes to lie over the view, and back when it is closed.
fn follow_keyboard(store: Store, shown: Memo<bool>, back: El) {
    let from = StoredValue::new_local(None::<HtmlElement>);
    // As it is when it is first drawn, the keyboard stays where it is.
    let before = StoredValue::new(None::<bool>);
    after(move || {
        let over = store.panes.with(|panes| panes.narrow) && shown.get();
        let was = before.get_value();
        before.set_value(Some(over));
        match was {
            Some(false) if over => {
                from.set_value(document().active_element().and_then(|element| element.dyn_into().ok()));
                // Not before it can be seen.
                give_keyboard(back.html().clone());
            }
            Some(true) if !over => from.try_update_value(Option::take).flatten().into_iter().for_each(give_keyboard),
            _ => {}
        }
    });
}

fn give_keyboard(to: HtmlElement) {
    next_frame(move || drop(to.focus()));
}
