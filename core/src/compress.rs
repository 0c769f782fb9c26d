//! Makes a long text short for the next reader: no model, no guessing, the same result every time.
//!
//! What the reader needs to go on stays (objective, decisions, findings, next actions); analysis becomes points; large
//! outputs become references to the exact bytes; thinking aloud is dropped. [`compress`] is a pure function;
//! [`Expansions`] also saves what the references point to.
//!
//! ```
//! let report = "# Login\n\n## Objective\nLet users log in.\n\n## Findings\n- Sessions expire too early\n";
//! let short = huddle_core::compress::compress(report.as_bytes(), 500);
//! assert_eq!(short.objective.as_deref(), Some("Let users log in."));
//! assert_eq!(short.findings, ["Sessions expire too early"]);
//! assert!(short.after <= short.before);
//! ```

mod data;
mod document;
mod expansions;
mod markdown;
mod outline;
mod reference;
mod render;
mod select;
#[cfg(test)]
mod tests;
mod tokens;
mod words;

use std::ops::Range;

pub use expansions::{EXPANSION_DIR, Error, Expansions};
pub use reference::Reference;
pub use tokens::estimate;

use self::outline::Outline;
use self::render::{Frame, Selection};

/// The limit that the orchestrator protocol has for what is handed over.
pub const DEFAULT_LIMIT: usize = 500;
/// The lowest limit that leaves room for a summary and a reference.
pub const LEAST_LIMIT: usize = 50;

/// The format of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text with headings, lists or code blocks.
    Markdown,
    /// A JSON document, or one to a line.
    Json,
    /// Any other text.
    Text,
    /// What is not UTF-8.
    Binary,
}

impl Form {
    /// Returns the word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "Markdown",
            Self::Json => "JSON",
            Self::Text => "text",
            Self::Binary => "binary",
        }
    }
}

/// A compressed text.
#[derive(Debug, Clone, PartialEq)]
pub struct Compressed {
    /// The input's format.
    pub form: Form,
    /// The whole in a line.
    pub summary: String,
    /// The objective.
    pub objective: Option<String>,
    /// Decisions.
    pub decisions: Vec<String>,
    /// What was found.
    pub findings: Vec<String>,
    /// Next actions.
    pub next_actions: Vec<String>,
    /// Everything else that had room, by section.
    pub key_points: Vec<String>,
    /// The expandable parts; the first is the whole input.
    pub parts: Vec<Part>,
    /// How many tokens the input has, estimated.
    pub before: usize,
    /// How many tokens the text form has, estimated.
    pub after: usize,
    /// The text form: all of the above for a reader, under the limit.
    pub text: String,
}

/// Bytes of the input that a reference stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its title, for people.
    pub title: String,
    /// Its unique name, for programs.
    pub name: String,
    /// Its reference.
    pub reference: Reference,
    /// Its file extension.
    pub ending: &'static str,
    /// Where it is in the input.
    pub range: Range<usize>,
}

impl Compressed {
    /// Returns the size of the text form as a part of the input's.
    pub fn ratio(&self) -> f64 {
        if self.before == 0 { 1.0 } else { self.after as f64 / self.before as f64 }
    }
}

impl Part {
    /// Returns the name of the file that keeps it.
    pub fn file(&self) -> String {
        format!("{}.{}", self.reference, self.ending)
    }

    /// Writes the reference as it stands in a text.
    pub fn link(&self) -> String {
        linked(self.reference.as_str())
    }
}

fn linked(reference: &str) -> String {
    format!("[expand:{reference}]")
}

/// Compresses a text to fewer than `limit` tokens, but not to fewer than [`LEAST_LIMIT`].
pub fn compress(input: &[u8], limit: usize) -> Compressed {
    compress_with(input, limit, Reference::SHORT)
}

/// Compresses with references of so many digits.
fn compress_with(input: &[u8], limit: usize, digits: usize) -> Compressed {
    let limit = limit.max(LEAST_LIMIT);
    let Ok(text) = std::str::from_utf8(input) else { return binary(input, digits) };
    let (form, root) = match data::read(text) {
        Some(root) => (Form::Json, root),
        None if has_marks(text) => (Form::Markdown, markdown::read(text)),
        None => (Form::Text, markdown::read(text)),
    };
    let ending = match form {
        Form::Json => root.ending,
        Form::Markdown => "md",
        _ => "txt",
    };
    let outline = outline::build(&root, form.as_str());
    let source = Source { text, form, before: estimate(text), digits, full: whole(input, ending, digits) };
    let frame = source.frame(&outline.summary, limit);
    let selection = select::select(&outline, limit, &frame, &source.full.link());
    source.assemble(&outline, &selection, frame, limit)
}

/// Returns whether a text has the marks of Markdown.
fn has_marks(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        let is_heading = line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
        is_heading || ["```", "~~~", "- ", "* ", "| ", "**"].iter().any(|mark| line.starts_with(mark))
    })
}

/// Names the whole input.
fn whole(input: &[u8], ending: &'static str, digits: usize) -> Part {
    let reference = Reference::to(input, digits);
    Part { title: "Full input".into(), name: "full".into(), reference, ending, range: 0..input.len() }
}

/// Sums up what cannot be read: there is nothing to keep but a reference.
fn binary(input: &[u8], digits: usize) -> Compressed {
    let full = whole(input, "bin", digits);
    let summary = format!("Binary data, {} bytes", input.len());
    let text = format!("{summary}: {}", full.link());
    // Nobody would read bytes as text; three to a token is what an encoding of them would take.
    let before = input.len().div_ceil(3).max(1);
    Compressed {
        form: Form::Binary,
        summary,
        objective: None,
        decisions: Vec::new(),
        findings: Vec::new(),
        next_actions: Vec::new(),
        key_points: Vec::new(),
        parts: vec![full],
        before,
        after: estimate(&text),
        text,
    }
}

/// The input, and what is known of it before anything is chosen.
struct Source<'t> {
    text: &'t str,
    form: Form,
    before: usize,
    digits: usize,
    full: Part,
}

impl Source<'_> {
    /// Makes what is shown in any case, with room left for more.
    fn frame(&self, summary: &str, limit: usize) -> Frame {
        let closing = self.closing(100);
        let room = limit.saturating_sub(estimate(&closing) + 2);
        let mut most = (limit / 2).min(200);
        let mut opening = words::clip(summary, most);
        while most > 0 && estimate(&opening) > room {
            most /= 2;
            opening = words::clip(summary, most);
        }
        Frame { opening, closing }
    }

    /// Returns where all of it is; a percentage of up to three digits is always one token.
    fn closing(&self, percent: usize) -> String {
        format!("Full {} ({} tokens, now {}%): {}", self.form.as_str(), self.before, percent.min(999), self.full.link())
    }

    fn assemble(self, outline: &Outline<'_>, selection: &Selection, mut frame: Frame, limit: usize) -> Compressed {
        let part = |section: usize| {
            let node = outline.sections[section].node;
            let reference = Reference::to(self.text[node.range.clone()].as_bytes(), self.digits);
            let (title, name) = (words::clip(&node.heading, 60), words::slug(&node.heading));
            Part { title, name, reference, ending: node.ending, range: node.range.clone() }
        };
        let refer = |section: usize| part(section).link();
        let after = estimate(&render::text(outline, selection, &frame, &refer));
        frame.closing = self.closing((after * 100).div_ceil(self.before.max(1)));
        let mut text = render::text(outline, selection, &frame, &refer);
        let points = render::key_points(outline, selection);
        let mut parts: Vec<Part> = points.iter().filter_map(|point| point.expands).map(part).collect();
        let (mut after, mut full) = (estimate(&text), self.full);
        if self.before < limit && self.before <= after {
            // What is short already is not made longer by a summary.
            text = self.text.to_owned();
            after = self.before;
            parts.clear();
        }
        full.range = 0..self.text.len();
        parts.insert(0, full);
        name_apart(&mut parts);
        let [decisions, findings, next_actions] =
            [0, 1, 2].map(|list| outline.lists[list][..selection.lists[list]].to_vec());
        Compressed {
            form: self.form,
            summary: frame.opening,
            objective: selection.objective.then(|| outline.objective.clone()),
            decisions,
            findings,
            next_actions,
            key_points: points.into_iter().map(|point| point.text).collect(),
            parts,
            before: self.before,
            after,
            text,
        }
    }
}

/// Numbers the names that would be the same.
fn name_apart(parts: &mut [Part]) {
    for number in 0..parts.len() {
        let (before, part) = parts.split_at_mut(number);
        let base = if part[0].name.is_empty() { "part" } else { part[0].name.as_str() };
        let is_taken = |name: &str| before.iter().any(|part| part.name == name);
        let name =
            (1..).map(|n| if n == 1 { base.to_owned() } else { format!("{base}_{n}") }).find(|name| !is_taken(name));
        part[0].name = name.unwrap_or_default();
    }
}
