//! Reading from addresses of this origin, and from streams.

use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, DedicatedWorkerGlobalScope, ReadableStream, ReadableStreamDefaultReader, Response};

/// Reads all that lies at an address of this origin.
pub(super) async fn fetch(address: &str) -> Result<Vec<u8>, String> {
    let bytes = JsFuture::from(fetch_blob(address).await?.array_buffer()).await;
    Ok(Uint8Array::new(&bytes.map_err(|error| unreadable(address, &error))?).to_vec())
}

/// Gets all that lies at an address of this origin into the browser's hands.
pub(super) async fn fetch_blob(address: &str) -> Result<Blob, String> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let away = |error: JsValue| unreadable(address, &error);
    let here = web_sys::Url::new_with_base(address, &scope.location().href()).map_err(away)?;
    if here.origin() != scope.location().origin() {
        return Err(format!("{address} is not of this page's origin, and nothing else is ever asked"));
    }
    let response = JsFuture::from(scope.fetch_with_str(&here.href())).await.map_err(away)?;
    let response: Response = response.unchecked_into();
    if !response.ok() {
        return Err(format!(
            "{address} cannot be read: the server says {} {}",
            response.status(),
            response.status_text()
        ));
    }
    Ok(JsFuture::from(response.blob().map_err(away)?).await.map_err(away)?.unchecked_into())
}

fn unreadable(address: &str, error: &JsValue) -> String {
    format!("{address} cannot be read: {}", told(error))
}

/// Reads a stream to its end.
pub(super) async fn read_all(stream: &ReadableStream) -> Result<Vec<u8>, String> {
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    loop {
        let next = JsFuture::from(reader.read()).await.map_err(|error| told(&error))?;
        let of = |name: &str| Reflect::get(&next, &name.into()).unwrap_or(JsValue::UNDEFINED);
        if of("done").is_truthy() {
            return Ok(bytes);
        }
        let chunk: Uint8Array = of("value").unchecked_into();
        let start = bytes.len();
        bytes.resize(start + chunk.length() as usize, 0);
        chunk.copy_to(&mut bytes[start..]);
    }
}

/// Says what an error of the browser says.
pub(super) fn told(error: &JsValue) -> String {
    let message = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    message.or_else(|| error.as_string()).unwrap_or_else(|| "the browser does not say why".to_owned())
}

/// Escapes a path for an address, its slashes kept.
pub(super) fn escaped(path: &str) -> String {
    path.split('/').map(|part| String::from(js_sys::encode_uri_component(part))).collect::<Vec<_>>().join("/")
}
