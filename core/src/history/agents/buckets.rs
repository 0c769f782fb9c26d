//! Sorting and counting by number, in one pass each.

use huddle_scan::{Symbol, Table};

/// Items sorted into numbered buckets; in each they keep their order.
pub(super) struct Buckets {
    /// Where each bucket begins, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Buckets {
    /// Sorts items, given the bucket of each; what is in none of `count` buckets is left out.
    pub(super) fn new(buckets: &[u32], count: usize) -> Self {
        let is_kept = |bucket: &u32| (*bucket as usize) < count;
        let mut starts = vec![0; count + 1];
        for bucket in buckets.iter().copied().filter(is_kept) {
            starts[bucket as usize + 1] += 1;
        }
        for bucket in 0..count {
            starts[bucket + 1] += starts[bucket];
        }
        let (mut ends, mut items) = (starts.clone(), vec![0; starts[count] as usize]);
        for (item, bucket) in (0..).zip(buckets).filter(|(_, bucket)| is_kept(bucket)) {
            let end = &mut ends[*bucket as usize];
            items[*end as usize] = item;
            *end += 1;
        }
        Self { starts, items }
    }

    /// Lists the items of a bucket.
    pub(super) fn of(&self, bucket: usize) -> &[u32] {
        &self.items[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }
}

/// A counter for each symbol.
pub(super) struct SymbolCounter {
    counts: Vec<u32>,
}

impl SymbolCounter {
    pub(super) fn new(table: &Table) -> Self {
        Self { counts: vec![0; table.symbols.len()] }
    }

    /// Counts how often each symbol comes up, by symbol; what was not said does not count.
    pub(super) fn count(&mut self, symbols: &mut dyn Iterator<Item = Symbol>) -> Vec<(Symbol, u32)> {
        let mut found = Vec::new();
        for symbol in symbols.filter(|symbol| !symbol.is_none()) {
            if self.counts[symbol.index()] == 0 {
                found.push(symbol);
            }
            self.counts[symbol.index()] += 1;
        }
        found.sort();
        found.into_iter().map(|symbol| (symbol, std::mem::take(&mut self.counts[symbol.index()]))).collect()
    }
}
