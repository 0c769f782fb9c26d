//! Lanes: one for each author, in order of first appearance.

use huddle_scan::{NO_TIME, Symbol};

const NONE: u32 = u32::MAX;

/// The lanes and the way from a name to its lane.
#[derive(Debug, Clone, Default)]
pub(super) struct Lanes {
    names: Vec<Symbol>,
    /// The lane of each symbol, by the symbol's number.
    numbers: Vec<u32>,
}

impl Lanes {
    /// Numbers names in order of the time at which each first came up; what has no time comes last.
    pub(super) fn new(seen: impl Iterator<Item = (i64, Symbol)>) -> Self {
        let mut lanes = Self::default();
        let mut firsts: Vec<(i64, Symbol)> = Vec::new();
        for (time, name) in seen {
            let time = if time == NO_TIME { i64::MAX } else { time };
            match lanes.number(name) {
                Some(lane) => firsts[lane as usize].0 = firsts[lane as usize].0.min(time),
                None => {
                    lanes.give(name, firsts.len() as u32);
                    firsts.push((time, name));
                }
            }
        }
        firsts.sort_by_key(|(time, _)| *time);
        for (lane, (_, name)) in firsts.into_iter().enumerate() {
            lanes.give(name, lane as u32);
            lanes.names.push(name);
        }
        lanes
    }

    pub(super) fn names(&self) -> &[Symbol] {
        &self.names
    }

    pub(super) fn number(&self, name: Symbol) -> Option<u32> {
        self.numbers.get(name.index()).copied().filter(|lane| *lane != NONE)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.names) + size_of_val(&*self.numbers)
    }

    fn give(&mut self, name: Symbol, lane: u32) {
        if self.numbers.len() <= name.index() {
            self.numbers.resize(name.index() + 1, NONE);
        }
        self.numbers[name.index()] = lane;
    }
}
