//! Chooses what stays: the most important first, until the room is used up.

use super::gather::{Gathered, LISTS};
use super::render::{self, Chosen, Frame};
use super::tokens::estimate;

/// What is shorter is not worth a reference.
const WORTH_A_REFERENCE: usize = 1000;
/// Room this small is left empty.
const CRUMBS: usize = 3;

/// Something that may stay, and how soon it is thought of.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    rank: u32,
    entry: usize,
    pick: Pick,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pick {
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
pub(super) fn fit(gathered: &Gathered<'_>, limit: usize, frame: &Frame, reference: &str) -> Chosen {
    let mut chosen = Chosen::none(gathered);
    let mut candidates = candidates(gathered);
    let refers = estimate(reference) + 1;
    let measure = |chosen: &Chosen| estimate(&render::text(gathered, chosen, frame, &|_| reference.to_owned()));
    let mut taken: Vec<Candidate> = Vec::new();
    // What is thought of is priced a little too high, so a second look finds more room.
    for _ in 0..4 {
        let mut room = limit.saturating_sub(measure(&chosen) + 1);
        let before = candidates.len();
        candidates.retain(|candidate| {
            let takes = (room > CRUMBS).then(|| price(gathered, &chosen, *candidate, refers)).flatten();
            match takes.filter(|price| *price <= room) {
                Some(price) => {
                    room -= price;
                    take(&mut chosen, *candidate, true);
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
    while measure(&chosen) >= limit
        && let Some(candidate) = taken.pop()
    {
        take(&mut chosen, candidate, false);
    }
    chosen
}

/// Lists what may stay, the most important first.
fn candidates(gathered: &Gathered<'_>) -> Vec<Candidate> {
    let mut all = Vec::new();
    let mut add = |rank: u32, entry: usize, pick: Pick| all.push(Candidate { rank, entry, pick });
    if !gathered.objective.is_empty() {
        add(0, 0, Pick::Objective);
    }
    for (list, items) in gathered.lists.iter().enumerate() {
        for number in 0..items.len() as u32 {
            let rank = if number < 4 { 4 + 4 * number } else { 20 + 5 * (number - 4) };
            add(rank, 0, Pick::Listed(list, number as usize));
        }
    }
    for (number, entry) in gathered.entries.iter().enumerate() {
        let depth = 8 * entry.depth.clamp(1, 3) as u32 - if entry.node.is_label { 4 } else { 0 };
        let head = depth + [0, 6, 36][usize::from(entry.weight.min(2))];
        if entry.depth > 0 && !entry.node.is_label {
            add(head, number, Pick::Heading);
            if entry.node.range.len() >= WORTH_A_REFERENCE {
                let later = if entry.node.is_bulk || entry.depth == 1 { 6 } else { 28 };
                add(head + later, number, Pick::Reference);
            }
        }
        for (place, fact) in entry.facts.iter().enumerate() {
            // Names are cheap, and a list of them says more than one long sentence does.
            let long = match fact.lead.split_whitespace().count() {
                0..=3 => 0,
                4..=9 => 2 + 2 * place.min(3) as u32,
                _ => 2 + 3 * place.min(3) as u32,
            };
            let rank = head + 3 + place.min(16) as u32 / 2 + long + u32::from(fact.faintness);
            add(rank, number, Pick::Lead(place));
            if fact.text != fact.lead {
                add(rank + 22, number, Pick::Text(place));
            }
        }
    }
    all.sort_by_key(|candidate| candidate.rank);
    all
}

/// Says how many more tokens something takes; none when it cannot be shown as things stand.
fn price(gathered: &Gathered<'_>, chosen: &Chosen, candidate: Candidate, refers: usize) -> Option<usize> {
    let entry = gathered.entries.get(candidate.entry);
    let state = chosen.entries.get(candidate.entry);
    let fact = |place: usize| entry.and_then(|entry| entry.facts.get(place));
    Some(match candidate.pick {
        Pick::Objective => estimate(&gathered.objective) + 4,
        Pick::Listed(list, number) => {
            let is_next = chosen.lists[list] == number;
            let title = if number == 0 { estimate(render::list_title(LISTS[list])) + 2 } else { 0 };
            is_next.then(|| estimate(&gathered.lists[list][number]) + title + 3)?
        }
        Pick::Heading => estimate(entry?.heading()) + 4,
        Pick::Reference => state?.heading.then_some(refers + 4)?,
        Pick::Lead(place) => {
            let entry = entry?;
            let around = match (state?.heading, entry.depth) {
                (true, _) => 2,
                (false, 0) => 5,
                // A label comes with its first fact.
                (false, _) if entry.node.is_label => estimate(entry.heading()) + 6,
                (false, _) => return None,
            };
            estimate(&fact(place)?.lead) + around
        }
        Pick::Text(place) => {
            let has_lead = state?.facts.get(place) == Some(&1);
            has_lead.then(|| fact(place).map(|fact| more(&fact.lead, &fact.text)))??
        }
    })
}

fn more(lead: &str, text: &str) -> usize {
    (estimate(text) + 1).saturating_sub(estimate(lead))
}

/// Shows something, or leaves it out again.
fn take(chosen: &mut Chosen, candidate: Candidate, shown: bool) {
    let entry = &mut chosen.entries[candidate.entry];
    match candidate.pick {
        Pick::Objective => chosen.objective = shown,
        Pick::Listed(list, number) => chosen.lists[list] = number + usize::from(shown),
        Pick::Heading => entry.heading = shown,
        Pick::Reference => entry.reference = shown,
        Pick::Lead(place) => {
            entry.facts[place] = u8::from(shown);
            entry.heading |= shown;
        }
        Pick::Text(place) => entry.facts[place] = 1 + u8::from(shown),
    }
}
