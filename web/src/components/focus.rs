//! The keyboard's focus.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement};

/// Returns the focus to the element that has it, if that is moved by what is drawn now. A keyed list moves rows in the page
/// when others come before them, and browsers take the focus from what is moved.
pub fn keep_focus() {
    let focused = document().active_element().and_then(|element| element.dyn_into::<HtmlElement>().ok());
    queue_microtask(move || {
        let is_lost = document().active_element().is_none_or(|element| element.tag_name() == "BODY");
        if let Some(element) = focused.filter(|element| is_lost && element.is_connected()) {
            focus_still(&element);
        }
    });
}

/// Focuses an element without scrolling: what is in sight stays there.
pub fn focus_still(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    let _ = element.focus_with_options(&options);
}
