//! From the document of a response to a record of the interface.
//!
//! Names are the same but for how their parts are joined: `threadId`, `thread_id` and `thread-id` are one.

use std::fmt;

use huddle_core::model::{ErrorKind, Json, JsonMap};
use serde::de::value::U32Deserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, SeqAccess, VariantAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;

use crate::failure::Failure;

/// The fields of the type `json`: JSON as text, where other texts are as they are.
const JSON_FIELDS: [&str; 5] = ["answer", "data", "high_severity_findings", "metadata", "record"];

/// Converts a document into a record. What is missing becomes none, empty or zero.
#[inline(never)]
pub(super) fn record<T: DeserializeOwned>(document: Json) -> Result<T, Failure> {
    let document = Document { value: document, is_json: false };
    T::deserialize(document)
        .map_err(|Mismatch| Failure::new(ErrorKind::Failed, "the response does not fit the interface", ""))
}

/// A document or a part of one, and whether the interface has it as JSON.
struct Document {
    value: Json,
    is_json: bool,
}

/// A document that a type cannot be made of. There is nothing to tell of it: it would be a mistake in this program.
#[derive(Debug)]
struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("a document does not fit")
    }
}

impl std::error::Error for Mismatch {}

impl Error for Mismatch {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'de> Deserializer<'de> for Document {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Mismatch> {
        Err(Mismatch)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_bool(self.value == Json::Bool(true))
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_u32(u32::try_from(self.number()).unwrap_or(u32::MAX))
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_u64(self.number())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_string(self.text())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_seq(Items { is_json: self.is_json, items: items(self.value).into_iter() })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Mismatch> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        let Json::Object(map) = self.value else { return Err(Mismatch) };
        visitor.visit_seq(Fields { map, names: fields.iter() })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        let word = self.value.as_str().ok_or(Mismatch)?;
        let place = variants.iter().position(|variant| is_same_name(variant, word)).ok_or(Mismatch)?;
        visitor.visit_enum(Word(place as u32))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 f64 char str bytes byte_buf unit unit_struct newtype_struct tuple_struct
        map identifier ignored_any
    }
}

impl Document {
    #[inline(never)]
    fn number(&self) -> u64 {
        self.value.as_u64().unwrap_or_default()
    }

    #[inline(never)]
    fn text(self) -> String {
        match self.value {
            value if self.is_json => value.to_string(),
            Json::String(text) => text,
            Json::Null => String::new(),
            value => value.to_string(),
        }
    }
}

/// Returns what a list is made of. A map is a list of pairs, or of records with names.
fn items(value: Json) -> Vec<Json> {
    let map = match value {
        Json::Array(items) => return items,
        Json::Object(map) => map,
        _ => return Vec::new(),
    };
    let entry = |(name, value)| match value {
        Json::Object(mut fields) => {
            fields.insert("name".to_owned(), Json::String(name));
            Json::Object(fields)
        }
        value => Json::Array(vec![Json::String(name), value]),
    };
    map.into_iter().map(entry).collect()
}

/// The items of a list.
struct Items {
    items: std::vec::IntoIter<Json>,
    is_json: bool,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Mismatch;

    #[inline(never)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Mismatch> {
        let Some(value) = self.items.next() else { return Ok(None) };
        seed.deserialize(Document { value, is_json: self.is_json }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The fields of a record, in the record's order.
struct Fields {
    map: JsonMap,
    names: std::slice::Iter<'static, &'static str>,
}

impl Fields {
    #[inline(never)]
    fn next(&mut self) -> Option<Document> {
        let name = *self.names.next()?;
        let found = self.map.iter_mut().find(|(other, _)| is_same_name(name, other));
        let value = found.map_or(Json::Null, |(_, value)| value.take());
        Some(Document { value, is_json: JSON_FIELDS.contains(&name) })
    }
}

impl<'de> SeqAccess<'de> for Fields {
    type Error = Mismatch;

    #[inline(never)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Mismatch> {
        self.next().map(|document| seed.deserialize(document)).transpose()
    }
}

/// A word of an enum, by its place.
struct Word(u32);

impl<'de> EnumAccess<'de> for Word {
    type Error = Mismatch;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Mismatch> {
        let place: U32Deserializer<Mismatch> = self.0.into_deserializer();
        Ok((seed.deserialize(place)?, self))
    }
}

impl<'de> VariantAccess<'de> for Word {
    type Error = Mismatch;

    fn unit_variant(self) -> Result<(), Mismatch> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, Mismatch> {
        Err(Mismatch)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Mismatch> {
        Err(Mismatch)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Mismatch> {
        Err(Mismatch)
    }
}

/// Reports whether two names differ only in how their parts are joined.
fn is_same_name(one: &str, other: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = u8> {
        name.bytes().filter(|byte| !matches!(byte, b'_' | b'-')).map(|byte| byte.to_ascii_lowercase())
    }
    letters(one).eq(letters(other))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::bindings::exports::huddle::bus::handoffs::HandoffStatus;
    use super::super::bindings::exports::huddle::bus::history::{Account, Hit};
    use super::super::bindings::exports::huddle::bus::sessions::{Event, Session};
    use super::*;

    #[test]
    fn fields_have_the_name_in_any_spelling() {
        let session: Session = record(json!({"session_id": "job", "inProgress": ["ann"], "closed-at": "x"})).unwrap();
        assert_eq!((session.session_id.as_str(), session.in_progress.len()), ("job", 1));
        assert_eq!((session.closed_at.as_deref(), session.started_at), (Some("x"), None));
    }

    #[test]
    fn json_is_text_in_quotes_and_other_text_is_not() {
        let check = |data: Json, expected: Option<&str>| {
            let event: Event = record(json!({"type": "finding", "data": data})).unwrap();
            assert_eq!((event.type_.as_deref(), event.data.as_deref()), (Some("finding"), expected));
        };
        check(json!("text"), Some(r#""text""#));
        check(json!([1, {"a": null}]), Some(r#"[1,{"a":null}]"#));
        check(Json::Null, None);
        let hit: Hit = record(json!({"file": "a", "raw": {"a": 1}, "offset": u64::MAX})).unwrap();
        assert_eq!((hit.raw.as_deref(), hit.offset, hit.record), (Some(r#"{"a":1}"#), u64::MAX, None));
    }

    #[test]
    fn maps_are_lists_of_pairs_or_of_records_with_names() {
        let account: Account = record(json!({"recoveries": {"cut": 2, "joined": 1}})).unwrap();
        assert_eq!(account.recoveries, [("cut".to_owned(), 2), ("joined".to_owned(), 1)]);
        let session: Session = record(json!({"agents": {"ann": {"status": "done"}}})).unwrap();
        assert_eq!((session.agents[0].name.as_str(), session.agents[0].status.as_str()), ("ann", "done"));
    }

    #[test]
    fn words_are_known_however_their_parts_are_joined() {
        for word in ["pending_acceptance", "pending-acceptance", "pendingAcceptance"] {
            assert!(matches!(record(json!(word)).unwrap(), HandoffStatus::PendingAcceptance), "{word}");
        }
        assert!(record::<HandoffStatus>(json!("lost")).is_err());
        assert!(record::<HandoffStatus>(json!(1)).is_err());
    }
}
