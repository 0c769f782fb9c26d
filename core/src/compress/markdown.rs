//! Reads Markdown and plain text: headings, labels, lists, tables, code.
//!
//! Plain text is Markdown without marks, so one reader serves both. It never fails: what is nothing else is a paragraph.

mod code;
mod lines;

use std::ops::Range;

use self::lines::{LineKind, Lines, MarkdownLine};
use super::document::{Fact, Node};
use super::words;

/// The level of what a label like `**Types**:` opens: below every heading.
const LABEL: usize = 7;
/// A block of more lines than that is there to be looked up.
const LONG_BLOCK: usize = 12;

/// Reads a text into its sections.
pub(super) fn read(text: &str) -> Node {
    let mut parser = MarkdownParser { text, open: vec![(0, Node::default())], paragraph: None };
    let mut lines = Lines::new(text);
    while let Some(line) = lines.next() {
        parser.line(&line, &mut lines);
    }
    parser.end_paragraph();
    parser.close(1, text.len());
    let mut root = parser.open.pop().map(|(_, node)| node).unwrap_or_default();
    root.range = 0..text.len();
    root
}

struct MarkdownParser<'t> {
    text: &'t str,
    /// The sections that are open, from the whole to the innermost, with their levels.
    open: Vec<(usize, Node)>,
    /// The lines of the paragraph that is being read.
    paragraph: Option<Range<usize>>,
}

impl<'t> MarkdownParser<'t> {
    fn line(&mut self, line: &MarkdownLine<'t>, lines: &mut Lines<'t>) {
        if !matches!(line.kind, LineKind::Text) {
            let underlined = matches!(line.kind, LineKind::Rule) && self.underline(line);
            self.end_paragraph();
            if underlined {
                return;
            }
        }
        match line.kind {
            LineKind::Blank => {}
            LineKind::Rule => {
                if let Some(block) = lines.front_matter(line) {
                    code::data_facts(&self.text[block], &mut self.node().facts);
                    self.node().facts.iter_mut().for_each(|fact| fact.penalty += 6);
                }
            }
            LineKind::Heading(level) => {
                self.open(level, line.start, words::plain(line.text));
            }
            LineKind::Fence => self.code(line, lines),
            LineKind::Row => self.table(line, lines),
            LineKind::Item => self.item(line, lines),
            LineKind::Quote | LineKind::Text => self.text_line(line, lines),
        }
    }

    fn node(&mut self) -> &mut Node {
        // The whole is never closed while lines are read.
        let last = self.open.len() - 1;
        &mut self.open[last].1
    }

    /// Begins a section, which ends those that are as deep or deeper.
    fn open(&mut self, level: usize, start: usize, heading: String) {
        self.close(level, start);
        let node = Node { heading, range: start..start, ending: "md", is_label: level == LABEL, ..Node::default() };
        self.open.push((level, node));
    }

    fn close(&mut self, level: usize, end: usize) {
        while self.open.len() > 1 && self.open.last().is_some_and(|(open, _)| *open >= level) {
            if let Some((_, mut node)) = self.open.pop() {
                node.range.end = end;
                self.node().children.push(node);
            }
        }
    }

    /// Builds a heading of the one line before a rule.
    fn underline(&mut self, line: &MarkdownLine<'t>) -> bool {
        let Some(range) = self.paragraph.clone() else { return false };
        let above = &self.text[range.clone()];
        if above.trim().contains('\n') || above.len() > 100 {
            return false;
        }
        self.paragraph = None;
        self.open(if line.text.starts_with('=') { 1 } else { 2 }, range.start, words::plain(above));
        true
    }

    fn text_line(&mut self, line: &MarkdownLine<'t>, lines: &Lines<'t>) {
        let is_bold = line.text.starts_with("**");
        let label = words::label(line.text).filter(|_| is_bold || self.paragraph.is_none());
        if let Some((label, rest)) = label.filter(|(_, rest)| is_bold || lines.is_labelled(rest)) {
            self.end_paragraph();
            return self.labelled(label, rest, line);
        }
        match &mut self.paragraph {
            Some(range) => range.end = line.end,
            None => self.paragraph = Some(line.start..line.end),
        }
    }

    /// Takes a label: alone it opens a section, with words after it it is a fact.
    fn labelled(&mut self, label: &str, rest: &str, line: &MarkdownLine<'t>) {
        let label = words::plain(label);
        if rest.is_empty() {
            return self.open(LABEL, line.start, label);
        }
        self.close(LABEL, line.start);
        let mut fact = labelled_fact(&label, rest);
        // Outside a list the label alone would say nothing: "Issue", "When".
        if !line.text.contains("** - ") {
            fact.lead.clone_from(&fact.text);
        }
        self.node().facts.push(fact);
    }

    fn end_paragraph(&mut self) {
        let Some(range) = self.paragraph.take() else { return };
        let text = words::plain(self.text[range].trim_start_matches(['>', ' ']));
        let mut rank = 0;
        for sentence in words::sentences(&text) {
            let topic = words::topic_in(sentence);
            if topic.is_none() && words::is_thinking_aloud(sentence) {
                continue;
            }
            let label = words::label(sentence).filter(|(_, rest)| !rest.is_empty());
            let labelled = label.map(|(label, rest)| labelled_fact(label, rest)).filter(|fact| fact.topic.is_some());
            let fact = labelled.unwrap_or_else(|| Fact::plain(words::brief(sentence)));
            let topic = topic.or(fact.topic);
            let announces = if sentence.ends_with(':') { 5 } else { 0 };
            self.node().facts.push(fact.of(topic).with_penalty(rank + announces));
            // The first sentence states, the others elaborate.
            rank = (rank + 8).min(16);
        }
    }

    fn item(&mut self, line: &MarkdownLine<'t>, lines: &mut Lines<'t>) {
        let mut text = line.text.to_owned();
        while let Some(more) = lines.continuation(line) {
            text.push(' ');
            text.push_str(more.text);
        }
        let is_open = text.strip_prefix("[ ] ").map(str::to_owned);
        let text = is_open.as_deref().or(text.strip_prefix("[x] ")).unwrap_or(&text);
        let fact = match words::label(text) {
            // What stands in code is being defined, not said.
            Some((label, rest)) if !rest.is_empty() && text.starts_with('`') => {
                Fact::labelled(label, &words::brief(&words::plain(rest)))
            }
            Some((label, rest)) if !rest.is_empty() => labelled_fact(&words::plain(label), rest),
            _ if words::is_thinking_aloud(text) && words::topic_in(text).is_none() => return,
            _ => Fact::plain(words::brief(words::plain(text).trim_matches('"'))).of(words::topic_in(text)),
        };
        let topic = fact.topic.or(is_open.map(|_| super::document::Topic::Next));
        let nested = if line.indent >= 2 { 6 } else { 0 };
        self.node().facts.push(fact.of(topic).with_penalty(nested));
    }

    /// Takes a table: each row is a fact that is known by its first cell.
    fn table(&mut self, line: &MarkdownLine<'t>, lines: &mut Lines<'t>) {
        let mut range = line.start..line.end;
        let mut rows = Vec::new();
        while let Some(row) = lines.row() {
            range.end = row.end;
            rows.push(row);
        }
        let is_ruled = rows.first().is_some_and(|row| row.text.chars().all(|c| "|-: \t".contains(c)));
        let mut bulk = Node { ending: "md", range, is_bulk: true, ..Node::default() };
        let body = if is_ruled { &rows[1..] } else { &rows[..] };
        for row in body {
            let cells: Vec<String> = row.text.trim_matches('|').split('|').map(words::plain).collect();
            let rest: Vec<&str> = cells[1..].iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
            bulk.facts.push(Fact::labelled(words::clip(&cells[0], 60), &words::brief(&rest.join(", "))));
        }
        if rows.len() > LONG_BLOCK {
            bulk.heading = format!("table of {} rows", body.len());
            self.node().children.push(bulk);
        } else {
            self.node().facts.append(&mut bulk.facts);
        }
    }

    /// Takes a code block: data and directory trees say something, programs are known by what they define.
    fn code(&mut self, line: &MarkdownLine<'t>, lines: &mut Lines<'t>) {
        let range = lines.fenced(line);
        let body = &self.text[range.clone()];
        let count = body.lines().count();
        let language = line.text.trim_start_matches(['`', '~']).split_whitespace().next().unwrap_or_default();
        let mut facts = code::facts(body, language);
        if self.open.len() > 1 {
            // Below a heading, data is an example or a detail of what the heading says.
            facts.iter_mut().for_each(|fact| fact.topic = None);
        }
        if count > LONG_BLOCK && self.open.len() == 1 {
            let name = if language.is_empty() { "text" } else { language };
            let heading = format!("{name} block of {count} lines");
            let ending = code::ending(language);
            self.node().children.push(Node { heading, range, ending, is_bulk: true, facts, ..Node::default() });
        } else {
            self.node().facts.extend(facts);
        }
    }
}

/// Builds a fact of a label and what it says.
fn labelled_fact(label: &str, rest: &str) -> Fact {
    let topic = words::topic_of_label(label);
    let value = words::brief(&words::plain(rest));
    if topic.is_some() || words::is_purpose(label) || words::is_thinking_aloud(label) {
        // These labels say where the fact belongs, not what it is.
        return Fact::plain(value).of(topic);
    }
    let aside = if words::weight_of(label) == 2 { 12 } else { 0 };
    Fact::labelled(words::clip(label, 60), &value).with_penalty(aside)
}
