//! Files that hold others: `.gz` and `.zip`.

use huddle_core::history::Role;
use huddle_core::history::source::{role_of, roots_of};
use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableWritablePair};

use super::listing::{Listed, Origin, blob_with};
use super::net;
use super::texts::SMALL;
use super::zip;

/// Puts what archives hold in their place. What an archive holds is not looked into again.
pub(super) async fn unpack(files: &mut Vec<Listed>) -> Result<(), String> {
    let roots = roots_of(files.iter().map(|file| file.path.as_str()));
    let mut found = Vec::with_capacity(files.len());
    for file in std::mem::take(files) {
        let inside = match held_in(&file).await {
            // It may be encrypted, or somebody still writes it: all else can be read without it.
            Err(_) if !file.named => None,
            inside => inside?,
        };
        // Others may refer to an archive itself.
        let stays =
            inside.is_none() || matches!(role_of(&file.path, &roots, file.named).0, Role::Artifact | Role::Known(_));
        found.extend(inside.into_iter().flatten());
        if stays {
            found.push(file);
        }
    }
    *files = found;
    Ok(())
}

/// Unpacks a file, if it is an archive.
async fn held_in(file: &Listed) -> Result<Option<Vec<Listed>>, String> {
    if let Some(path) = file.path.strip_suffix(".gz") {
        let blob = file.blob().await?;
        let bytes = inflated(&blob, "gzip").await.map_err(|error| broken(&file.path, &error))?;
        return Ok(Some(vec![held(path.to_owned(), &bytes, file.changed, file.named)?]));
    }
    if file.path.ends_with(".zip") { unzip(file).await.map(Some) } else { Ok(None) }
}

async fn unzip(file: &Listed) -> Result<Vec<Listed>, String> {
    let blob = file.blob().await?;
    let buffer = JsFuture::from(blob.array_buffer()).await.map_err(|error| broken(&file.path, &net::told(&error)))?;
    let bytes = Uint8Array::new(&buffer).to_vec();
    let members = zip::members(&bytes).map_err(|error| broken(&file.path, &error))?;
    let mut found = Vec::with_capacity(members.len());
    for member in members {
        let path = format!("{}/{}", file.path.trim_end_matches(".zip"), member.path);
        let packed = &bytes[member.data.clone()];
        let content = if member.deflated {
            let inflated = inflated(&blob_with(packed)?, "deflate-raw").await;
            inflated.map_err(|error| broken(&format!("{} in {}", member.path, file.path), &error))?
        } else {
            packed.to_vec()
        };
        found.push(held(path, &content, file.changed, false)?);
    }
    Ok(found)
}

fn broken(path: &str, error: &str) -> String {
    format!("{path} cannot be unpacked: {error}")
}

/// Makes a file of bytes that were unpacked: the browser keeps large ones until they are read.
fn held(path: String, bytes: &[u8], changed: f64, named: bool) -> Result<Listed, String> {
    let size = bytes.len() as u64;
    let origin = if size <= SMALL { Origin::Held(bytes.into()) } else { Origin::Blob(blob_with(bytes)?) };
    Ok(Listed { path, size, changed, named, origin })
}

/// Decompresses what is in a blob, as the browser can.
async fn inflated(blob: &Blob, format: &str) -> Result<Vec<u8>, String> {
    // There are no bindings for it yet that count as stable.
    let made = Reflect::get(&js_sys::global(), &"DecompressionStream".into())
        .and_then(|class| Reflect::construct(class.unchecked_ref::<js_sys::Function>(), &Array::of1(&format.into())));
    let pair: ReadableWritablePair = made.map_err(|error| net::told(&error))?.unchecked_into();
    net::read_all(&blob.stream().pipe_through(&pair)).await
}
