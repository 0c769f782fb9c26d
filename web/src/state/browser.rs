//! What the page hands to the browser: texts to copy, files to save, and what to remember.

use gloo::utils::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlAnchorElement, HtmlDocument, HtmlElement, HtmlTextAreaElement};

pub(super) async fn write_text(text: &str) -> Result<(), JsValue> {
    let clipboard = window().navigator().clipboard();
    // Over plain http there is none, except on this machine.
    if clipboard.is_undefined() {
        return write_selected(text);
    }
    JsFuture::from(clipboard.write_text(text)).await.map(drop)
}

/// Copies a text as if the reader had selected it and pressed the keys.
fn write_selected(text: &str) -> Result<(), JsValue> {
    let document = document();
    let before = document.active_element();
    let area: HtmlTextAreaElement = document.create_element("textarea")?.unchecked_into();
    area.set_value(text);
    document.body().ok_or(JsValue::UNDEFINED)?.append_child(&area)?;
    area.select();
    let copied = document.unchecked_ref::<HtmlDocument>().exec_command("copy");
    area.remove();
    if let Some(before) = before {
        let _ = before.unchecked_into::<HtmlElement>().focus();
    }
    copied?.then_some(()).ok_or(JsValue::UNDEFINED)
}

pub(super) fn download(name: &str, address: &str) -> Result<(), JsValue> {
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(address);
    link.set_download(name);
    link.click();
    Ok(())
}

/// Remembers something under a name, until the reader clears what the browser keeps; nothing is the same as forgetting it.
pub fn remember(name: &str, value: &str) {
    // A reader may have forbidden it; then it lasts for as long as the page.
    let Ok(Some(storage)) = window().local_storage() else { return };
    let name = format!("huddle.{name}");
    let _ = if value.is_empty() { storage.remove_item(&name) } else { storage.set_item(&name, value) };
}

/// Returns what is remembered.
pub fn remembered(name: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(&format!("huddle.{name}")).ok()?
}

/// Remembers something in this tab only, also when the page is loaded anew; nothing is the same as forgetting it.
pub(super) fn remember_in_tab(name: &str, value: &str) {
    let Ok(Some(storage)) = window().session_storage() else { return };
    let name = format!("huddle.{name}");
    let _ = if value.is_empty() { storage.remove_item(&name) } else { storage.set_item(&name, value) };
}

/// Returns what is remembered in this tab.
pub(super) fn remembered_in_tab(name: &str) -> Option<String> {
    window().session_storage().ok()??.get_item(&format!("huddle.{name}")).ok()?
}
