//! Delivery: how far each recipient's copy of each entry has come. "Sent" is not "seen".
//!
//! The steps mean what they mean to [`bus::trace_in`](crate::bus::trace_in), and what came back is told by the same signs;
//! a test in `tests/` compares what both make of the same mailbox.

mod replies;

pub use replies::Ack;

use huddle_scan::{Flags, NO_TIME, Symbol, Table};

use super::{CopyLocation, MailCopy, Threads, named_recipients};
use crate::bus::DeliveryStage;

/// What became of one recipient's copy. Agents leave out steps, and some say that they did something without saying when,
/// so a step may have come without any of the times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryRow {
    /// The position of the entry.
    pub position: u32,
    /// The recipient.
    pub recipient: Symbol,
    /// When it was stored: when the entry was made.
    pub stored_at: i64,
    /// When an inbox check listed it.
    pub offered_at: i64,
    /// When it was read.
    pub seen_at: i64,
    /// When the recipient first acknowledged it.
    pub acked_at: i64,
    /// When the recipient first answered it.
    pub answered_at: i64,
    /// When it was dead-lettered.
    pub dead_at: i64,
    /// How often it was redelivered.
    pub redelivered: u32,
    /// Where it lies. Documents and logs have no copies: theirs lie nowhere.
    pub place: CopyLocation,
    /// The latest delivery stage.
    pub step: DeliveryStage,
    /// It waits to be read: it lies in an inbox, or its document could say that it was read, and nothing says so.
    pub unread: bool,
    /// It needs an answer that has not come.
    pub unanswered: bool,
    /// The time for that answer is over.
    pub overdue: bool,
}

/// All deliveries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deliveries {
    /// Every delivery, by position and then recipient.
    pub list: Vec<DeliveryRow>,
    /// Where the deliveries of each entry begin, and where the last one's end.
    starts: Vec<u32>,
}

/// How far an entry has come with those it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeliveryProgress {
    /// Somebody has yet to see it.
    Sent,
    /// All have seen it.
    Seen,
    /// All have acknowledged it, or answered.
    Acked,
    /// All have answered it.
    Answered,
    /// It was given up on with all.
    Dead,
    /// It was given up on with some.
    Mixed,
}

/// What became of an entry, all recipients taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliverySummary {
    /// How far it has come with the one it has come least far with.
    pub progress: DeliveryProgress,
    /// Somebody has it to read.
    pub unread: bool,
    /// Somebody owes an answer.
    pub unanswered: bool,
    /// Somebody has owed it for too long.
    pub overdue: bool,
}

impl DeliveryProgress {
    /// Returns the word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Seen => "seen",
            Self::Acked => "acked",
            Self::Answered => "answered",
            Self::Dead => "dead",
            Self::Mixed => "mixed",
        }
    }

    const fn of(step: DeliveryStage) -> Self {
        match step {
            DeliveryStage::Stored | DeliveryStage::Offered => Self::Sent,
            DeliveryStage::Seen => Self::Seen,
            DeliveryStage::Acked => Self::Acked,
            DeliveryStage::Answered => Self::Answered,
            DeliveryStage::Dead => Self::Dead,
        }
    }

    fn and(self, other: Self) -> Self {
        if (self == Self::Dead) == (other == Self::Dead) && self != Self::Mixed { self.min(other) } else { Self::Mixed }
    }
}

impl Deliveries {
    /// Knows of no delivery of so many entries.
    pub(super) fn none(entries: usize) -> Self {
        Self { list: Vec::new(), starts: vec![0; entries + 1] }
    }

    /// Finds out how far every copy has come as of `now`. Copies are sorted by entry and then recipient; `acks` are
    /// acknowledgments that only the text of a message tells of.
    pub fn trace(
        table: &Table,
        entries: &[u32],
        copies: &[MailCopy],
        threads: &Threads,
        acks: &[Ack],
        now: i64,
    ) -> Self {
        let inputs = DeliveryInputs { table, entries, copies, task: table.symbols.find("task") };
        let mut found = inputs.deliveries();
        replies::note_replies(&mut found, &inputs);
        replies::note_acks(&mut found, &inputs, acks);
        replies::note_results(&mut found, &inputs, threads);
        for delivery in &mut found.list {
            inputs.mark_unanswered(delivery, now);
        }
        found
    }

    /// Lists what became of the entry at a position, by recipient.
    pub fn of(&self, position: u32) -> &[DeliveryRow] {
        &self.list[self.range(position)]
    }

    /// Sums up what became of the entry at a position; none when it is for nobody that is known.
    pub fn summary(&self, position: u32) -> Option<DeliverySummary> {
        let one = |delivery: &DeliveryRow| DeliverySummary {
            progress: DeliveryProgress::of(delivery.step),
            unread: delivery.unread,
            unanswered: delivery.unanswered,
            overdue: delivery.overdue,
        };
        self.of(position).iter().map(one).reduce(|a, b| DeliverySummary {
            progress: a.progress.and(b.progress),
            unread: a.unread || b.unread,
            unanswered: a.unanswered || b.unanswered,
            overdue: a.overdue || b.overdue,
        })
    }

    fn range(&self, position: u32) -> std::ops::Range<usize> {
        let place = position as usize;
        self.starts[place] as usize..self.starts[place + 1] as usize
    }
}

impl DeliveryRow {
    /// Notes that a copy has come to a step, unless it has come further.
    fn advance_to(&mut self, step: DeliveryStage) {
        // An answer shows that giving up was wrong; an acknowledgment may have been a machine's.
        let rank = |step: DeliveryStage| match step {
            DeliveryStage::Answered => 6,
            step => step as u8,
        };
        if rank(step) > rank(self.step) {
            self.step = step;
        }
    }
}

/// All that is kept.
struct DeliveryInputs<'a> {
    table: &'a Table,
    entries: &'a [u32],
    copies: &'a [MailCopy],
    /// What documents call work that is given to somebody.
    task: Option<Symbol>,
}

impl DeliveryInputs<'_> {
    fn row(&self, position: u32) -> usize {
        self.entries[position as usize] as usize
    }

    fn copies_of(&self, row: usize) -> &[MailCopy] {
        let start = self.copies.partition_point(|copy| (copy.entry as usize) < row);
        let own = &self.copies[start..];
        &own[..own.partition_point(|copy| copy.entry as usize == row)]
    }

    /// Returns whether a row gives work to somebody as documents do, which do not say that they need an answer.
    fn is_task(&self, row: usize) -> bool {
        self.task == Some(self.table.kind()[row]) && self.copies_of(row).is_empty()
    }

    /// Lists all copies, and those that should be there because entries name their recipients.
    fn deliveries(&self) -> Deliveries {
        let marked = self.marked_files();
        let mut found = Deliveries { list: Vec::new(), starts: vec![0] };
        let mut names = Vec::new();
        for (row, position) in self.entries.iter().zip(0..) {
            let copies = self.copies_of(*row as usize);
            named_recipients(self.table, *row, &mut names);
            let mut rest = copies.iter().peekable();
            for name in &names {
                while let Some(copy) = rest.next_if(|copy| copy.recipient < *name) {
                    found.list.push(self.copied(position, copy));
                }
                if rest.peek().is_none_or(|copy| copy.recipient != *name) {
                    let mut delivery = self.named(position, *name);
                    let file = self.table.file()[*row as usize] as usize;
                    let tells = marked[file] || self.table.flags()[*row as usize].contains(Flags::DELIVERED);
                    delivery.unread = copies.is_empty() && tells && delivery.step == DeliveryStage::Stored;
                    found.list.push(delivery);
                }
            }
            found.list.extend(rest.map(|copy| self.copied(position, copy)));
            found.starts.push(found.list.len() as u32);
        }
        found
    }

    /// Returns for each file whether it tells of anything that it was read. What others do not tell of is not unread: nobody
    /// knows.
    fn marked_files(&self) -> Vec<bool> {
        let files = self.table.file().iter().max().map_or(0, |last| *last as usize + 1);
        let mut marked = vec![false; files];
        for row in 0..self.table.len() {
            marked[self.table.file()[row] as usize] |= self.says_read(row);
        }
        marked
    }

    fn says_read(&self, row: usize) -> bool {
        self.table.flags()[row].contains(Flags::READ) || self.table.read_at()[row] != NO_TIME
    }

    fn copied(&self, position: u32, copy: &MailCopy) -> DeliveryRow {
        let mut delivery = DeliveryRow {
            offered_at: copy.offered_at,
            seen_at: copy.seen_at,
            dead_at: copy.dead_at,
            redelivered: copy.redelivered,
            place: copy.place,
            unread: copy.place == CopyLocation::Inbox && copy.seen_at == NO_TIME,
            ..self.stored(position, copy.recipient)
        };
        let dead = copy.place == CopyLocation::DeadLetters;
        let steps = [
            (copy.offered_at != NO_TIME, DeliveryStage::Offered),
            (copy.seen_at != NO_TIME, DeliveryStage::Seen),
            (dead, DeliveryStage::Dead),
        ];
        for (_, step) in steps.into_iter().filter(|(so, _)| *so) {
            delivery.advance_to(step);
        }
        delivery
    }

    /// Describes a delivery of which only the entry itself tells. Where copies are kept, each tells whether it was read; a
    /// document tells it of itself.
    fn named(&self, position: u32, recipient: Symbol) -> DeliveryRow {
        let row = self.row(position);
        let mut delivery = self.stored(position, recipient);
        if self.says_read(row) && self.copies_of(row).is_empty() {
            delivery.seen_at = self.table.read_at()[row];
            delivery.step = DeliveryStage::Seen;
        }
        delivery
    }

    fn stored(&self, position: u32, recipient: Symbol) -> DeliveryRow {
        DeliveryRow {
            position,
            recipient,
            stored_at: self.table.time()[self.row(position)],
            offered_at: NO_TIME,
            seen_at: NO_TIME,
            acked_at: NO_TIME,
            answered_at: NO_TIME,
            dead_at: NO_TIME,
            redelivered: 0,
            place: CopyLocation::Nowhere,
            step: DeliveryStage::Stored,
            unread: false,
            unanswered: false,
            overdue: false,
        }
    }

    /// Notes whether an answer is owed.
    fn mark_unanswered(&self, delivery: &mut DeliveryRow, now: i64) {
        let row = self.row(delivery.position);
        let needs = self.table.flags()[row].contains(Flags::NEEDS_ANSWER) || self.is_task(row);
        let (asks_itself, due) = (delivery.recipient == self.table.from()[row], self.table.due()[row]);
        delivery.unanswered = needs && !asks_itself && delivery.step != DeliveryStage::Answered;
        delivery.overdue = delivery.unanswered && delivery.step != DeliveryStage::Dead && due != NO_TIME && due < now;
    }
}

#[cfg(test)]
mod tests;
