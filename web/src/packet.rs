//! How messages go between the page and its worker.

use gloo::worker::Codec;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsValue, throw_str};

use crate::protocol::{decode, encode};

/// A message in either direction.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Packet {
    /// The message as [`crate::protocol`] encodes it.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    bytes: js_sys::Uint8Array,
    /// The files and handles that the message is about, which only the browser can pass on.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub handles: js_sys::Array,
}

impl Packet {
    /// Encodes a message.
    pub fn new<T: Serialize>(message: &T, handles: js_sys::Array) -> Self {
        match encode(message) {
            Ok(bytes) => Self { bytes: bytes.as_slice().into(), handles },
            Err(error) => throw_str(&format!("a message cannot be encoded: {error}")),
        }
    }

    /// Decodes the message.
    ///
    /// # Errors
    /// When the page and its worker are of different versions.
    pub fn message<T: DeserializeOwned>(&self) -> Result<T, postcard::Error> {
        decode(&self.bytes.to_vec())
    }
}

/// Passes packets on by the browser's structured clone, which copies bytes as bytes and files as files.
#[derive(Debug)]
pub struct StructuredClone;

impl Codec for StructuredClone {
    fn encode<I: Serialize>(input: I) -> JsValue {
        // A packet contains nothing that cannot be cloned.
        serde_wasm_bindgen::to_value(&input).unwrap_or(JsValue::UNDEFINED)
    }

    fn decode<O: for<'de> Deserialize<'de>>(input: JsValue) -> O {
        match serde_wasm_bindgen::from_value(input) {
            Ok(packet) => packet,
            Err(error) => throw_str(&format!("a message that the viewer did not write: {error}")),
        }
    }
}
