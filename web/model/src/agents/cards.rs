//! What the table of agents says.

use std::cmp::{Ordering, Reverse};

use crate::format;
use crate::protocol::papers::{AgentCard, SessionCard};
use crate::words::natural;

/// A column of the table of agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Column {
    /// Its name.
    #[default]
    Agent,
    /// Where it stands.
    State,
    /// How many of its messages the query finds.
    Found,
    /// How many messages wait to be read.
    Unread,
    /// How many answers are overdue.
    Overdue,
    /// How many messages it sent.
    Sent,
    /// How many it received.
    Received,
    /// How severe its messages are.
    Severity,
    /// What kinds of message it sends.
    Kinds,
    /// When there were signs of it.
    Seen,
}

impl Column {
    /// All columns, in their order: what may need somebody comes first.
    pub const ALL: [Self; 10] = [
        Self::Agent,
        Self::State,
        Self::Found,
        Self::Unread,
        Self::Overdue,
        Self::Sent,
        Self::Received,
        Self::Severity,
        Self::Kinds,
        Self::Seen,
    ];

    /// Returns its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Agent => "Agent",
            Self::State => "State",
            Self::Found => "Found",
            Self::Unread => "Unread",
            Self::Overdue => "Overdue",
            Self::Sent => "Sent",
            Self::Received => "Got",
            Self::Severity => "Severity",
            Self::Kinds => "Sends mostly",
            Self::Seen => "Seen",
        }
    }

    /// Returns the class of its heading.
    pub fn class(self) -> &'static str {
        match self {
            Self::Kinds => "kinds",
            column if column.is_count() && column != Self::Severity => "many",
            _ => "",
        }
    }

    /// Returns whether it holds counts, the largest of which come first.
    pub fn is_count(self) -> bool {
        !matches!(self, Self::Agent | Self::State | Self::Kinds | Self::Seen)
    }

    fn compare(self, one: &AgentCard, other: &AgentCard) -> Ordering {
        let count = |of: fn(&AgentCard) -> u32| Reverse(of(one)).cmp(&Reverse(of(other)));
        match self {
            Self::Agent => Ordering::Equal,
            Self::State => one.state.cmp(&other.state),
            Self::Found => count(|card| card.found),
            Self::Unread => count(|card| card.unread),
            Self::Overdue => count(|card| card.overdue),
            Self::Sent => count(|card| card.sent),
            Self::Received => count(|card| card.received),
            Self::Severity => Reverse(one.severities).cmp(&Reverse(other.severities)),
            Self::Kinds => one.kinds.cmp(&other.kinds),
            // Those of whom there was no sign come last.
            Self::Seen => (one.span.is_none(), one.span).cmp(&(other.span.is_none(), other.span)),
        }
    }
}

/// Sorts agents by a column; equals are in the order of their names.
pub fn sorted(mut agents: Vec<AgentCard>, column: Column, reverse: bool) -> Vec<AgentCard> {
    agents.sort_by(|one, other| {
        let by_column = column.compare(one, other).then_with(|| natural(&one.name, &other.name));
        if reverse { by_column.reverse() } else { by_column }
    });
    agents
}

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
    fn agents_are_sorted_by_any_column() {
        let card = |name: &str, sent| AgentCard { name: name.to_owned(), sent, ..AgentCard::default() };
        let check = |column, reverse, wanted: [&str; 3]| {
            let agents = vec![card("w-16", 5), card("w-6", 1), card("a", 5)];
            let names: Vec<String> = sorted(agents, column, reverse).into_iter().map(|card| card.name).collect();
            assert_eq!(names, wanted);
        };
        check(Column::Agent, false, ["a", "w-6", "w-16"]);
        check(Column::Agent, true, ["w-16", "w-6", "a"]);
        check(Column::Sent, false, ["a", "w-16", "w-6"]);
        check(Column::Seen, false, ["a", "w-6", "w-16"]);
    }

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
