//! The way between the page and its worker.

use gloo::worker::Codec;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

/// One message on the way, in either direction.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Letter {
    /// The number of the question that it asks or answers; zero for what was not asked for.
    pub number: u32,
    /// What it says, encoded by [`crate::protocol`].
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub bytes: js_sys::Uint8Array,
    /// What only the browser can hand over: files and handles.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub things: js_sys::Array,
}

/// Hands letters over as they are: the bytes in them are moved as bytes, files as files.
#[derive(Debug)]
pub struct AsTheyAre;

impl Codec for AsTheyAre {
    fn encode<I: Serialize>(input: I) -> JsValue {
        // A letter has nothing in it that cannot be handed over.
        serde_wasm_bindgen::to_value(&input).unwrap_or(JsValue::UNDEFINED)
    }

    fn decode<O: for<'de> Deserialize<'de>>(input: JsValue) -> O {
        match serde_wasm_bindgen::from_value(input) {
            Ok(letter) => letter,
            Err(error) => wasm_bindgen::throw_str(&format!("a message that the viewer did not write: {error}")),
        }
    }
}
