//! What the table of agents says.

use crate::format;
use crate::protocol::papers::{AgentCard, SessionCard};

/// Says whether all that was seen of agents was seen on one day: then the day need not be said of each.
pub fn is_one_day(agents: &[AgentCard]) -> bool {
    let mut days = agents.iter().filter_map(|card| card.span).flat_map(|(first, last)| [first, last]).map(format::day);
    let first = days.next();
    days.all(|day| Some(&day) == first.as_ref())
}

/// Counts the states of a session's agents, most frequent first.
pub fn tally(card: &SessionCard) -> Vec<(&str, u32)> {
    let mut tally: Vec<(&str, u32)> = Vec::new();
    for (_, state, _) in &card.agents {
        match tally.iter_mut().find(|(known, _)| known == state) {
            Some((_, many)) => *many += 1,
            None => tally.push((state, 1)),
        }
    }
    tally.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_said_where_there_are_several() {
        let day = 86_400_000_000;
        let of = |span| AgentCard { span, ..AgentCard::default() };
        assert!(is_one_day(&[of(Some((1, day - 1))), of(None)]));
        assert!(!is_one_day(&[of(Some((1, 2))), of(Some((day, day)))]));
    }

    #[test]
    fn states_are_counted() {
        let agents = ["waiting", "completed", "completed"].map(|state| (String::new(), state.to_owned(), Vec::new()));
        let card = SessionCard { agents: agents.into(), ..SessionCard::default() };
        assert_eq!(tally(&card), [("completed", 2), ("waiting", 1)]);
    }
}
