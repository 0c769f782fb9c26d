//! Compressing a text, and expanding what was left out.

use huddle_core::compress::{self, DEFAULT_LIMIT, EXPANSION_DIR, LEAST_LIMIT, Part};
use huddle_core::model::{Json, JsonMap};
use serde::{Deserialize, Deserializer, Serialize};

use crate::response::lossy_text;
use crate::{Context, Error, Operation};

/// Compresses a text, and saves what is left out.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Compress {
    /// The text: Markdown, JSON or plain.
    #[serde(deserialize_with = "bytes")]
    pub content: Vec<u8>,
    /// The limit of the result, in tokens; by default 500.
    #[serde(default)]
    pub max_tokens: Option<usize>,
}

fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    String::deserialize(deserializer).map(String::into_bytes)
}

/// A compressed text, with the field names of the orchestrator's context-compressor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompressedText {
    /// The whole in a line.
    pub summary: String,
    /// The objective.
    pub objective: Option<String>,
    /// Everything that had room and is not in the other lists.
    pub key_points: Vec<String>,
    /// Findings.
    pub findings: Vec<String>,
    /// Decisions.
    pub decisions: Vec<String>,
    /// The first of the next actions.
    pub next_action: Option<String>,
    /// Next actions.
    pub next_actions: Vec<String>,
    /// The file of each part, by the part's name.
    pub refs: JsonMap,
    /// A line about each part; the whole comes last.
    pub expandable: Vec<String>,
    /// The format of the input.
    pub form: &'static str,
    /// The sizes of input and result, estimated.
    pub tokens: TokenCounts,
    /// The size of the result as a part of the input's.
    pub ratio: f64,
    /// All of the above for a reader, under the limit.
    pub text: String,
}

/// The sizes of a text before and after its compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TokenCounts {
    /// Before.
    pub before: usize,
    /// After.
    pub after: usize,
}

impl From<compress::Compressed> for CompressedText {
    fn from(compressed: compress::Compressed) -> Self {
        let parts = &compressed.parts;
        let file = |part: &Part| (part.name.clone(), Json::from(format!("{EXPANSION_DIR}/{}", part.file())));
        Self {
            refs: parts.iter().map(file).collect(),
            // As in the protocol's example.
            expandable: parts.iter().skip(1).chain(parts.first()).map(expandable).collect(),
            form: compressed.form.as_str(),
            tokens: TokenCounts { before: compressed.before, after: compressed.after },
            ratio: (compressed.ratio() * 1000.0).round() / 1000.0,
            summary: compressed.summary,
            objective: compressed.objective,
            key_points: compressed.key_points,
            findings: compressed.findings,
            decisions: compressed.decisions,
            next_action: compressed.next_actions.first().cloned(),
            next_actions: compressed.next_actions,
            text: compressed.text,
        }
    }
}

fn expandable(part: &Part) -> String {
    let details = if part.name == "full" { "" } else { " details" };
    format!("{}{details}: {}", part.title, part.link())
}

impl Operation for Compress {
    type Response = CompressedText;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<CompressedText, Error> {
        let limit = self.max_tokens.unwrap_or(DEFAULT_LIMIT);
        if limit < LEAST_LIMIT {
            let message = format!("a limit of {limit} tokens leaves no room");
            return Err(Error::usage(message, format!("give {LEAST_LIMIT} or more")));
        }
        Ok(context.project().expansions.compress(&self.content, limit)?.into())
    }
}

/// Returns what a reference of a compressed text stands for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expand {
    /// The reference: its digits, or all of `[expand:DIGITS]`.
    pub reference: String,
}

/// What a reference stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Expansion {
    /// The original; in the document as text, even if it is none.
    #[serde(serialize_with = "lossy_text")]
    pub content: Vec<u8>,
}

impl Operation for Expand {
    type Response = Expansion;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<Expansion, Error> {
        Ok(Expansion { content: context.project().expansions.expand(&self.reference)? })
    }
}
