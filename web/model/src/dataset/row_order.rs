//! The order in which messages are listed.

use huddle_core::history::{NO_POSITION, Threads};

use crate::protocol::List;

/// What stands in one row of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// A conversation begins: its number.
    Head(u32),
    /// A message: its position among the entries.
    Said(u32),
}

/// The rows of a list.
#[derive(Debug)]
pub(crate) enum Order {
    /// All entries as they are.
    All(u32),
    /// Positions, and numbers of conversations with the highest bit set.
    Some(Vec<u32>),
}

/// Marks the number of a conversation among positions: there are never so many entries.
const HEAD: u32 = 1 << 31;

impl Order {
    /// Makes a list.
    pub(super) fn of(list: List, threads: &Threads, found: &[u32], entries: usize) -> Self {
        match (list.threads, list.found) {
            (false, false) => Self::All(entries as u32),
            (false, true) => Self::Some(found.to_vec()),
            (true, false) => Self::Some(in_threads(threads, entries, &|_| true)),
            (true, true) => {
                let mut wanted = vec![false; entries + 1];
                found.iter().for_each(|position| wanted[threads.of[*position as usize] as usize] = true);
                Self::Some(in_threads(threads, entries, &|thread| wanted[thread as usize]))
            }
        }
    }

    /// Counts the rows.
    pub(super) fn len(&self) -> u32 {
        match self {
            Self::All(count) => *count,
            Self::Some(items) => items.len() as u32,
        }
    }

    /// Gives a row.
    pub(super) fn get(&self, index: u32) -> Option<Item> {
        match self {
            Self::All(count) => (index < *count).then_some(Item::Said(index)),
            Self::Some(items) => items.get(index as usize).map(|item| match item & HEAD {
                0 => Item::Said(*item),
                _ => Item::Head(item & !HEAD),
            }),
        }
    }

    /// Finds the row of an entry.
    pub(super) fn index(&self, position: u32) -> Option<u32> {
        match self {
            Self::All(count) => Some(position).filter(|position| position < count),
            Self::Some(items) => items.iter().position(|item| *item == position).map(|index| index as u32),
        }
    }

    /// Finds the next row, or the one before, that holds a wanted message.
    pub(super) fn next(&self, from: Option<u32>, back: bool, wanted: &dyn Fn(u32, u32) -> bool) -> Option<(u32, u32)> {
        let holds = |index: &u32| match self.get(*index)? {
            Item::Said(position) => Some((*index, position)).filter(|_| wanted(*index, position)),
            Item::Head(_) => None,
        };
        if back {
            (0..from.unwrap_or(self.len()).min(self.len())).rev().find_map(|index| holds(&index))
        } else {
            (from.map_or(0, |from| from.saturating_add(1))..self.len()).find_map(|index| holds(&index))
        }
    }
}

/// Lists conversations by where they begin, and between them what stands alone.
fn in_threads(threads: &Threads, entries: usize, wanted: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let mut items = Vec::with_capacity(entries + threads.threads.len());
    for position in 0..entries as u32 {
        let number = threads.of[position as usize];
        match threads.threads.get(number as usize) {
            Some(thread) if thread.first == position && wanted(number) => {
                items.push(number | HEAD);
                items.extend_from_slice(threads.members(thread));
            }
            None if number != NO_POSITION && wanted(number) => items.push(position),
            _ => {}
        }
    }
    items
}
