//! Formats of transcripts: what programs that run agents write down, one reader each.
//!
//! A [`Format`] is recognized by the contents of a record, never by the name of a file, and reads a record as a [`Turn`]:
//! who said or did what. Everything else is the same for all formats. A new format is a module here with its fixture in
//! `tests/fixtures`, and a line in [`ALL`].

mod claude_code;
mod codex;
mod codex_screen;
mod gemini;
mod inspect;
mod open_hands;
mod open_telemetry;
mod pi;
mod swe_agent;
#[cfg(test)]
mod tests;
mod turn;

pub use turn::{AgentKind, AgentRef, Author, Context, Link, NestedRecord, Part, Turn, TurnFlags, TurnRole, Usage};

use std::fmt::Debug;

use huddle_scan::{Fields, RawJson};

/// A reader of one format.
pub trait Format: Debug + Sync {
    /// Returns the name of the format, for people.
    fn name(&self) -> &'static str;

    /// Returns the name of the agent that writes it.
    fn agent(&self) -> &'static str;

    /// Returns how certain it is, in percent, that a record is of this format.
    fn confidence(&self, record: RawJson<'_>) -> u8;

    /// Reads a record.
    ///
    /// # Behavior
    /// - What `context` learns from a record is used for those after it in the same file.
    /// - The parts of a turn do not depend on the context.
    fn read<'b>(&self, record: RawJson<'b>, context: &mut Context) -> Turn<'b>;

    /// Reads a record of which it is known where its members are: the same as without, sooner.
    fn read_scanned<'b>(&self, record: RawJson<'b>, _fields: &Fields, context: &mut Context) -> Turn<'b> {
        self.read(record, context)
    }

    /// Lists the records inside a document that is one object; empty when it is not of this format.
    fn records<'b>(&self, _document: RawJson<'b>) -> Vec<NestedRecord<'b>> {
        Vec::new()
    }
}

/// Every format.
pub static ALL: [&dyn Format; 9] = [
    &claude_code::ClaudeCode,
    &codex::Codex,
    &codex_screen::CodexScreen,
    &pi::Pi,
    &gemini::Gemini,
    &open_telemetry::OpenTelemetry,
    &swe_agent::SweAgent,
    &open_hands::OpenHands,
    &inspect::Inspect,
];

/// The least certainty with which a format is taken for that of a file.
const CERTAIN: u8 = 50;

/// Finds the format that a record is most certainly of.
pub fn recognize(record: RawJson<'_>) -> Option<&'static dyn Format> {
    let ranked = ALL.into_iter().map(|format| (format.confidence(record), format));
    let best = ranked.filter(|(certainty, _)| *certainty >= CERTAIN).reduce(|a, b| if b.0 > a.0 { b } else { a });
    best.map(|(_, format)| format)
}

/// Finds a format by its name.
pub fn named(name: &str) -> Option<&'static dyn Format> {
    ALL.into_iter().find(|format| format.name() == name)
}

/// Lists the records inside a document, if one of the formats knows it.
pub fn records_in(document: RawJson<'_>) -> Option<(&'static dyn Format, Vec<NestedRecord<'_>>)> {
    ALL.into_iter().map(|format| (format, format.records(document))).find(|(_, records)| !records.is_empty())
}
