//! Writes what was chosen.

use super::document::Topic;
use super::outline::{LISTS, Outline, Section};

/// The selected parts of an outline.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) objective: bool,
    /// How many of each list.
    pub(super) lists: [usize; 3],
    pub(super) sections: Vec<SelectedSection>,
}

/// The selected parts of a section.
#[derive(Debug, Clone)]
pub(super) struct SelectedSection {
    pub(super) heading: bool,
    pub(super) reference: bool,
    /// Of each fact nothing, the short form, or the long one.
    pub(super) facts: Vec<u8>,
}

/// What is shown in any case: how the text begins and ends.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) opening: String,
    pub(super) closing: String,
}

/// One key point: what it says, and the section that can be expanded from it.
#[derive(Debug)]
pub(super) struct KeyPoint {
    pub(super) text: String,
    pub(super) expands: Option<usize>,
}

impl Selection {
    pub(super) fn none(outline: &Outline<'_>) -> Self {
        let empty = |section: &Section<'_>| SelectedSection {
            heading: false,
            reference: false,
            facts: vec![0; section.facts.len()],
        };
        Self { objective: false, lists: [0; 3], sections: outline.sections.iter().map(empty).collect() }
    }
}

/// Returns what stands above a list.
pub(super) fn list_title(list: Topic) -> &'static str {
    match list {
        Topic::Decision => "Decisions:",
        Topic::Finding => "Findings:",
        _ => "Next:",
    }
}

/// Writes the text form; `refer` writes the reference to a section.
pub(super) fn text(
    outline: &Outline<'_>,
    selection: &Selection,
    frame: &Frame,
    refer: &dyn Fn(usize) -> String,
) -> String {
    let mut lines = vec![frame.opening.clone()];
    if selection.objective {
        lines.push(format!("Objective: {}", outline.objective));
    }
    for ((list, items), count) in LISTS.iter().zip(&outline.lists).zip(selection.lists) {
        if count > 0 {
            lines.push(list_title(*list).to_owned());
            lines.extend(items[..count].iter().map(|item| format!("- {item}")));
        }
    }
    let points = key_points(outline, selection);
    if !points.is_empty() {
        lines.push("Key points:".to_owned());
    }
    for KeyPoint { text, expands } in points {
        let reference = expands.map(|section| format!(" {}", refer(section))).unwrap_or_default();
        lines.push(format!("- {text}{reference}"));
    }
    lines.push(frame.closing.clone());
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// Writes the key points, in the order of the text.
pub(super) fn key_points(outline: &Outline<'_>, selection: &Selection) -> Vec<KeyPoint> {
    let inline = inlined(outline, selection);
    let mut points = Vec::new();
    for (number, (section, state)) in outline.sections.iter().zip(&selection.sections).enumerate() {
        let facts = section.facts.iter().zip(&state.facts).filter_map(|(fact, form)| match form {
            0 => None,
            1 => Some(fact.lead.as_str()),
            _ => Some(fact.text.as_str()),
        });
        if section.depth == 0 {
            points.extend(facts.map(|fact| KeyPoint { text: fact.to_owned(), expands: None }));
            continue;
        }
        if !state.heading || inline[number].is_some() {
            continue;
        }
        let below = (number + 1..inline.len()).take_while(|below| outline.sections[*below].depth > section.depth);
        let below = below.filter(|below| inline[*below] == Some(number)).map(|below| outline.sections[below].heading());
        let parts: Vec<&str> = facts.chain(below).collect();
        let expands = state.reference.then_some(number);
        points.push(KeyPoint { text: point(section.heading(), &parts), expands });
    }
    points
}

/// Finds the sections of which only the heading is shown, and the section in whose point it can stand.
fn inlined(outline: &Outline<'_>, selection: &Selection) -> Vec<Option<usize>> {
    let mut inline = vec![None; outline.sections.len()];
    let mut busy = vec![false; outline.sections.len()];
    for number in (0..outline.sections.len()).rev() {
        let (section, state) = (&outline.sections[number], &selection.sections[number]);
        busy[number] |= state.heading && (state.reference || state.facts.iter().any(|form| *form > 0));
        let Some(parent) = section.parent.filter(|_| state.heading) else { continue };
        if !busy[number] && selection.sections[parent].heading && outline.sections[parent].depth > 0 {
            inline[number] = Some(parent);
        }
        // Whoever has a point inside its point needs a point of its own.
        busy[parent] = true;
    }
    inline
}

fn point(heading: &str, parts: &[&str]) -> String {
    if parts.is_empty() {
        return heading.to_owned();
    }
    let short = parts.iter().all(|parts| parts.split_whitespace().count() <= 4 && !parts.contains([',', ':']));
    format!("{heading}: {}", parts.join(if short { ", " } else { "; " }))
}
