//! Dropping things on the page, at any time.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::window;
use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DataTransfer, DataTransferItem, DragEvent, File};

use super::pick::{listed, method, open_files};
use crate::dom::{El, el};
use crate::format::number;
use crate::limits::MAX_FILES;
use crate::protocol::Source;
use crate::store::Store;

/// Draws a sign while something is held over the page, and opens what is dropped.
pub fn drop_anywhere(store: Store) -> impl Fn() -> Option<El> + 'static {
    let over = RwSignal::new(false);
    for name in ["dragenter", "dragover", "dragleave", "drop"] {
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(&window(), name, options, move |event| {
            if let Some(event) = event.dyn_ref::<DragEvent>()
                && let Some(transfer) = event.data_transfer()
                && transfer.types().includes(&"Files".into(), 0)
            {
                event.prevent_default();
                dragged(store, over, event, &transfer);
            }
        })
        .forget();
    }
    move || {
        let sign = || el("div").class("dropping").attr("role", "status").with(el("p").text("Drop it to open it"));
        over.get().then(sign)
    }
}

fn dragged(store: Store, over: RwSignal<bool>, event: &DragEvent, transfer: &DataTransfer) {
    match event.type_().as_str() {
        "drop" => {
            over.set(false);
            take(store, transfer);
        }
        // Only when it leaves the window: it leaves every element on its way.
        "dragleave" if event.related_target().is_none() => over.set(false),
        "dragleave" => {}
        _ => {
            transfer.set_drop_effect("copy");
            if !over.get_untracked() {
                over.set(true);
            }
        }
    }
}

/// Takes everything that was dropped, in each of the ways that the browser has. That has to be done at once: after the event
/// nothing is there any more.
fn take(store: Store, transfer: &DataTransfer) {
    let items = transfer.items();
    let items: Vec<DataTransferItem> = (0..items.length()).filter_map(|place| items.get(place)).collect();
    let items = || items.iter().filter(|item| item.kind() == "file");
    let handles: Option<Array> = items()
        .map(|item| method(item, "getAsFileSystemHandle")?.call0(item).ok()?.dyn_into::<Promise>().ok())
        .map(|promise| promise.map(JsValue::from))
        .collect();
    let entries: Vec<JsValue> = items()
        .filter_map(|item| method(item, "webkitGetAsEntry")?.call0(item).ok())
        .filter(|entry| !entry.is_null())
        .collect();
    let files = listed(transfer.files());
    spawn_local(async move {
        if let Some(handles) = settled(handles).await {
            return store.open(Source::Handles, handles);
        }
        // What the browser lists as files has directories among them, which cannot be read: an empty directory is told by its
        // entry only.
        let known = !entries.is_empty();
        match walk(entries).await {
            Ok(Some(walked)) if known => open_files(store, &walked),
            Ok(None) => store.refuse(&format!("It has more than {} files.", number(MAX_FILES as u64))),
            _ => open_files(store, &files),
        }
    });
}

/// Waits for handles; none if one of them is missing.
async fn settled(promises: Option<Array>) -> Option<Array> {
    let handles: Array = JsFuture::from(Promise::all(&promises?.into())).await.ok()?.dyn_into().ok()?;
    let all = handles.length() > 0 && handles.iter().all(|handle| handle.is_object());
    all.then_some(handles)
}

/// Gives all files in entries of a file system, with their paths; nothing when there are too many.
async fn walk(entries: Vec<JsValue>) -> Result<Option<Vec<(String, File)>>, JsValue> {
    let (mut left, mut files) = (entries, Vec::new());
    let mut seen = 0;
    while let Some(entry) = left.pop() {
        if Reflect::get(&entry, &"isDirectory".into())?.is_truthy() {
            let reader = call(&entry, "createReader", &Array::new())?;
            // A reader gives some at a time; when it gives none, that was all.
            loop {
                let some: Array = called_back(&reader, "readEntries").await?.dyn_into()?;
                if some.length() == 0 {
                    break;
                }
                seen += some.length() as usize;
                if seen > MAX_FILES {
                    return Ok(None);
                }
                left.extend(some.iter());
            }
        } else {
            let path = Reflect::get(&entry, &"fullPath".into())?.as_string().unwrap_or_default();
            let file: File = called_back(&entry, "file").await?.dyn_into()?;
            files.push((path.trim_start_matches('/').to_owned(), file));
        }
    }
    files.sort_by(|one: &(String, File), other| one.0.cmp(&other.0));
    Ok(Some(files))
}

fn call(of: &JsValue, name: &str, arguments: &Array) -> Result<JsValue, JsValue> {
    method(of, name).ok_or(JsValue::UNDEFINED)?.apply(of, arguments)
}

/// Calls a method that answers through two functions: one for what it gives, one for what went wrong.
async fn called_back(of: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |done: Function, failed: Function| {
        if let Err(error) = call(of, name, &Array::of2(&done, &failed)) {
            let _ = failed.call1(&JsValue::UNDEFINED, &error);
        }
    });
    JsFuture::from(promise).await
}
