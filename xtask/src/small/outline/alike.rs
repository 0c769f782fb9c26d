//! Finds sequences of instructions that look alike: the same, but for the names of locals, and for numbers.

use std::collections::HashMap;

use super::flow::Step;
use super::look::{Look, Seen};

/// Sequences get no longer than this.
const LONGEST: usize = 400;

/// How many locals a sequence may be about.
const LOCALS: usize = 12;

/// The bytes of a call, and of an empty function: what is not longer than that cannot save anything.
pub(super) const CALL: usize = 3;
pub(super) const FUNCTION: usize = 5;

/// Where a sequence stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) function: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Place {
    /// Returns the instructions that stand there.
    pub(super) fn of<'a>(&self, looks: &'a [Look]) -> &'a [Seen] {
        &looks[self.function].code[self.start..self.end]
    }
}

/// Returns all groups of sequences that look alike, in order, and each of them in order, too.
pub(super) fn groups(looks: &[Look]) -> Vec<Vec<Place>> {
    let mut growing = Vec::new();
    for (function, look) in looks.iter().enumerate().filter(|(_, look)| !look.hot) {
        growing.extend((0..look.code.len()).map(|start| Growing::new(function, start)));
    }
    let mut groups = Vec::new();
    for _ in 0..LONGEST {
        // What is alike was alike when it was shorter by one.
        growing.retain_mut(|sequence| sequence.grow(looks));
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for sequence in &growing {
            *counts.entry(sequence.look).or_default() += 1;
        }
        growing.retain(|sequence| counts[&sequence.look] > 1);
        groups.append(&mut collected(&growing, &counts));
    }
    groups
}

/// Puts those together that look alike and could be worth it.
fn collected(sequences: &[Growing], counts: &HashMap<u64, usize>) -> Vec<Vec<Place>> {
    let mut groups: HashMap<u64, Vec<Place>> = HashMap::new();
    for sequence in sequences.iter().filter(|sequence| sequence.is_whole()) {
        if counts[&sequence.look] * sequence.bytes.saturating_sub(CALL) > sequence.bytes + FUNCTION {
            groups.entry(sequence.look).or_default().push(sequence.place);
        }
    }
    let mut groups: Vec<_> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_by_key(|group| (group[0].function, group[0].start));
    groups
}

/// A sequence that gets longer.
struct Growing {
    place: Place,
    /// Where the block ends that it is in.
    within: usize,
    bytes: usize,
    /// Stands for all that look like it.
    look: u64,
    /// Locals in the order in which it has them.
    locals: Vec<u32>,
}

impl Growing {
    fn new(function: usize, start: usize) -> Self {
        let place = Place { function, start, end: start };
        Self { place, within: start, bytes: 0, look: 0, locals: Vec::new() }
    }

    /// Takes one instruction more, and tells whether it could.
    fn grow(&mut self, looks: &[Look]) -> bool {
        let at = self.place.end;
        let Some(seen) = looks[self.place.function].code.get(at) else { return false };
        if self.is_whole() {
            match seen.step {
                Step::Stop => return false,
                Step::Next => {}
                Step::Block(end) => self.within = end + 1,
            }
        }
        self.look = mixed(self.look, seen.token);
        if let Some(local) = seen.local {
            let number = number(&mut self.locals, local);
            if number == LOCALS {
                return false;
            }
            self.look = mixed(self.look, number);
        }
        self.bytes += seen.bytes;
        self.place.end += 1;
        true
    }

    /// Tells whether it ends where no block is open that it began.
    fn is_whole(&self) -> bool {
        self.place.end >= self.within
    }
}

/// Returns the number of a local among those of a sequence.
pub(super) fn number(locals: &mut Vec<u32>, local: u32) -> usize {
    locals.iter().position(|known| *known == local).unwrap_or_else(|| {
        locals.push(local);
        locals.len() - 1
    })
}

/// Two that are different are very rarely the same when mixed.
fn mixed(look: u64, more: usize) -> u64 {
    let mixed = (look.rotate_left(5) ^ (more as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// Tells for certain whether two sequences look alike.
pub(super) fn same(one: &[Seen], other: &[Seen]) -> bool {
    let (mut of_one, mut of_other) = (Vec::new(), Vec::new());
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| {
            let names = one.local.map(|local| number(&mut of_one, local));
            one.token == other.token && names == other.local.map(|local| number(&mut of_other, local))
        })
}
