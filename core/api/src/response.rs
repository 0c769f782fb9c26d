//! Parts that responses share.

use std::fmt::Display;

use huddle_core::model::{Json, Place};
use serde::{Serialize, Serializer};

/// Returns a response as a document.
///
/// # Panics
/// When a response does not serialize: all that are here do.
pub fn document<T: Serialize>(response: &T) -> Json {
    serde_json::to_value(response).expect("a response serializes")
}

/// Returns the texts of things that are displayed.
pub(crate) fn texts<'a, T: Display + 'a>(values: impl IntoIterator<Item = &'a T>) -> Vec<String> {
    values.into_iter().map(ToString::to_string).collect()
}

/// Returns the text of something that may be absent.
pub(crate) fn text<T: Display>(value: Option<&T>) -> Option<String> {
    value.map(ToString::to_string)
}

/// Serializes bytes as text, even if they are none.
pub(crate) fn lossy_text<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&String::from_utf8_lossy(bytes))
}

/// Returns the word for a place, and for dead letters why and since when they are there.
pub(crate) fn place(place: &Place) -> (&'static str, Option<String>, Option<String>) {
    match place {
        Place::Inbox => ("inbox", None, None),
        Place::Archive => ("archive", None, None),
        Place::DeadLetters { reason, at } => ("dead-letters", Some(reason.clone()), Some(at.to_string())),
    }
}
