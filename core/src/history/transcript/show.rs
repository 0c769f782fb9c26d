//! Turns as text: what was said, calls by the argument that matters, edits as differences.

mod call;

use huddle_scan::{NO_TIME, RawJson};

use super::TurnRow;
use crate::history::History;
use crate::history::formats::{self, Context, Part, Turn, TurnFlags, TurnRole};
use crate::model::{Json, Timestamp, preview};
use crate::wire;

/// What a turn says, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnText {
    /// The role of the turn.
    pub role: TurnRole,
    /// A line that stands for it.
    pub headline: String,
    /// All of it.
    pub text: String,
    /// What came of it: `error`, how long a call took, the model.
    pub marks: Vec<String>,
}

impl History {
    /// Returns what a row says, if it is a turn of a transcript; `record` is its JSON.
    pub fn turn_text(&self, row: u32, record: &[u8], width: usize) -> Option<TurnText> {
        let turn = self.transcript.turn(row)?;
        let file = &self.files[self.table.file()[row as usize] as usize];
        let format = formats::named(file.format).or_else(|| formats::recognize(RawJson::new(record)))?;
        let read = format.read(RawJson::new(record), &mut Context::default());
        let tools = self.transcript.calls_answered_by(row).map(|call| self.table.text(call.name));
        let tools: Vec<&str> = tools.collect();
        let headline = headline(&read, &tools, width);
        Some(TurnText { role: turn.role, headline, text: text(&read), marks: self.marks(turn) })
    }

    fn marks(&self, turn: &TurnRow) -> Vec<String> {
        let time = |row: u32| Some(self.table.time()[row as usize]).filter(|time| *time != NO_TIME);
        let mut marks = Vec::new();
        if turn.flags.contains(TurnFlags::ERROR) || self.transcript.calls_of(turn.row).iter().any(|call| call.is_error)
        {
            marks.push("error".to_owned());
        }
        if turn.flags.contains(TurnFlags::TRUNCATED) {
            marks.push("cut off".to_owned());
        }
        if turn.flags.contains(TurnFlags::COMPACTION) {
            marks.push("compaction".to_owned());
        }
        let answered = self.transcript.calls_answered_by(turn.row).next();
        let took = answered.and_then(|call| Some(time(turn.row)?.saturating_sub(time(call.row)?)));
        if let Some(took) = took.filter(|took| *took > 0) {
            marks.push(format!("{}", Timestamp::from_micros(took).since(Timestamp::default())));
        }
        for call in self.transcript.calls_of(turn.row) {
            if let Some(child) = call.child {
                marks.push(format!("started {}", self.table.text(self.transcript.agents[child as usize].name)));
            }
        }
        marks
    }
}

/// Returns a line for a record that may be a turn of a transcript.
pub fn headline_of(record: &[u8], width: usize) -> Option<String> {
    let record = RawJson::new(record);
    let turn = formats::recognize(record)?.read(record, &mut Context::default());
    Some(headline(&turn, &[], width))
}

/// Returns a line for a turn; `tools` are those that it has the results of.
fn headline(turn: &Turn<'_>, tools: &[&str], width: usize) -> String {
    let mut lines = Vec::new();
    let mut tools = tools.iter();
    for part in &turn.parts {
        lines.push(match part {
            Part::Call { name, input, .. } => call::line(name, *input),
            Part::Result { content, .. } => {
                let content = content_text(*content);
                let content = without_head(&content);
                tools.next().map_or_else(|| content.to_owned(), |tool| format!("{tool}: {content}"))
            }
            part => part_text(part),
        });
    }
    let said = lines.join(" ");
    if said.trim().is_empty() {
        let kind = turn.kind.as_deref().unwrap_or(turn.role.as_str());
        return preview(&Json::from(turn.title.as_deref().unwrap_or(kind)), "", width);
    }
    // Only so much is looked at as can be shown; a text that looks like JSON is not to be taken for it.
    let start: String = said.trim_start().chars().take(width.saturating_mul(4)).collect();
    preview(&Json::Null, &start.split_whitespace().collect::<Vec<_>>().join(" "), width)
}

/// Returns what a program printed, without how it ended, which stands before it.
fn without_head(content: &str) -> &str {
    let has_head = ["Chunk ID:", "Exit code:", "Wall time:"].into_iter().any(|start| content.starts_with(start));
    if has_head { content.split_once("Output:\n").map_or(content, |(_, output)| output) } else { content }
}

fn text(turn: &Turn<'_>) -> String {
    turn.parts.iter().map(part_text).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

fn part_text(part: &Part<'_>) -> String {
    match part {
        Part::Text(text) | Part::Thinking(text) => content_text(*text),
        Part::Call { name, input, .. } => call::text(name, *input),
        Part::Result { content, .. } => content_text(*content),
        Part::Media(kind) => format!("[{kind}]"),
    }
}

/// Returns the text of what was said or given: a text, the texts of parts, or JSON.
fn content_text(content: RawJson<'_>) -> String {
    if let Some(text) = content.text() {
        return text.into_owned();
    }
    if content.is_list() {
        let parts = content.elements().map(|part| {
            let text = part.text().or_else(|| part.get("text").and_then(RawJson::text));
            let media = || part.at(&["source", "media_type"]).or_else(|| part.get("type")).and_then(RawJson::text);
            text.map_or_else(
                || media().map_or_else(|| pretty(part), |media| format!("[{media}]")),
                |text| text.into_owned(),
            )
        });
        return parts.collect::<Vec<_>>().join("\n");
    }
    pretty(content)
}

/// Writes JSON on lines of its own.
fn pretty(value: RawJson<'_>) -> String {
    if value.bytes().is_empty() {
        return String::new();
    }
    wire::parse(value.bytes())
        .map_or_else(|_| String::from_utf8_lossy(value.bytes()).into_owned(), |json| format!("{json:#}"))
}
