//! Chooses what stays: the most important first, until the room is used up.

use super::outline::{LISTS, Outline};
use super::render::{self, Frame, Selection};
use super::tokens::estimate;

/// The shortest section that gets a reference, in bytes.
const WORTH_A_REFERENCE: usize = 1000;
/// Selection stops when fewer tokens are left.
const MIN_TOKENS_LEFT: usize = 3;

/// Something that may stay, and how soon it is thought of.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    rank: u32,
    section: usize,
    kind: CandidateKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CandidateKind {
    Objective,
    /// The next of a list.
    Listed(usize, usize),
    Heading,
    Reference,
    /// A fact's short form.
    Lead(usize),
    /// A fact's long form in place of the short one.
    Text(usize),
}

/// Chooses what is shown in fewer than `limit` tokens, when a reference looks like `reference`.
pub(super) fn select(outline: &Outline<'_>, limit: usize, frame: &Frame, reference: &str) -> Selection {
    let mut selection = Selection::none(outline);
    let mut candidates = candidates(outline);
    let refers = estimate(reference) + 1;
    let measure = |selection: &Selection| estimate(&render::text(outline, selection, frame, &|_| reference.to_owned()));
    let mut taken: Vec<Candidate> = Vec::new();
    // What is thought of is priced a little too high, so a second look finds more room.
    for _ in 0..4 {
        let mut room = limit.saturating_sub(measure(&selection) + 1);
        let before = candidates.len();
        candidates.retain(|candidate| {
            let takes = (room > MIN_TOKENS_LEFT).then(|| cost(outline, &selection, *candidate, refers)).flatten();
            match takes.filter(|cost| *cost <= room) {
                Some(cost) => {
                    room -= cost;
                    set_shown(&mut selection, *candidate, true);
                    taken.push(*candidate);
                    false
                }
                None => true,
            }
        });
        if candidates.len() == before {
            break;
        }
    }
    // Prices are estimates; the limit is not. What came last goes first.
    while measure(&selection) >= limit
        && let Some(candidate) = taken.pop()
    {
        set_shown(&mut selection, candidate, false);
    }
    selection
}

/// Lists what may stay, the most important first.
fn candidates(outline: &Outline<'_>) -> Vec<Candidate> {
    let mut all = Vec::new();
    let mut add = |rank: u32, section: usize, kind: CandidateKind| all.push(Candidate { rank, section, kind });
    if !outline.objective.is_empty() {
        add(0, 0, CandidateKind::Objective);
    }
    for (list, items) in outline.lists.iter().enumerate() {
        for number in 0..items.len() as u32 {
            let rank = if number < 4 { 4 + 4 * number } else { 20 + 5 * (number - 4) };
            add(rank, 0, CandidateKind::Listed(list, number as usize));
        }
    }
    for (number, section) in outline.sections.iter().enumerate() {
        let depth = 8 * section.depth.clamp(1, 3) as u32 - if section.node.is_label { 4 } else { 0 };
        let head = depth + [0, 6, 36][usize::from(section.weight.min(2))];
        if section.depth > 0 && !section.node.is_label {
            add(head, number, CandidateKind::Heading);
            if section.node.range.len() >= WORTH_A_REFERENCE {
                let later = if section.node.is_bulk || section.depth == 1 { 6 } else { 28 };
                add(head + later, number, CandidateKind::Reference);
            }
        }
        for (place, fact) in section.facts.iter().enumerate() {
            // Names are cheap, and a list of them says more than one long sentence does.
            let long = match fact.lead.split_whitespace().count() {
                0..=3 => 0,
                4..=9 => 2 + 2 * place.min(3) as u32,
                _ => 2 + 3 * place.min(3) as u32,
            };
            let rank = head + 3 + place.min(16) as u32 / 2 + long + u32::from(fact.penalty);
            add(rank, number, CandidateKind::Lead(place));
            if fact.text != fact.lead {
                add(rank + 22, number, CandidateKind::Text(place));
            }
        }
    }
    all.sort_by_key(|candidate| candidate.rank);
    all
}

/// Returns how many more tokens something takes; none when it cannot be shown as things stand.
fn cost(outline: &Outline<'_>, selection: &Selection, candidate: Candidate, refers: usize) -> Option<usize> {
    let section = outline.sections.get(candidate.section);
    let state = selection.sections.get(candidate.section);
    let fact = |place: usize| section.and_then(|section| section.facts.get(place));
    Some(match candidate.kind {
        CandidateKind::Objective => estimate(&outline.objective) + 4,
        CandidateKind::Listed(list, number) => {
            let is_next = selection.lists[list] == number;
            let title = if number == 0 { estimate(render::list_title(LISTS[list])) + 2 } else { 0 };
            is_next.then(|| estimate(&outline.lists[list][number]) + title + 3)?
        }
        CandidateKind::Heading => estimate(section?.heading()) + 4,
        CandidateKind::Reference => state?.heading.then_some(refers + 4)?,
        CandidateKind::Lead(place) => {
            let section = section?;
            let around = match (state?.heading, section.depth) {
                (true, _) => 2,
                (false, 0) => 5,
                // A label comes with its first fact.
                (false, _) if section.node.is_label => estimate(section.heading()) + 6,
                (false, _) => return None,
            };
            estimate(&fact(place)?.lead) + around
        }
        CandidateKind::Text(place) => {
            let has_lead = state?.facts.get(place) == Some(&1);
            has_lead.then(|| fact(place).map(|fact| more(&fact.lead, &fact.text)))??
        }
    })
}

fn more(lead: &str, text: &str) -> usize {
    (estimate(text) + 1).saturating_sub(estimate(lead))
}

/// Shows something, or leaves it out again.
fn set_shown(selection: &mut Selection, candidate: Candidate, shown: bool) {
    let section = &mut selection.sections[candidate.section];
    match candidate.kind {
        CandidateKind::Objective => selection.objective = shown,
        CandidateKind::Listed(list, number) => selection.lists[list] = number + usize::from(shown),
        CandidateKind::Heading => section.heading = shown,
        CandidateKind::Reference => section.reference = shown,
        CandidateKind::Lead(place) => {
            section.facts[place] = u8::from(shown);
            section.heading |= shown;
        }
        CandidateKind::Text(place) => section.facts[place] = 1 + u8::from(shown),
    }
}
