//! Arrows: who spoke to whom.

use std::collections::BTreeMap;
use std::ops::Range;

use huddle_scan::{Flags, Symbol, Table};

use super::Timeline;
use super::lanes::Lanes;
use crate::history::{is_for_everybody, named_recipients};

/// A message on its way from one lane to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    /// The message: its position among those that the timeline was built from.
    pub entry: u32,
    /// The position of its time.
    pub position: i64,
    /// The lane it is from.
    pub from: u32,
    /// A lane it is for.
    pub to: u32,
}

/// How many messages went from one lane to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The lane they are from.
    pub from: u32,
    /// The lane they are for.
    pub to: u32,
    /// How many.
    pub count: u32,
}

/// The messages in a window. One that is for several lanes counts once for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrows {
    /// Each of them, in order of time.
    Each(Vec<Arrow>),
    /// More than were wanted: how many for each pair of lanes, in order.
    Pairs(Vec<Pair>),
}

impl Arrows {
    /// Counts the messages.
    pub fn total(&self) -> u64 {
        match self {
            Self::Each(arrows) => arrows.len() as u64,
            Self::Pairs(pairs) => pairs.iter().map(|pair| u64::from(pair.count)).sum(),
        }
    }
}

/// All messages from one lane to the same recipients.
#[derive(Debug, Clone)]
struct Route {
    from: u32,
    to: Vec<u32>,
    /// The messages, in order.
    entries: Vec<u32>,
}

/// All messages from lane to lane.
#[derive(Debug, Clone, Default)]
pub(super) struct Routes {
    routes: Vec<Route>,
    /// The number of the route for each author's lane and each recipient.
    numbers: BTreeMap<(u32, Symbol, bool), usize>,
}

impl Routes {
    /// Takes an entry of a lane; they come in order.
    pub(super) fn add(&mut self, table: &Table, lanes: &Lanes, entry: u32, row: u32, from: u32) {
        let (to, flags) = (table.to()[row as usize], table.flags()[row as usize]);
        let everybody = flags.contains(Flags::BROADCAST);
        if flags.contains(Flags::EVENT) || (to.is_none() && !everybody) {
            return;
        }
        let next = self.routes.len();
        let number = *self.numbers.entry((from, to, everybody)).or_insert(next);
        if number == next {
            let to = recipients(table, lanes, row, from);
            self.routes.push(Route { from, to, entries: Vec::new() });
        }
        let route = &mut self.routes[number];
        if !route.to.is_empty() {
            route.entries.push(entry);
        }
    }

    /// Forgets what only adding needs.
    pub(super) fn done(mut self) -> Self {
        self.routes.retain(|route| !route.entries.is_empty());
        self.routes.iter_mut().for_each(|route| route.entries.shrink_to_fit());
        self.numbers = BTreeMap::new();
        self
    }

    pub(super) fn bytes(&self) -> usize {
        self.routes
            .iter()
            .map(|route| size_of::<Route>() + size_of_val(&*route.entries) + size_of_val(&*route.to))
            .sum()
    }
}

impl Timeline {
    /// Returns the messages from lane to lane in a window of positions: each of them when they are at most `limit`, and
    /// otherwise how many there are for each pair of lanes.
    pub fn arrows(&self, start: i64, end: i64, limit: usize) -> Arrows {
        let window = self.first_from(start)..self.first_from(end);
        let mut found: Vec<(&Route, &[u32])> = Vec::new();
        let mut total = 0;
        for route in &self.routes.routes {
            let entries = within(&route.entries, &window);
            if !entries.is_empty() {
                total += entries.len() * route.to.len();
                found.push((route, entries));
            }
        }
        if total <= limit { Arrows::Each(self.each(&found)) } else { Arrows::Pairs(pairs(&found)) }
    }

    fn each(&self, found: &[(&Route, &[u32])]) -> Vec<Arrow> {
        let mut arrows = Vec::new();
        for (route, entries) in found {
            for &entry in *entries {
                let position = self.position(route.from, entry);
                arrows.extend(route.to.iter().map(|&to| Arrow { entry, position, from: route.from, to }));
            }
        }
        arrows.sort();
        arrows
    }

    /// Returns the first entry that is not before a position.
    fn first_from(&self, position: i64) -> u32 {
        let first = |lane: u32| {
            let place = self.counts.place(lane, position, &mut 0);
            (place < self.counts.lane(lane).end).then(|| self.counts.entries()[place])
        };
        (0..self.lanes().len() as u32).filter_map(first).min().unwrap_or(u32::MAX)
    }

    /// Returns the position of an entry of a lane.
    fn position(&self, lane: u32, entry: u32) -> i64 {
        let places = self.counts.lane(lane);
        let place = self.counts.entries()[places.clone()].partition_point(|before| *before < entry);
        self.counts.positions()[places.start + place]
    }
}

fn within<'e>(entries: &'e [u32], window: &Range<u32>) -> &'e [u32] {
    let start = entries.partition_point(|entry| *entry < window.start);
    let end = entries.partition_point(|entry| *entry < window.end);
    &entries[start..end.max(start)]
}

fn pairs(found: &[(&Route, &[u32])]) -> Vec<Pair> {
    let mut counts: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (route, entries) in found {
        for to in &route.to {
            *counts.entry((route.from, *to)).or_default() += entries.len() as u32;
        }
    }
    counts.into_iter().map(|((from, to), count)| Pair { from, to, count }).collect()
}

/// Returns the lanes that a row is for, its own left out.
fn recipients(table: &Table, lanes: &Lanes, row: u32, from: u32) -> Vec<u32> {
    let mut to: Vec<u32> = Vec::new();
    if is_for_everybody(table, row) {
        to.extend(0..lanes.names().len() as u32);
    } else {
        let mut names = Vec::new();
        named_recipients(table, row, &mut names);
        to.extend(names.iter().filter_map(|name| lanes.number(*name)));
    }
    to.retain(|lane| *lane != from);
    to
}
