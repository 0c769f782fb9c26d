//! The index of an inbox: a line for each message with what decides whether it has to be read.
//!
//! A line is a hint. One that is missing costs a reading of the message, and what is shown is always read from the
//! message itself.

use std::collections::BTreeMap;

use crate::bus::ids;
use crate::model::{Message, MessageId, Priority, Timestamp};

/// What the index says of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexEntry {
    /// How urgent it is.
    pub priority: Priority,
    /// When it was sent.
    pub sent_at: Timestamp,
}

impl IndexEntry {
    /// Returns what the index would say of a message.
    pub fn of(message: &Message) -> Self {
        Self { priority: message.priority, sent_at: message.sent_at }
    }
}

/// Writes the line of a message: urgency and time (unless its id has the same), what it answers, and its id.
pub fn line(message: &Message) -> String {
    let Message { id, priority, sent_at, in_reply_to, .. } = message;
    let letter = &priority.as_str()[..1];
    let time = if ids::time_in(id.as_str()) == Some(*sent_at) { String::new() } else { sent_at.micros().to_string() };
    let answered = in_reply_to.as_ref().map_or("", MessageId::as_str);
    format!("{letter}{time}\t{answered}\t{id}\n")
}

/// Reads an index, by message id; lines that make no sense are passed over.
pub fn decode(log: &[u8]) -> BTreeMap<&str, IndexEntry> {
    text(log).lines().filter_map(decode_line).map(|(id, _, summary)| (id, summary)).collect()
}

/// Returns the lines of an index whose messages are wanted, as they are.
pub fn select(log: &[u8], is_wanted: impl Fn(&str) -> bool) -> Vec<&str> {
    let is_wanted = |line: &&str| decode_line(line).is_some_and(|(id, ..)| is_wanted(id));
    text(log).lines().filter(is_wanted).collect()
}

/// Names the messages that answer another, as far as the index knows.
pub fn answers(log: &[u8], id: &MessageId) -> Vec<MessageId> {
    let (text, answered) = (text(log), format!("\t{id}\t"));
    let ends = text.match_indices(&answered).map(|(at, _)| &text[at + answered.len()..]);
    ends.filter_map(|rest| MessageId::new(rest.lines().next()?).ok()).collect()
}

/// Returns an index as far as it is text.
fn text(log: &[u8]) -> &str {
    match std::str::from_utf8(log) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&log[..error.valid_up_to()]).unwrap_or_default(),
    }
}

fn decode_line(line: &str) -> Option<(&str, &str, IndexEntry)> {
    let (head, rest) = line.split_once('\t')?;
    let (answered, id) = rest.split_once('\t')?;
    let priority = Priority::ALL.into_iter().find(|priority| priority.as_str().get(..1) == head.get(..1))?;
    let sent_at = match head.get(1..)? {
        "" => ids::time_in(id)?,
        micros => Timestamp::from_micros(micros.parse().ok()?),
    };
    Some((id, answered, IndexEntry { priority, sent_at }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::mailbox::message;

    fn message(id: &str, rest: &str) -> Message {
        let text = format!(
            r#"{{"message_id":"{id}","timestamp":"2025-11-29T14:30:52Z","from_agent":"ann","to_agent":"bob"{rest}}}"#
        );
        message::decode(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_line_goes_both_ways_and_a_damaged_one_is_passed_over() {
        let (ours, theirs, resp) = ("msg_20251129_143052_0001zmsp33", "hello world", "resp_20251129_150000_1");
        let messages = [
            message(ours, r#","priority":"critical""#),
            message(theirs, r#","priority":"low""#),
            message(resp, &format!(r#","in_reply_to":"{ours}""#)),
        ];
        let log: String = messages.iter().map(line).chain(["x\t\tm\n".to_owned(), "n\n\n".to_owned()]).collect();
        let index = decode(log.as_bytes());
        assert_eq!(index.len(), 3, "{log}");
        for message in &messages {
            assert_eq!(index.get(message.id.as_str()), Some(&IndexEntry::of(message)), "{log}");
        }
        let wanted = [MessageId::new(resp).unwrap()];
        assert_eq!(answers(log.as_bytes(), &messages[0].id), wanted);
        assert_eq!(answers(log.as_bytes(), &messages[1].id), []);
        assert_eq!(select(log.as_bytes(), |id| id == theirs), [line(&messages[1]).trim_end()]);
        let torn = [log.as_bytes(), b"n\t\t\xff"].concat();
        assert_eq!(decode(&torn), index);
    }
}
