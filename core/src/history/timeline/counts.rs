//! Counting entries of a lane between any two positions, without going over them.
//!
//! Two shortcuts stand beside the entries, which are kept lane by lane in order of position. *Slices* divide the whole
//! time into equal parts, a power of two long and more of them for busier lanes, and tell where in the lane each begins: so
//! a position is found by looking at one slice. *Blocks* are of 64 entries each and tell how many of what came before: so
//! the entries between two places are counted by looking at two blocks, however many they are. Neither is exact by itself;
//! what is left is looked up among the entries of one slice and one block. All counts are exact at every zoom and at
//! every edge, for about a byte an entry. (A pyramid of buckets would be exact only where its buckets end, and takes more.)

use std::ops::Range;

use super::class::{ClassCounts, EntryClass};

const BLOCK: usize = 64;
const ENTRIES_A_SLICE: usize = 16;
const MOST_SLICES: usize = 1 << 16;

/// One entry on its lane.
pub(super) struct PositionedEntry {
    pub(super) lane: u32,
    pub(super) position: i64,
    pub(super) entry: u32,
    pub(super) mark: EntryClass,
}

/// What belongs to one lane.
#[derive(Debug, Clone, Default)]
struct Lane {
    places: Range<usize>,
    /// Where its slices are. Each says at which place it begins; one more says where the last ends.
    slices: Range<usize>,
    /// A slice is this power of two long.
    shift: u32,
}

/// All entries, lane by lane.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    lanes: Vec<Lane>,
    positions: Vec<i64>,
    entries: Vec<u32>,
    marks: Vec<EntryClass>,
    slices: Vec<u32>,
    blocks: Vec<ClassCounts>,
}

impl Counts {
    /// Takes entries in order of position. Positions are less than `length`; `sizes` tells how many are on each lane.
    pub(super) fn new(placed: impl Iterator<Item = PositionedEntry>, sizes: &[u32], length: i64) -> Self {
        let mut counts = Self::default();
        let mut all = 0;
        let mut next: Vec<usize> = Vec::new();
        for size in sizes {
            next.push(all);
            counts.lanes.push(Lane { places: all..all + *size as usize, ..Lane::default() });
            all += *size as usize;
        }
        counts.positions.resize(all, 0);
        counts.entries.resize(all, 0);
        counts.marks.resize(all, EntryClass::new(super::Class::Other, super::Severity::None));
        for PositionedEntry { lane, position, entry, mark } in placed {
            let place = next[lane as usize];
            next[lane as usize] += 1;
            counts.positions[place] = position;
            counts.entries[place] = entry;
            counts.marks[place] = mark;
        }
        (0..sizes.len()).for_each(|lane| counts.slice(lane, length));
        counts.count_blocks();
        counts
    }

    /// Returns the places of the lane's entries in a range of positions, and adds to what was looked at.
    pub(super) fn places(&self, lane: u32, start: i64, end: i64, visited: &mut u32) -> Range<usize> {
        let first = self.place(lane, start, visited);
        first..self.place(lane, end, visited).max(first)
    }

    /// Returns the place of the lane's first entry that is not before a position.
    pub(super) fn place(&self, lane: u32, position: i64, visited: &mut u32) -> usize {
        let lane = &self.lanes[lane as usize];
        let slices = &self.slices[lane.slices.clone()];
        let slice = position >> lane.shift;
        if slice < 0 {
            return lane.places.start;
        }
        if slice >= slices.len() as i64 - 1 {
            return lane.places.end;
        }
        let (begin, end) = (slices[slice as usize], slices[slice as usize + 1]);
        let entries = &self.positions[begin as usize..end as usize];
        *visited += looks(entries.len());
        begin as usize + entries.partition_point(|at| *at < position)
    }

    /// Counts the entries at some places. `before` has those at all places before, and is brought up to the end of these.
    pub(super) fn class_counts(
        &self,
        places: Range<usize>,
        before: &mut ClassCounts,
        visited: &mut u32,
    ) -> ClassCounts {
        *visited += 1;
        if places.len() <= BLOCK {
            let class_counts = self.sum(ClassCounts::default(), places);
            before.join(&class_counts);
            return class_counts;
        }
        let after = self.until(places.end);
        let class_counts = after.since(before);
        *before = after;
        class_counts
    }

    /// Counts the entries at all places before one.
    pub(super) fn until(&self, place: usize) -> ClassCounts {
        let block = place / BLOCK;
        self.sum(self.blocks[block], block * BLOCK..place)
    }

    pub(super) fn positions(&self) -> &[i64] {
        &self.positions
    }

    pub(super) fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// Returns the places of a lane.
    pub(super) fn lane(&self, lane: u32) -> Range<usize> {
        self.lanes[lane as usize].places.clone()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.positions)
            + size_of_val(&*self.entries)
            + size_of_val(&*self.marks)
            + size_of_val(&*self.slices)
            + size_of_val(&*self.blocks)
    }

    fn sum(&self, mut class_counts: ClassCounts, places: Range<usize>) -> ClassCounts {
        self.marks[places].iter().for_each(|mark| class_counts.add(*mark));
        class_counts
    }

    fn slice(&mut self, lane: usize, length: i64) {
        let lane = &mut self.lanes[lane];
        let wanted = (lane.places.len() / ENTRIES_A_SLICE).clamp(1, MOST_SLICES);
        while (length - 1) >> lane.shift >= wanted as i64 {
            lane.shift += 1;
        }
        let first = self.slices.len();
        let count = ((length - 1) >> lane.shift) as usize + 1;
        self.slices.push(lane.places.start as u32);
        for place in lane.places.clone() {
            let slice = (self.positions[place] >> lane.shift) as usize;
            while self.slices.len() - first <= slice {
                self.slices.push(place as u32);
            }
        }
        self.slices.resize(first + count + 1, lane.places.end as u32);
        lane.slices = first..self.slices.len();
    }

    fn count_blocks(&mut self) {
        let mut class_counts = ClassCounts::default();
        self.blocks.push(class_counts);
        for block in self.marks.chunks(BLOCK) {
            block.iter().for_each(|mark| class_counts.add(*mark));
            self.blocks.push(class_counts);
        }
    }
}

/// Returns how much is looked at to find a position in a slice: the slice with its entries, and when it has more of them than a
/// block, once more for each time that it has to be halved first.
fn looks(entries: usize) -> u32 {
    1 + (entries / BLOCK + 1).ilog2()
}
