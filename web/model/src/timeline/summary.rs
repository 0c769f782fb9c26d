//! The timeline in a sentence.

use super::scale::{Span, ends};
use crate::format::{count, moment, number};
use crate::protocol::TimelineView;

/// So many pairs of agents are named where arrows are too many to be drawn.
pub const PAIRS: usize = 4;

/// Says how much is to be seen, and of when.
pub fn summary(shown: &TimelineView) -> String {
    if shown.lanes.is_empty() {
        return String::new();
    }
    let all: u32 = shown.counts.iter().sum();
    let seen = Span { start: shown.start as f64, end: shown.end as f64 };
    format!("{} · {}", count(all.into(), "message"), ends(shown, seen))
}

/// Says how messages are drawn: as arrows, or, where these are too many, not at all; then who writes to whom is named.
pub fn messages(shown: &TimelineView) -> String {
    if shown.pairs.is_empty() {
        return match shown.arrows.len() {
            0 => "No messages from lane to lane here.".to_owned(),
            1 => "The arrow shows who wrote to whom.".to_owned(),
            many => format!("{} arrows show who wrote to whom.", number(many as u64)),
        };
    }
    let name = |lane: u32| shown.lanes.get(lane as usize).map_or("?", String::as_str);
    let busiest = busiest(shown, PAIRS);
    let named: Vec<String> = busiest
        .iter()
        .map(|(from, to, count)| format!("{} → {} {}", name(*from), name(*to), number((*count).into())))
        .collect();
    let more = match shown.pairs.len() - busiest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("Zoom in to see arrows. Most is written by {}{more}.", named.join(", "))
}

/// Gives the pairs of lanes with the most messages, those with the most first.
pub fn busiest(shown: &TimelineView, limit: usize) -> Vec<(u32, u32, u32)> {
    let mut best: Vec<(u32, u32, u32)> = Vec::with_capacity(limit + 1);
    for pair in &shown.pairs {
        let less = |other: &(u32, u32, u32)| pair.2 > other.2 || pair.2 == other.2 && pair < other;
        let place = best.iter().position(less).unwrap_or(best.len());
        best.insert(place, *pair);
        best.truncate(limit);
    }
    best
}

/// Sums up what the canvas shows.
pub fn described(shown: &TimelineView) -> String {
    let messages: u32 = shown.counts.iter().sum();
    let agents = shown.lanes.iter().filter(|name| !name.is_empty()).count();
    format!(
        "Timeline of {} and {} from {} to {}. The button “As a table” shows the same as a table.",
        count(agents as u64, "agent"),
        count(messages.into(), "message"),
        moment(shown.times.0),
        moment(shown.times.1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_pairs_are_named() {
        let shown = TimelineView {
            lanes: vec!["ann".into(), "bob".into()],
            pairs: vec![(0, 1, 5), (1, 0, 1204)],
            ..TimelineView::default()
        };
        let said = messages(&shown);
        assert!(said.ends_with("Most is written by bob → ann 1,204, ann → bob 5."), "{said}");
        let many = TimelineView { pairs: (0..9).map(|count| (0, 1, count)).collect(), ..shown };
        assert!(messages(&many).ends_with("ann → bob 5 and 5 more."), "{}", messages(&many));
        assert_eq!(messages(&TimelineView::default()), "No messages from lane to lane here.");
    }

    #[test]
    fn the_window_is_summed_up() {
        let shown = TimelineView {
            lanes: vec!["ann".into()],
            counts: vec![3],
            end: 9_000_000,
            length: 9_000_000,
            ..TimelineView::default()
        };
        assert_eq!(summary(&shown), "3 messages · 1970-01-01 00:00:00.000 – 00:00:08.999");
        assert_eq!(summary(&TimelineView::default()), "");
    }

    #[test]
    fn the_canvas_is_described() {
        let shown = TimelineView {
            lanes: vec!["ann".into(), String::new()],
            counts: vec![1, 1],
            times: (0, 60_000_000),
            ..TimelineView::default()
        };
        let said = described(&shown);
        assert!(
            said.starts_with("Timeline of 1 agent and 2 messages from 1970-01-01 00:00:00 to 1970-01-01 00:01:00."),
            "{said}"
        );
    }
}
