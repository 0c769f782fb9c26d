//! One message, whole.

use std::io;

use huddle_core::history::search::shown;
use huddle_core::history::{DeliveryRow, NO_POSITION, record};
use huddle_core::model::{Json, JsonMap};

use super::rows::time;
use crate::dataset::Dataset;
use crate::protocol::{Body, Details, Line, message};

/// How much of a record is shown as it is.
const RAW: usize = 200_000;
/// How many messages of a conversation are listed around one.
const AROUND: usize = 60;
/// Fields that are shown in places of their own.
const SHOWN: [&str; 22] = [
    "id",
    "message_id",
    "messageId",
    "from",
    "to",
    "type",
    "event_type",
    "timestamp",
    "createdAt",
    "ts",
    "time",
    "severity",
    "priority",
    "subject",
    "thread_id",
    "threadId",
    "conversation_id",
    "in_reply_to",
    "inReplyTo",
    "artifact",
    "_id",
    "agent",
];

impl Dataset {
    /// Reads the message at a position with all that is known of it.
    pub(super) fn details(&mut self, position: u32) -> io::Result<Details> {
        let said = self.history.load_entry(&self.derived, position, &mut self.texts)?;
        let row = self.history.table.row(said.row);
        let bytes = self.history.bytes(said.row, &mut self.texts)?;
        let (raw, cut) = raw(&bytes);
        let parent = Some(self.derived.threads.parent[position as usize]).filter(|parent| *parent != NO_POSITION);
        let (conversation, conversation_count) = self.conversation(position)?;
        let artifact = Some(self.history.table.text(row.artifact).to_owned()).filter(|path| !path.is_empty());
        let timeline = self.timeline();
        let on_timeline =
            time(row.time).and_then(|at| Some((timeline.time_scale().to_position(at), timeline.lane(row.from)?)));
        Ok(Details {
            line: self.line_of(position, None, &said),
            body: body(&said.body()),
            others: others(&said.record),
            id: said.id.clone(),
            thread: said.thread.clone(),
            due: time(row.due),
            deliveries: said.deliveries.iter().map(|one| self.delivery(one)).collect(),
            file: self.history.files[row.file as usize].path.clone(),
            offset: row.offset,
            length: row.length,
            raw,
            cut,
            answers: parent.map(|parent| self.line(parent, None)).transpose()?,
            answered_by: self.lines(&self.answers_to(position))?,
            crossed: self.lines(&self.crossed_with(position))?,
            conversation,
            conversation_count,
            artifact: artifact.map(|path| self.artifact(&path, row.file)),
            on_timeline,
        })
    }

    pub(super) fn lines(&mut self, positions: &[u32]) -> io::Result<Vec<Line>> {
        positions.iter().map(|position| self.line(*position, None)).collect()
    }

    /// Lists what answers a message: only what comes in the same conversation can, or what comes later.
    fn answers_to(&self, position: u32) -> Vec<u32> {
        let parents = self.derived.threads.parent.iter().enumerate();
        let answers = parents.filter(|(_, parent)| **parent == position).map(|(answer, _)| answer as u32);
        answers.take(AROUND).collect()
    }

    fn crossed_with(&self, position: u32) -> Vec<u32> {
        let pairs = self.derived.crossed.iter();
        let other = pairs.filter_map(|pair| match (pair.earlier == position, pair.later == position) {
            (true, _) => Some(pair.later),
            (_, true) => Some(pair.earlier),
            _ => None,
        });
        other.take(AROUND).collect()
    }

    /// Lists the conversation of a message, or the part of it around the message.
    fn conversation(&mut self, position: u32) -> io::Result<(Vec<Line>, u32)> {
        let Some(thread) = self.derived.threads.thread_of(position).copied() else { return Ok((Vec::new(), 1)) };
        let members = self.derived.threads.members(&thread);
        let place = members.iter().position(|member| *member == position).unwrap_or_default();
        let start = place.saturating_sub(AROUND / 2).min(members.len().saturating_sub(AROUND));
        let around = members[start..members.len().min(start + AROUND)].to_vec();
        Ok((self.lines(&around)?, thread.count))
    }

    fn delivery(&self, delivery: &DeliveryRow) -> message::Delivery {
        let times = [
            ("stored", delivery.stored_at),
            ("offered", delivery.offered_at),
            ("seen", delivery.seen_at),
            ("acked", delivery.acked_at),
            ("answered", delivery.answered_at),
            ("dead", delivery.dead_at),
        ];
        let step = delivery.step.as_str();
        let steps = times.into_iter().filter(|(name, at)| time(*at).is_some() || *name == step || *name == "stored");
        message::Delivery {
            recipient: self.history.table.text(delivery.recipient).to_owned(),
            step: step.to_owned(),
            steps: steps.map(|(name, at)| (name.to_owned(), time(at))).collect(),
            redelivered: delivery.redelivered,
            unread: delivery.unread,
            unanswered: delivery.unanswered,
            overdue: delivery.overdue,
        }
    }

    /// Finds a file that something in another file refers to: its path, and whether it is there.
    pub(super) fn artifact(&self, path: &str, file: u32) -> (String, bool) {
        let found = self.resolve(path, self.history.files[file as usize].root);
        let there = found.is_some();
        (found.unwrap_or_else(|| path.to_owned()), there)
    }

    /// Finds the path of a file that is referred to from a directory of a protocol, or from anywhere.
    pub(super) fn resolve(&self, path: &str, root: Option<usize>) -> Option<String> {
        let near = root.map(|root| format!("{}{path}", self.history.roots[root].path));
        let exact = near.into_iter().chain([path.to_owned()]).find(|path| self.history.file_by_path.contains_key(path));
        exact.or_else(|| {
            let end = format!("/{}", path.trim_start_matches("./").trim_start_matches('/'));
            self.history.file_by_path.keys().find(|present| present.ends_with(&end)).cloned()
        })
    }
}

/// Shows a record as it lies in its file; where it is JSON and nothing is wrong with it, with line breaks between its parts.
fn raw(bytes: &[u8]) -> (String, bool) {
    let cut = bytes.len() > RAW;
    let whole = std::str::from_utf8(bytes).ok().filter(|_| !cut && huddle_core::wire::parse(bytes).is_ok());
    match whole {
        Some(json) => (shown(spread(json).as_bytes()), cut),
        None => (shown(&bytes[..bytes.len().min(RAW)]), cut),
    }
}

/// Puts each part of JSON on a line of its own. Nothing else is changed: what is written twice, or in an odd way, stays.
fn spread(json: &str) -> String {
    let mut spread = String::with_capacity(json.len() * 2);
    let (mut depth, mut before) = (0_usize, ' ');
    let (mut in_text, mut escaped) = (false, false);
    for letter in json.chars() {
        if in_text {
            (in_text, escaped) = (escaped || letter != '"', letter == '\\' && !escaped);
        } else if letter.is_ascii_whitespace() {
            continue;
        } else {
            let (closes, opened) = (matches!(letter, '}' | ']'), matches!(before, '{' | '['));
            depth = depth.saturating_sub(usize::from(closes));
            if closes != opened || before == ',' {
                spread.push('\n');
                spread.extend(std::iter::repeat_n("  ", depth));
            }
            if before == ':' {
                spread.push(' ');
            }
            depth += usize::from(matches!(letter, '{' | '['));
            (in_text, before) = (letter == '"', letter);
        }
        spread.push(letter);
    }
    spread
}

/// Lists the fields of a record that are shown nowhere else.
fn others(record: &JsonMap) -> Vec<(String, Body)> {
    let said = record::body_name(record);
    let others = record.iter().filter(|(name, _)| !SHOWN.contains(&name.as_str()) && Some(name.as_str()) != said);
    others.map(|(name, value)| (name.clone(), body(value))).collect()
}

/// Makes of JSON what is shown of it.
pub(super) fn body(value: &Json) -> Body {
    match value {
        Json::Null => Body::Word("null".to_owned()),
        Json::Bool(so) => Body::Word(so.to_string()),
        Json::Number(number) => Body::Word(number.to_string()),
        Json::String(text) => Body::Text(text.clone()),
        Json::Array(items) => Body::List(items.iter().map(body).collect()),
        Json::Object(fields) => Body::Fields(fields.iter().map(|(name, value)| (name.clone(), body(value))).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_shown_as_it_was_written() {
        let record = r#"{"a": 1.50,"a":1e2, "b" :[ ] ,"c":[{},"x\",:{"]}"#;
        let wanted = "{\n  \"a\": 1.50,\n  \"a\": 1e2,\n  \"b\": [],\n  \"c\": [\n    {},\n    \"x\\\",:{\"\n  ]\n}";
        assert_eq!(raw(record.as_bytes()), (wanted.to_owned(), false));
        assert_eq!(raw(b"{\"a\":\xff\n").0, "{\"a\":\\xff\n");
        assert_eq!(raw(b"{}").0, "{}");
    }
}
