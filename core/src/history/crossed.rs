//! Crossed messages: two that were on their way to each other at the same time.

use huddle_scan::{Flags, NO_TIME, Symbol, Table};

use super::{CopyLocation, Deliveries, DeliveryRow, NO_POSITION, Threads};
use crate::model::MessageType;

/// Two messages that crossed: each was sent before its sender had seen the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossed {
    /// The position of the one that was sent first.
    pub earlier: u32,
    /// The position of the first that came the other way before the earlier one was seen.
    pub later: u32,
}

/// Finds messages that crossed, by position, for each at most the first that came the other way.
///
/// They are between the same two agents and of one conversation, or of none. Whether a message was seen is known only
/// where a copy of it lies in an inbox or in the archive: what is not known is not crossed. What went to everybody, and
/// acknowledgments and notices of failure, which are no more than signs, do not cross anything.
pub fn crossed(table: &Table, entries: &[u32], threads: &Threads, deliveries: &Deliveries) -> Vec<Crossed> {
    let index = DirectionIndex { table, entries, threads, ack_kinds: ack_kinds(table) };
    if !deliveries.list.iter().any(is_known) {
        return Vec::new();
    }
    let mut directions: Vec<Direction<'_>> = deliveries.list.iter().filter_map(|delivery| index.of(delivery)).collect();
    // Deliveries come by position, and equals stay in the order they had.
    directions.sort_by_key(|direction| (direction.pair, direction.thread));
    let mut found = Vec::new();
    for between in directions.chunk_by(|a, b| (a.pair, a.thread) == (b.pair, b.thread)) {
        sweep(between, threads, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

/// A delivery as seen by two agents.
struct Direction<'a> {
    /// Both agents, the lower symbol first.
    pair: (Symbol, Symbol),
    /// Its conversation, or [`NO_POSITION`].
    thread: u32,
    /// Whether it goes from the first of the two to the second.
    is_forward: bool,
    delivery: &'a DeliveryRow,
}

struct DirectionIndex<'a> {
    table: &'a Table,
    entries: &'a [u32],
    threads: &'a Threads,
    /// The kinds that do not count.
    ack_kinds: [Option<Symbol>; 2],
}

impl DirectionIndex<'_> {
    fn of<'d>(&self, delivery: &'d DeliveryRow) -> Option<Direction<'d>> {
        let row = self.entries[delivery.position as usize] as usize;
        let (from, to, flags) = (self.table.from()[row], delivery.recipient, self.table.flags()[row]);
        let for_all = flags.contains(Flags::BROADCAST) || flags.contains(Flags::EVENT);
        if for_all || from.is_none() || from == to || delivery.stored_at == NO_TIME {
            return None;
        }
        if self.ack_kinds.contains(&Some(self.table.kind()[row])) {
            return None;
        }
        let number = self.threads.of[delivery.position as usize];
        let thread = if (number as usize) < self.threads.threads.len() { number } else { NO_POSITION };
        Some(Direction { pair: (from.min(to), from.max(to)), thread, is_forward: from < to, delivery })
    }
}

fn ack_kinds(table: &Table) -> [Option<Symbol>; 2] {
    [MessageType::ACKNOWLEDGMENT, MessageType::DELIVERY_FAILED].map(|kind| table.symbols.find(kind))
}

/// Iterates over what two agents said in one conversation, from the end, and looks at what came next the other way: if that
/// did not cross, nothing after it did.
fn sweep(between: &[Direction<'_>], threads: &Threads, found: &mut Vec<Crossed>) {
    let mut next: [Option<&DeliveryRow>; 2] = [None; 2];
    for direction in between.iter().rev() {
        if let Some(later) = next[usize::from(!direction.is_forward)]
            && is_known(direction.delivery)
            && threads.parent[later.position as usize] != direction.delivery.position
            && is_before_seen(later.stored_at, direction.delivery)
        {
            found.push(Crossed { earlier: direction.delivery.position, later: later.position });
        }
        next[usize::from(direction.is_forward)] = Some(direction.delivery);
    }
}

/// Returns whether it is known when, or that not, a copy was seen.
fn is_known(delivery: &DeliveryRow) -> bool {
    matches!(delivery.place, CopyLocation::Inbox | CopyLocation::Archive)
}

/// Returns whether a time is before a copy was seen. Who acknowledges or answers has seen, and in that very moment at the
/// latest; times count seconds, so what was sent in the second of reading may have been sent before it.
fn is_before_seen(time: i64, copy: &DeliveryRow) -> bool {
    let until = |sign: i64| sign == NO_TIME || time < sign;
    (copy.seen_at == NO_TIME || time <= copy.seen_at) && until(copy.acked_at) && until(copy.answered_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::fixture::{Fixture, at};

    fn check(lines: &[&str], copies: &[&str], wanted: &[(&str, &str)]) {
        let fixture = Fixture::new(lines).with_copies(copies);
        let Fixture { table, entries, copies } = &fixture;
        let threads = Threads::of(table, entries);
        let deliveries = Deliveries::trace(table, entries, copies, &threads, &[], at("12:00:00"));
        let found = crossed(table, entries, &threads, &deliveries);
        let found: Vec<_> = found.iter().map(|pair| (fixture.id(pair.earlier), fixture.id(pair.later))).collect();
        assert_eq!(found, wanted, "{lines:?}");
    }

    const THERE: &str = "10:00:00 ann>bob id=a";
    const BACK: &str = "10:00:05 bob>ann id=b";

    #[test]
    fn messages_sent_before_the_other_was_seen_cross() {
        check(&[THERE, BACK], &["a bob inbox seen=10:00:09", "b ann inbox"], &[("a", "b")]);
        check(&[THERE, BACK], &["a bob archive", "b ann inbox"], &[("a", "b")]);
        check(&[THERE, BACK], &["a bob inbox seen=10:00:04", "b ann inbox"], &[]);
        check(&[THERE, BACK], &["a bob inbox seen=10:00:05"], &[("a", "b")]);
    }

    #[test]
    fn unknown_receipts_do_not_cross() {
        check(&[THERE, BACK], &[], &[]);
        check(&[THERE, BACK], &["a bob nowhere", "b ann inbox"], &[]);
        check(&[THERE, "- bob>ann id=b"], &["a bob inbox", "b ann inbox"], &[]);
    }

    #[test]
    fn reply_implies_seen() {
        check(&[THERE, "10:00:05 bob>ann id=b re=a"], &["a bob inbox"], &[]);
        check(&["10:00:00 ann>bob id=a subject=X", "10:00:05 bob>ann id=b subject=Re: X"], &["a bob inbox"], &[]);
        let ack = "10:00:04 bob>ann id=k re=a kind=acknowledgment";
        check(&[THERE, ack, "10:00:05 bob>ann id=b re=k"], &["a bob inbox"], &[]);
        // A sign is not something that could cross anything.
        check(&[THERE, "10:00:05 bob>ann id=b kind=acknowledgment"], &["a bob inbox"], &[]);
    }

    #[test]
    fn crossed_messages_share_agents_and_thread() {
        let copies = ["a bob inbox", "b ann inbox"];
        check(&["10:00:00 ann>bob id=a thread=t", "10:00:05 bob>ann id=b thread=t"], &copies, &[("a", "b")]);
        check(&["10:00:00 ann>bob id=a thread=t", "10:00:05 bob>ann id=b thread=u"], &copies, &[]);
        check(&["10:00:00 ann>bob id=a thread=t", "10:00:05 bob>ann id=b"], &copies, &[]);
        check(&[THERE, "10:00:05 bob>cat id=b"], &["a bob inbox"], &[]);
        check(&[THERE, "10:00:05 bob>ALL id=b all"], &copies, &[]);
    }

    #[test]
    fn crossed_message_is_paired_with_first_in_other_direction() {
        let lines = [
            "10:00:00 ann>bob id=a1",
            "10:00:01 ann>bob id=a2",
            "10:00:02 bob>ann id=b1",
            "10:00:03 bob>ann id=b2",
            "10:00:04 ann>bob id=a3",
        ];
        let copies = ["a1 bob inbox", "a2 bob inbox", "a3 bob inbox", "b1 ann inbox seen=10:00:03", "b2 ann inbox"];
        check(&lines, &copies, &[("a1", "b1"), ("a2", "b1"), ("b2", "a3")]);
    }
}
