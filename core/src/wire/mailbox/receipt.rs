//! What lies beside a message and tells how far it has come: markers, notes, and the log of what was listed.

use std::collections::BTreeMap;

use super::parse_object;
use crate::model::{Json, JsonMap, MessageId, Timestamp};

/// Writes the marker that says when a message was read.
pub fn read(at: Timestamp) -> String {
    format!("{}\n", at.floor())
}

/// Reads such a marker; none when it does not say.
pub fn decode_read(bytes: &[u8]) -> Option<Timestamp> {
    Timestamp::parse(&String::from_utf8_lossy(bytes))
}

/// Writes the note that says how often a message was offered anew, and when it last was.
pub fn redelivered(count: u32, at: Option<Timestamp>) -> String {
    let mut note = object!({"count": count});
    if let Some(at) = at {
        note["at"] = at.floor().to_string().into();
    }
    note.to_string()
}

/// Reads such a note.
pub fn decode_redelivered(bytes: &[u8]) -> (u32, Option<Timestamp>) {
    let note = parse_object(bytes).unwrap_or_default();
    let count = note.get("count").and_then(Json::as_u64).and_then(|count| u32::try_from(count).ok());
    (count.unwrap_or_default(), Timestamp::parse(text(&note, "at")))
}

/// Writes the note that says why a message was given up on, and when.
pub fn dead(reason: &str, at: Timestamp) -> String {
    object!({"reason": reason, "at": at.floor().to_string()}).to_string()
}

/// Reads such a note.
pub fn decode_dead(bytes: &[u8]) -> (String, Timestamp) {
    let note = parse_object(bytes).unwrap_or_default();
    (text(&note, "reason").to_owned(), Timestamp::parse(text(&note, "at")).unwrap_or_default())
}

fn text<'a>(note: &'a JsonMap, field: &str) -> &'a str {
    note.get(field).and_then(Json::as_str).unwrap_or_default()
}

/// Writes the line that says when a message was listed, or (without a time) that it is to be listed anew.
pub fn offered(at: Option<Timestamp>, id: &MessageId) -> String {
    let at = at.map_or("-".to_owned(), |at| at.floor().to_string());
    format!("{at} {id}\n")
}

/// Reads from such lines when messages were first listed since they were last offered anew: all of them, or only one.
pub fn decode_offered(log: &[u8], only: Option<&MessageId>) -> BTreeMap<MessageId, Timestamp> {
    let mut offered = BTreeMap::new();
    // The log of a large inbox has a line for each message in it, and most are read one by one.
    let is_wanted = |line: &&[u8]| only.is_none_or(|id| line.ends_with(id.as_str().as_bytes()));
    for line in log.split(|byte| *byte == b'\n').filter(is_wanted) {
        let line = String::from_utf8_lossy(line);
        let Some((at, id)) = line.split_once(' ') else { continue };
        let Ok(id) = MessageId::new(id) else { continue };
        match Timestamp::parse(at) {
            Some(at) => offered.entry(id).or_insert(at),
            None => {
                offered.remove(&id);
                continue;
            }
        };
    }
    offered
}
