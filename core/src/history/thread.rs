//! Conversations: which entries belong together, and which answers which.
//!
//! The rule by which they belong together is the one that the bus goes by; a test in `tests/` compares what both make of
//! the same mailbox.

mod group;
mod subject;

pub(crate) use group::{Groups, Link, group};

use huddle_scan::{NO_TIME, Symbol, Table};

use super::{NO_POSITION, earliest};

/// All conversations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Threads {
    /// The conversations, the one with the newest message first, then by where they begin.
    pub threads: Vec<Thread>,
    /// For each entry the number of its conversation. An entry that stands alone has a number of its own, above all those
    /// of `threads`.
    pub of: Vec<u32>,
    /// For each entry the position of what it answers, or [`NO_POSITION`]; following it always comes to an end. What it
    /// answers may be in another conversation.
    pub parent: Vec<u32>,
    /// For each entry how many answers lie between it and one that answers nothing in its conversation.
    pub depth: Vec<u32>,
    /// Anomalies, by position.
    pub anomalies: Vec<ThreadAnomaly>,
    /// The positions of all that is in a conversation, one conversation after the other.
    order: Vec<u32>,
}

/// One conversation: several entries, or one that says what conversation it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thread {
    /// The first conversation id that an entry in it carries, or else the first entry's own id, if it has one.
    pub name: Symbol,
    /// The position of its first entry.
    pub first: u32,
    /// The position of its last entry.
    pub last: u32,
    /// How many entries it has.
    pub count: u32,
    /// The earliest time in it; [`NO_TIME`] when no entry has one.
    pub start: i64,
    /// The latest time in it; [`NO_TIME`] when no entry has one.
    pub end: i64,
    /// Where its members begin in the order of all.
    members: u32,
}

/// Something odd about what an entry answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadAnomaly {
    /// The entry's position.
    pub position: u32,
    /// The kind of anomaly.
    pub kind: AnomalyKind,
}

/// The kinds of anomaly in what an entry answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnomalyKind {
    /// It answers, by way of others, itself: here the circle was cut.
    Cycle,
    /// What it answers is not among the entries.
    MissingParent,
    /// What it answers is of another conversation.
    CrossThread,
    /// What it answers was said later.
    ParentLater,
}

impl Threads {
    /// Leaves every entry by itself.
    pub(super) fn alone(entries: usize) -> Self {
        let (parent, depth) = (vec![NO_POSITION; entries], vec![0; entries]);
        Self { of: (0..entries as u32).collect(), parent, depth, ..Self::default() }
    }

    /// Sorts entries into conversations.
    pub fn of(table: &Table, entries: &[u32]) -> Self {
        let continues = subject::continues(table, entries);
        let links = entries.iter().zip(continues).map(|(row, continues)| {
            let row = *row as usize;
            Link { id: table.id()[row], thread: table.thread()[row], reply_to: table.reply_to()[row], continues }
        });
        let Groups { roots, parents } = group(&links.collect::<Vec<_>>());
        let mut found = Self { parent: parents, ..Self::default() };
        found.record_anomalies(table, entries, &roots);
        found.list(table, entries, &roots);
        found.arrange(&roots);
        found
    }

    /// Lists the positions of what is in a conversation: answers below what they answer, and by time.
    pub fn members(&self, thread: &Thread) -> &[u32] {
        &self.order[thread.members as usize..][..thread.count as usize]
    }

    /// Returns the conversation of an entry, unless it stands alone.
    pub fn thread_of(&self, position: u32) -> Option<&Thread> {
        self.threads.get(self.of[position as usize] as usize)
    }

    /// Returns the conversation of an entry; one that stands alone gets one of its own, which is not listed.
    pub fn conversation(&mut self, table: &Table, entries: &[u32], position: u32) -> Thread {
        if let Some(thread) = self.thread_of(position) {
            return *thread;
        }
        let row = entries[position as usize] as usize;
        let (name, time) = (table.id()[row], table.time()[row]);
        let members = self.order.len() as u32;
        self.order.push(position);
        Thread { name, first: position, last: position, count: 1, start: time, end: time, members }
    }

    fn record_anomalies(&mut self, table: &Table, entries: &[u32], roots: &[u32]) {
        let missing = |(position, parent): (usize, &u32)| {
            *parent == NO_POSITION && !table.reply_to()[entries[position] as usize].is_none()
        };
        let missing: Vec<bool> = self.parent.iter().enumerate().map(missing).collect();
        let mut cuts = group::break_cycles(&mut self.parent).into_iter().peekable();
        let time = |position: u32| table.time()[entries[position as usize] as usize];
        for position in 0..entries.len() as u32 {
            let (place, parent) = (position as usize, self.parent[position as usize]);
            let mut note = |so: bool, kind: AnomalyKind| {
                if so {
                    self.anomalies.push(ThreadAnomaly { position, kind });
                }
            };
            note(cuts.next_if_eq(&position).is_some(), AnomalyKind::Cycle);
            note(missing[place], AnomalyKind::MissingParent);
            if parent != NO_POSITION {
                note(roots[place] != roots[parent as usize], AnomalyKind::CrossThread);
                note(time(position) != NO_TIME && time(parent) > time(position), AnomalyKind::ParentLater);
            }
        }
    }

    /// Fills in the list of conversations and which entry is in which.
    fn list(&mut self, table: &Table, entries: &[u32], roots: &[u32]) {
        let mut all = groups(table, entries, roots);
        all.retain(|thread| thread.count > 1 || !table.thread()[entries[thread.first as usize] as usize].is_none());
        all.sort_by(|a, b| b.end.cmp(&a.end).then(a.first.cmp(&b.first)));
        let (mut numbers, mut members) = (vec![NO_POSITION; entries.len()], 0);
        for (thread, number) in all.iter_mut().zip(0..) {
            numbers[thread.first as usize] = number;
            thread.members = members;
            members += thread.count;
        }
        let mut alone = all.len() as u32;
        let of = roots.iter().map(|root| {
            let number = &mut numbers[*root as usize];
            if *number == NO_POSITION {
                *number = alone;
                alone += 1;
            }
            *number
        });
        self.of = of.collect();
        self.threads = all;
    }

    /// Puts the members of each conversation in order. Chains of answers can be as long as a log, so nothing here calls
    /// itself.
    fn arrange(&mut self, roots: &[u32]) {
        let count = roots.len();
        // The first answer to each entry, the first entry of each group that answers nothing in it, and who comes after.
        let (mut answers, mut tops, mut next) =
            (vec![NO_POSITION; count], vec![NO_POSITION; count], vec![NO_POSITION; count]);
        for place in (0..count).rev() {
            let parent = self.parent[place];
            let below = parent != NO_POSITION && roots[parent as usize] == roots[place];
            let first = if below { &mut answers[parent as usize] } else { &mut tops[roots[place] as usize] };
            next[place] = std::mem::replace(first, place as u32);
        }
        self.depth = vec![0; count];
        for thread in &self.threads {
            let (mut position, mut depth) = (tops[thread.first as usize], 0);
            while position != NO_POSITION {
                self.order.push(position);
                self.depth[position as usize] = depth;
                if answers[position as usize] != NO_POSITION {
                    position = answers[position as usize];
                    depth += 1;
                    continue;
                }
                while next[position as usize] == NO_POSITION && depth > 0 {
                    position = self.parent[position as usize];
                    depth -= 1;
                }
                position = next[position as usize];
            }
        }
    }
}

/// Describes every group, those of one entry too, by where they begin.
fn groups(table: &Table, entries: &[u32], roots: &[u32]) -> Vec<Thread> {
    let mut groups: Vec<Thread> = Vec::new();
    let mut places = vec![0; entries.len()];
    for (position, (row, root)) in (0..).zip(entries.iter().zip(roots)) {
        let (row, root) = (*row as usize, *root as usize);
        let (time, name) = (table.time()[row], table.thread()[row]);
        if root == position as usize {
            places[root] = groups.len();
            let (first, start, end) = (position, time, time);
            groups.push(Thread { name, first, last: position, count: 0, start, end, members: 0 });
        }
        let group = &mut groups[places[root]];
        group.last = position;
        group.count += 1;
        group.start = earliest(group.start, time);
        group.end = group.end.max(time);
        group.name = group.name.some().unwrap_or(name);
    }
    for group in groups.iter_mut().filter(|group| group.name.is_none()) {
        group.name = table.id()[entries[group.first as usize] as usize];
    }
    groups
}

#[cfg(test)]
mod tests;
