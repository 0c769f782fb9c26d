//! Reading from addresses of this origin, and from streams.

use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, DedicatedWorkerGlobalScope, ReadableStream, ReadableStreamDefaultReader, Response};

use super::listing::{Origin, blob_with};
use huddle_web_model::dataset::file_store::SMALL;

/// How many bytes of a stream are kept in our own memory before the browser takes them. It has to be above [`SMALL`].
const SPILL: u64 = 16 << 20;

/// Reads all that lies at an address of this origin, unless it has more than `limit` bytes.
pub(super) async fn fetch_up_to(address: &str, limit: u64) -> Result<Option<Blob>, String> {
    let response = fetch(address).await?;
    let Some(stream) = response.body() else {
        return Err(format!("{address} cannot be read: the server sends nothing"));
    };
    match read_up_to(&stream, limit, &|| true).await? {
        Some((Origin::Held(bytes), _)) => blob_with(&bytes).map(Some),
        Some((Origin::Blob(blob), _)) => Ok(Some(blob)),
        _ => Ok(None),
    }
}

/// Gets all that lies at an address of this origin into the browser's hands.
pub(super) async fn fetch_blob(address: &str) -> Result<Blob, String> {
    let away = |error: JsValue| unreadable(address, &error);
    Ok(JsFuture::from(fetch(address).await?.blob().map_err(away)?).await.map_err(away)?.unchecked_into())
}

async fn fetch(address: &str) -> Result<Response, String> {
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
    Ok(response)
}

fn unreadable(address: &str, error: &JsValue) -> String {
    format!("{address} cannot be read: {}", told(error))
}

/// Reads a stream to its end, unless it has more than `limit` bytes; then the stream is stopped at once.
///
/// Returns the bytes and how many there are: small ones are at hand, and large ones go to the browser little by little. Stops
/// as well when `is_wanted` returns false.
pub(super) async fn read_up_to(
    stream: &ReadableStream,
    limit: u64,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Option<(Origin, u64)>, String> {
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let (spilled, mut chunks) = (Array::new(), Array::new());
    let (mut size, mut pending) = (0, 0);
    loop {
        let next = JsFuture::from(reader.read()).await.map_err(|error| told(&error))?;
        let of = |name: &str| Reflect::get(&next, &name.into()).unwrap_or(JsValue::UNDEFINED);
        if of("done").is_truthy() {
            break;
        }
        let chunk: Uint8Array = of("value").unchecked_into();
        size += u64::from(chunk.length());
        pending += u64::from(chunk.length());
        if size > limit || !is_wanted() {
            // Nobody waits for it: the stream's other end hears of it.
            let _ = reader.cancel();
            return Ok(None);
        }
        chunks.push(&chunk);
        if pending > SPILL {
            spilled.push(&blob_of(&chunks)?.into());
            (chunks, pending) = (Array::new(), 0);
        }
    }
    let origin = if size <= SMALL {
        let chunks = chunks.iter().map(|chunk| chunk.unchecked_into::<Uint8Array>().to_vec());
        Origin::Held(chunks.collect::<Vec<_>>().concat().into())
    } else {
        spilled.push(&blob_of(&chunks)?.into());
        Origin::Blob(blob_of(&spilled)?)
    };
    Ok(Some((origin, size)))
}

/// Makes a blob of arrays or of other blobs.
fn blob_of(parts: &Array) -> Result<Blob, String> {
    Blob::new_with_blob_sequence(parts).map_err(|error| told(&error))
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
