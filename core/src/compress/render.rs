//! Writes what was chosen.

use super::gather::{Entry, Gathered, LISTS};
use super::outline::Topic;

/// What is shown of a gathered text.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) objective: bool,
    /// How many of each list.
    pub(super) lists: [usize; 3],
    pub(super) entries: Vec<ChosenEntry>,
}

/// What is shown of a section.
#[derive(Debug, Clone)]
pub(super) struct ChosenEntry {
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

impl Chosen {
    pub(super) fn none(gathered: &Gathered<'_>) -> Self {
        let empty =
            |entry: &Entry<'_>| ChosenEntry { heading: false, reference: false, facts: vec![0; entry.facts.len()] };
        Self { objective: false, lists: [0; 3], entries: gathered.entries.iter().map(empty).collect() }
    }
}

/// Gives what stands above a list.
pub(super) fn list_title(list: Topic) -> &'static str {
    match list {
        Topic::Decision => "Decisions:",
        Topic::Finding => "Findings:",
        _ => "Next:",
    }
}

/// Writes the text form; `refer` writes the reference to a section.
pub(super) fn text(gathered: &Gathered<'_>, chosen: &Chosen, frame: &Frame, refer: &dyn Fn(usize) -> String) -> String {
    let mut lines = vec![frame.opening.clone()];
    if chosen.objective {
        lines.push(format!("Objective: {}", gathered.objective));
    }
    for ((list, items), count) in LISTS.iter().zip(&gathered.lists).zip(chosen.lists) {
        if count > 0 {
            lines.push(list_title(*list).to_owned());
            lines.extend(items[..count].iter().map(|item| format!("- {item}")));
        }
    }
    let points = key_points(gathered, chosen);
    if !points.is_empty() {
        lines.push("Key points:".to_owned());
    }
    for KeyPoint { text, expands } in points {
        let reference = expands.map(|entry| format!(" {}", refer(entry))).unwrap_or_default();
        lines.push(format!("- {text}{reference}"));
    }
    lines.push(frame.closing.clone());
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// Writes the key points, in the order of the text.
pub(super) fn key_points(gathered: &Gathered<'_>, chosen: &Chosen) -> Vec<KeyPoint> {
    let inline = inlined(gathered, chosen);
    let mut points = Vec::new();
    for (number, (entry, state)) in gathered.entries.iter().zip(&chosen.entries).enumerate() {
        let facts = entry.facts.iter().zip(&state.facts).filter_map(|(fact, form)| match form {
            0 => None,
            1 => Some(fact.lead.as_str()),
            _ => Some(fact.text.as_str()),
        });
        if entry.depth == 0 {
            points.extend(facts.map(|fact| KeyPoint { text: fact.to_owned(), expands: None }));
            continue;
        }
        if !state.heading || inline[number].is_some() {
            continue;
        }
        let below = (number + 1..inline.len()).take_while(|below| gathered.entries[*below].depth > entry.depth);
        let below = below.filter(|below| inline[*below] == Some(number)).map(|below| gathered.entries[below].heading());
        let said: Vec<&str> = facts.chain(below).collect();
        let expands = state.reference.then_some(number);
        points.push(KeyPoint { text: point(entry.heading(), &said), expands });
    }
    points
}

/// Finds the sections of which only the heading is shown, and the section in whose point it can stand.
fn inlined(gathered: &Gathered<'_>, chosen: &Chosen) -> Vec<Option<usize>> {
    let mut inline = vec![None; gathered.entries.len()];
    let mut busy = vec![false; gathered.entries.len()];
    for number in (0..gathered.entries.len()).rev() {
        let (entry, state) = (&gathered.entries[number], &chosen.entries[number]);
        busy[number] |= state.heading && (state.reference || state.facts.iter().any(|form| *form > 0));
        let Some(parent) = entry.parent.filter(|_| state.heading) else { continue };
        if !busy[number] && chosen.entries[parent].heading && gathered.entries[parent].depth > 0 {
            inline[number] = Some(parent);
        }
        // Whoever has a point inside its point needs a point of its own.
        busy[parent] = true;
    }
    inline
}

fn point(heading: &str, said: &[&str]) -> String {
    if said.is_empty() {
        return heading.to_owned();
    }
    let short = said.iter().all(|said| said.split_whitespace().count() <= 4 && !said.contains([',', ':']));
    format!("{heading}: {}", said.join(if short { ", " } else { "; " }))
}
