//! What the page hands to the browser: texts to be copied, files to be saved, and what is to be remembered.

use gloo::utils::{document, window};
use leptos::prelude::Set;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{HtmlAnchorElement, HtmlDocument, HtmlElement, HtmlTextAreaElement};

use super::Store;
use crate::protocol::{Format, Passage, Request, RequestError, Response};

impl Store {
    /// Copies something as Markdown.
    pub fn copy(self, passage: Passage) {
        let what = match &passage {
            Passage::Message(_) => "Copied the message.",
            Passage::Thread(_) => "Copied the conversation.",
            Passage::Problem(..) => "Copied the problem.",
            Passage::Finding(..) => "Copied the finding.",
        };
        spawn_local(async move {
            match self.request(Request::Markdown(passage)).await {
                Ok(Response::Text { text, .. }) => self.copy_text(text, what),
                Err(RequestError::Failed(why)) => self.alert.set(format!("Nothing was copied: {why}")),
                _ => {}
            }
        });
    }

    /// Copies a text, and says what was copied.
    pub fn copy_text(self, text: String, what: &'static str) {
        spawn_local(async move {
            match write_text(&text).await {
                Ok(()) => self.notice.set(what.to_owned()),
                Err(_) => self.alert.set("Nothing was copied: the browser does not allow it here.".to_owned()),
            }
        });
    }

    /// Saves what is found, or everything when nothing is searched for.
    pub fn save(self, format: Format) {
        spawn_local(async move {
            match self.request(Request::Save(format)).await {
                Ok(Response::File { name, url }) => match download(&name, &url) {
                    Ok(()) => self.notice.set(format!("Saved {name}.")),
                    Err(_) => self.alert.set(format!("{name} could not be saved.")),
                },
                Err(RequestError::Failed(why)) => self.alert.set(format!("Nothing was saved: {why}")),
                _ => {}
            }
        });
    }
}

async fn write_text(text: &str) -> Result<(), JsValue> {
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

fn download(name: &str, address: &str) -> Result<(), JsValue> {
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(address);
    link.set_download(name);
    link.click();
    Ok(())
}

/// Remembers something under a name, until the reader clears what the browser keeps; nothing is the same as forgetting it.
pub fn keep(name: &str, value: &str) {
    // A reader may have forbidden it; then it lasts for as long as the page.
    let Ok(Some(storage)) = window().local_storage() else { return };
    let name = format!("huddle.{name}");
    let _ = if value.is_empty() { storage.remove_item(&name) } else { storage.set_item(&name, value) };
}

/// Gives what is remembered.
pub fn kept(name: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(&format!("huddle.{name}")).ok()?
}

/// Remembers something in this tab only, also when the page is loaded anew; nothing is the same as forgetting it.
pub(super) fn keep_in_tab(name: &str, value: &str) {
    let Ok(Some(storage)) = window().session_storage() else { return };
    let name = format!("huddle.{name}");
    let _ = if value.is_empty() { storage.remove_item(&name) } else { storage.set_item(&name, value) };
}

/// Gives what is remembered in this tab.
pub(super) fn kept_in_tab(name: &str) -> Option<String> {
    window().session_storage().ok()??.get_item(&format!("huddle.{name}")).ok()?
}
