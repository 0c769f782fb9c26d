//! Lines with their marks and places.

use std::ops::Range;

use crate::compress::words;

/// Pairs of fences are looked for so many lines ahead.
const LONGEST_BLOCK: usize = 400;

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Blank,
    Heading(usize),
    Fence,
    Rule,
    Row,
    Item,
    Quote,
    Text,
}

/// A line and where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct MarkdownLine<'t> {
    pub(super) kind: LineKind,
    /// Its text without the marker.
    pub(super) text: &'t str,
    pub(super) indent: usize,
    pub(super) start: usize,
    /// The end, with the line break.
    pub(super) end: usize,
}

/// The lines of a text, one after the other.
pub(super) struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn next(&mut self) -> Option<MarkdownLine<'t>> {
        let line = self.peek()?;
        self.at = line.end;
        Some(line)
    }

    fn peek(&self) -> Option<MarkdownLine<'t>> {
        let rest = &self.text[self.at..];
        let length = rest.find('\n').map_or(rest.len(), |at| at + 1);
        (length > 0).then(|| read(&rest[..length], self.at))
    }

    fn next_if(&mut self, wanted: impl Fn(&MarkdownLine<'t>) -> bool) -> Option<MarkdownLine<'t>> {
        let line = self.peek().filter(wanted)?;
        self.at = line.end;
        Some(line)
    }

    /// Returns whether what looks like a label is one: alone it stands before a list, with words nothing goes on after it.
    pub(super) fn is_labelled(&self, words: &str) -> bool {
        let next = self.peek();
        if words.is_empty() {
            return next.is_some_and(|line| line.kind == LineKind::Item);
        }
        next.is_none_or(|line| line.kind != LineKind::Text || words::label(line.text).is_some())
    }

    /// Takes the next row of a table.
    pub(super) fn row(&mut self) -> Option<MarkdownLine<'t>> {
        self.next_if(|line| line.kind == LineKind::Row)
    }

    /// Takes the next line of a list item: it has no mark and stands further in.
    pub(super) fn continuation(&mut self, item: &MarkdownLine<'t>) -> Option<MarkdownLine<'t>> {
        self.next_if(|line| line.kind == LineKind::Text && line.indent > item.indent)
    }

    /// Takes what is between a fence and the one that ends it.
    ///
    /// Documents show documents that have fences of their own: those are passed over when they come in pairs.
    pub(super) fn fenced(&mut self, fence: &MarkdownLine<'t>) -> Range<usize> {
        let sign = fence.text.chars().next().unwrap_or('`');
        let length = fence.text.chars().take_while(|c| *c == sign).count();
        let (mut depth, mut first, mut seen) = (0, None, 0);
        let mut ahead = Lines { text: self.text, at: self.at };
        while let Some(line) = ahead.next() {
            seen += 1;
            if first.is_some() && seen > LONGEST_BLOCK {
                break;
            }
            let count = line.text.chars().take_while(|c| *c == sign).count();
            if line.kind != LineKind::Fence || count < length {
                continue;
            }
            let is_bare = line.text.trim_start_matches(sign).trim().is_empty();
            first = first.or(is_bare.then_some(line));
            match (is_bare, depth) {
                (true, 0) => return self.skip(line.start, line.end),
                (true, _) => depth -= 1,
                (false, _) => depth += 1,
            }
        }
        let (stop, end) = first.map_or((self.text.len(), self.text.len()), |line| (line.start, line.end));
        self.skip(stop, end)
    }

    /// Takes what is between two rules near the beginning, if it is all keys and values.
    pub(super) fn front_matter(&mut self, rule: &MarkdownLine<'t>) -> Option<Range<usize>> {
        let mut ahead = Lines { text: self.text, at: self.at };
        if rule.text != "---" || rule.start > 2000 {
            return None;
        }
        let mut count = 0;
        while let Some(line) = ahead.next() {
            let raw = self.text[line.start..line.end].trim_end();
            if raw == "---" {
                return (count > 0).then(|| self.skip(line.start, line.end));
            }
            let is_data = line.indent > 0 || line.kind == LineKind::Item || raw.contains(": ") || raw.ends_with(':');
            count += 1;
            if !is_data || count > 60 {
                return None;
            }
        }
        None
    }

    /// Goes on after `end`, and gives what was before `stop`.
    fn skip(&mut self, stop: usize, end: usize) -> Range<usize> {
        let range = self.at..stop;
        self.at = end;
        range
    }
}

fn read(raw: &str, start: usize) -> MarkdownLine<'_> {
    let end = start + raw.len();
    let text = raw.trim();
    let indent = raw.len() - raw.trim_start_matches([' ', '\t']).len();
    let (kind, text) = kind(text);
    MarkdownLine { kind, text, indent, start, end }
}

fn kind(text: &str) -> (LineKind, &str) {
    if text.is_empty() {
        return (LineKind::Blank, text);
    }
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    if let (1..=6, Some(heading)) = (level, text[level..].strip_prefix(' ')) {
        return (LineKind::Heading(level), heading.trim().trim_end_matches('#').trim());
    }
    if text.starts_with("```") || text.starts_with("~~~") {
        return (LineKind::Fence, text);
    }
    if text.len() >= 3 && ["-", "=", "*", "_"].iter().any(|sign| text.trim_start_matches(sign).is_empty()) {
        return (LineKind::Rule, text);
    }
    if text.starts_with('|') && text.len() > 1 {
        return (LineKind::Row, text);
    }
    if let Some(item) = item(text) {
        return (LineKind::Item, item);
    }
    text.strip_prefix('>').map_or((LineKind::Text, text), |quoted| (LineKind::Quote, quoted.trim()))
}

/// Takes the mark off a list item.
fn item(text: &str) -> Option<&str> {
    if let Some(item) = words::strip_any(text, &["- ", "* ", "+ ", "• ", "– "]) {
        return Some(item.trim());
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = (1..=3).contains(&digits).then(|| &text[digits..])?;
    words::strip_any(rest, &[". ", ") "]).map(str::trim)
}
