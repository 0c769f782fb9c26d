//! Messages as the database has them: the documents protocol in BSON, with a few fields that only engines need.

use bson::oid::ObjectId;
use bson::{Bson, DateTime, Document, doc};
use huddle_core::model::{AgentName, Diagnostic, Json, JsonMap, MessageId, Recipient, Severity, Timestamp};
pub(crate) use huddle_core::wire::documents::internal_fields::{ARCHIVED, CLAIM, KEY, PRINT};
use huddle_core::wire::documents::{EXTRA_FIELD, internal_fields};
use huddle_core::wire::{documents, parse_map};
use mongodb::error::{Error as DriverError, Result as DriverResult};

/// Writes a document, with an `_id` that a second attempt would give it, too.
pub(crate) fn encode(document: &documents::Document) -> DriverResult<Document> {
    let Json::Object(mut map) = documents::encode(document) else { return Ok(Document::new()) };
    move_reserved_fields(&mut map);
    let foreign = map.shift_remove("_id").filter(|_| is_for_one(document));
    let id = foreign.unwrap_or_else(|| own_id(document).into());
    map.shift_insert(0, "_id".to_owned(), id);
    Document::try_from(map).map_err(DriverError::from)
}

/// Puts fields of a message that have names of ours where they survive and mean nothing.
fn move_reserved_fields(map: &mut JsonMap) {
    let taken: Vec<(String, Json)> =
        internal_fields::ALL.iter().filter_map(|field| map.shift_remove_entry(*field)).collect();
    if !taken.is_empty() {
        let apart = map.get(EXTRA_FIELD).and_then(Json::as_str).and_then(|text| parse_map(text.as_bytes()));
        let mut apart = apart.unwrap_or_default();
        apart.extend(taken);
        map.insert(EXTRA_FIELD.to_owned(), Json::Object(apart).to_string().into());
    }
}

/// Returns whether a document is the only one of its message, so that an `_id` that another agent gave it can stay.
fn is_for_one(document: &documents::Document) -> bool {
    let is_copy = matches!(document, documents::Document::Copy { .. });
    is_copy && matches!(&document.message().to, Recipient::Agents(names) if names.len() == 1)
}

fn own_id(document: &documents::Document) -> String {
    let id = &document.message().id;
    match document {
        documents::Document::Copy { delivery, .. } => copy_id(id, &delivery.recipient),
        documents::Document::Record(_) => format!("{id}/ALL"),
        documents::Document::Sent { to, .. } => format!("{id}/{to}/sent"),
    }
}

/// Names a copy; neither part can have a slash.
fn copy_id(id: &MessageId, recipient: &AgentName) -> String {
    format!("{id}/{recipient}")
}

/// Reads a document; what cannot be understood is a finding.
pub(crate) fn decode(mut stored: Document) -> Result<documents::Document, Diagnostic> {
    let place = format!("messages/{}", stored.get("_id").cloned().unwrap_or_default());
    for field in internal_fields::ALL {
        stored.remove(field);
    }
    if let (Ok(own), Ok(id), Ok(to)) = (stored.get_str("_id"), stored.get_str("id"), stored.get_str("to")) {
        let rest = own.strip_prefix(id).and_then(|rest| rest.strip_prefix('/')).and_then(|rest| rest.strip_prefix(to));
        if rest.is_some_and(|rest| rest.is_empty() || rest == "/sent") {
            stored.remove("_id");
        }
    }
    documents::decode(fields(stored)).map_err(|fault| Diagnostic {
        severity: Severity::Warning,
        code: "damaged-message",
        place,
        message: format!("a message cannot be read: {fault}"),
        hint: "mend the document, or remove it".into(),
    })
}

/// Writes fields as relaxed Extended JSON, which core reads.
pub(crate) fn fields(document: Document) -> JsonMap {
    document.into_iter().map(|(key, value)| (key, value.into_relaxed_extjson())).collect()
}

/// Writes a time; the database keeps milliseconds.
pub(crate) fn date(at: Timestamp) -> DateTime {
    DateTime::from_millis(at.micros().div_euclid(1000))
}

/// Reads a time.
pub(crate) fn time(value: Option<&Bson>) -> Option<Timestamp> {
    value.and_then(Bson::as_datetime).map(|at| Timestamp::from_micros(at.timestamp_millis() * 1000))
}

/// Selects one agent's copies of a message, wherever they lie.
pub(crate) fn copy_of(agent: &AgentName, id: &MessageId) -> Document {
    copies_of(agent, std::slice::from_ref(id))
}

/// Selects one agent's copies of some messages, wherever they lie.
pub(crate) fn copies_of(agent: &AgentName, ids: &[MessageId]) -> Document {
    doc! { "to": agent.as_str(), "$or": by_id(ids) }
}

/// Lists the ways to find messages: by their id, or by the database's own where another agent gave them none.
pub(crate) fn by_id<'a>(ids: impl IntoIterator<Item = &'a MessageId>) -> Vec<Document> {
    let (mut named, mut numbered) = (Vec::new(), Vec::new());
    for id in ids {
        named.push(Bson::from(id.as_str()));
        numbered.extend(ObjectId::parse_str(id.as_str()).ok().map(Bson::from));
    }
    numbered.extend(named.iter().cloned());
    vec![doc! { "id": { "$in": named } }, doc! { "id": null, "_id": { "$in": numbered } }]
}

/// Narrows a selection to what lies in an inbox.
pub(crate) fn in_inbox(mut filter: Document) -> Document {
    filter.insert("place", doc! { "$nin": ["archive", "dead-letters", "outbox"] });
    filter
}

/// Narrows a selection to what is unread.
pub(crate) fn unread(mut filter: Document) -> Document {
    filter.insert("read", doc! { "$ne": true });
    filter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_strangers_that_bear_our_names_survive_and_mean_nothing() {
        let text = r#"{"id":"m","from":"ann","to":"bob","content":"Hi","createdAt":{"$date":"2026-01-10T00:00:00Z"},
                       "read":false,"huddleKey":"k","huddleArchivedAt":{"$date":"2026-01-10T00:00:00Z"},"mood":"fine"}"#;
        let message = documents::decode(parse_map(text.as_bytes()).unwrap()).unwrap();
        let stored = encode(&message).unwrap();
        assert!(internal_fields::ALL.iter().all(|field| !stored.contains_key(field)), "{stored}");
        assert_eq!(decode(stored).unwrap(), message);
    }
}
