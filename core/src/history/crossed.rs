//! Crossed messages: two that were on their way to each other at the same time.

use huddle_scan::{Flag, NO_TIME, Symbol, Table};

use super::{CopyPlace, Deliveries, Delivery, NO_POSITION, Threads};
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
    let way = Ways { table, entries, threads, signs: signs(table) };
    if !deliveries.list.iter().any(is_known) {
        return Vec::new();
    }
    let mut ways: Vec<Way<'_>> = deliveries.list.iter().filter_map(|delivery| way.of(delivery)).collect();
    // Deliveries come by position, and equals stay in the order they had.
    ways.sort_by_key(|way| (way.pair, way.thread));
    let mut found = Vec::new();
    for between in ways.chunk_by(|a, b| (a.pair, a.thread) == (b.pair, b.thread)) {
        sweep(between, threads, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

/// A delivery as seen by two agents.
struct Way<'a> {
    /// Both agents, the lower symbol first.
    pair: (Symbol, Symbol),
    /// Its conversation, or [`NO_POSITION`].
    thread: u32,
    /// Whether it goes from the first of the two to the second.
    forth: bool,
    delivery: &'a Delivery,
}

struct Ways<'a> {
    table: &'a Table,
    entries: &'a [u32],
    threads: &'a Threads,
    /// The kinds that do not count.
    signs: [Option<Symbol>; 2],
}

impl Ways<'_> {
    fn of<'d>(&self, delivery: &'d Delivery) -> Option<Way<'d>> {
        let row = self.entries[delivery.position as usize] as usize;
        let (from, to, flags) = (self.table.from()[row], delivery.recipient, self.table.flags()[row]);
        let for_all = flags.has(Flag::Broadcast) || flags.has(Flag::Event);
        if for_all || from.is_none() || from == to || delivery.stored_at == NO_TIME {
            return None;
        }
        if self.signs.contains(&Some(self.table.kind()[row])) {
            return None;
        }
        let number = self.threads.of[delivery.position as usize];
        let thread = if (number as usize) < self.threads.threads.len() { number } else { NO_POSITION };
        Some(Way { pair: (from.min(to), from.max(to)), thread, forth: from < to, delivery })
    }
}

fn signs(table: &Table) -> [Option<Symbol>; 2] {
    [MessageType::ACKNOWLEDGMENT, MessageType::DELIVERY_FAILED].map(|kind| table.symbols.find(kind))
}

/// Goes over what two agents said in one conversation, from the end, and looks at what came next the other way: if that
/// did not cross, nothing after it did.
fn sweep(between: &[Way<'_>], threads: &Threads, found: &mut Vec<Crossed>) {
    let mut next: [Option<&Delivery>; 2] = [None; 2];
    for way in between.iter().rev() {
        if let Some(later) = next[usize::from(!way.forth)]
            && is_known(way.delivery)
            && threads.parent[later.position as usize] != way.delivery.position
            && is_before_seen(later.stored_at, way.delivery)
        {
            found.push(Crossed { earlier: way.delivery.position, later: later.position });
        }
        next[usize::from(way.forth)] = Some(way.delivery);
    }
}

/// Says whether it is known when, or that not, a copy was seen.
fn is_known(delivery: &Delivery) -> bool {
    matches!(delivery.place, CopyPlace::Inbox | CopyPlace::Archive)
}

/// Says whether a time is before a copy was seen. Who acknowledges or answers has seen, and in that very moment at the
/// latest; times count seconds, so what was sent in the second of reading may have been sent before it.
fn is_before_seen(time: i64, copy: &Delivery) -> bool {
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
    fn what_was_sent_before_the_other_was_seen_crossed_it() {
        check(&[THERE, BACK], &["a bob inbox seen=10:00:09", "b ann inbox"], &[("a", "b")]);
        check(&[THERE, BACK], &["a bob archive", "b ann inbox"], &[("a", "b")]);
        check(&[THERE, BACK], &["a bob inbox seen=10:00:04", "b ann inbox"], &[]);
        check(&[THERE, BACK], &["a bob inbox seen=10:00:05"], &[("a", "b")]);
    }

    #[test]
    fn what_is_not_known_is_not_crossed() {
        check(&[THERE, BACK], &[], &[]);
        check(&[THERE, BACK], &["a bob nowhere", "b ann inbox"], &[]);
        check(&[THERE, "- bob>ann id=b"], &["a bob inbox", "b ann inbox"], &[]);
    }

    #[test]
    fn who_answers_has_seen() {
        check(&[THERE, "10:00:05 bob>ann id=b re=a"], &["a bob inbox"], &[]);
        check(&["10:00:00 ann>bob id=a subject=X", "10:00:05 bob>ann id=b subject=Re: X"], &["a bob inbox"], &[]);
        let ack = "10:00:04 bob>ann id=k re=a kind=acknowledgment";
        check(&[THERE, ack, "10:00:05 bob>ann id=b re=k"], &["a bob inbox"], &[]);
        // A sign is not something that could cross anything.
        check(&[THERE, "10:00:05 bob>ann id=b kind=acknowledgment"], &["a bob inbox"], &[]);
    }

    #[test]
    fn only_what_is_between_the_same_two_in_one_conversation_crosses() {
        let copies = ["a bob inbox", "b ann inbox"];
        check(&["10:00:00 ann>bob id=a thread=t", "10:00:05 bob>ann id=b thread=t"], &copies, &[("a", "b")]);
        check(&["10:00:00 ann>bob id=a thread=t", "10:00:05 bob>ann id=b thread=u"], &copies, &[]);
        check(&["10:00:00 ann>bob id=a thread=t", "10:00:05 bob>ann id=b"], &copies, &[]);
        check(&[THERE, "10:00:05 bob>cat id=b"], &["a bob inbox"], &[]);
        check(&[THERE, "10:00:05 bob>ALL id=b all"], &copies, &[]);
    }

    #[test]
    fn each_is_told_of_once_with_the_first_that_came_the_other_way() {
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
