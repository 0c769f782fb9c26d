//! Sorting and collecting in order, compiled once: the library's own are compiled anew for every type, and in the
//! component those copies would take a tenth of all code.

mod sorted;

use std::cmp::Ordering;

pub use sorted::{SortedMap, SortedSet};

/// Sorts by a comparison; equals stay in the order they had.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted(items.len(), &|a, b| compare(&items[a], &items[b]));
    arrange(order, &mut |a, b| items.swap(a, b));
}

/// Sorts by a key; equals stay in the order they had.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// The one sort that is compiled: says which item is to be at each place.
fn sorted(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Brings each item to its place. Items that change places in a ring are swapped along it, each once.
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let next = std::mem::replace(&mut order[at], at);
            if next == start || next == at {
                break;
            }
            swap(at, next);
            at = next;
        }
    }
}

/// Collects a set.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> SortedSet<T> {
    items.into_iter().collect()
}

/// Collects a map; of two entries with one key the later stays.
pub fn map<K: Ord, V>(items: impl IntoIterator<Item = (K, V)>) -> SortedMap<K, V> {
    items.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_comes_to_its_place() {
        for len in 0..200_u32 {
            let mut items: Vec<u32> = (0..len).map(|number| number.wrapping_mul(2_654_435_761) % 97).collect();
            let mut wanted = items.clone();
            wanted.sort_unstable();
            sort(&mut items);
            assert_eq!(items, wanted);
        }
    }

    #[test]
    fn equals_stay_in_order() {
        let mut words = vec!["bb", "a", "cc", "b", "", "aa"];
        sort_by_key(&mut words, |word| word.len());
        assert_eq!(words, ["", "a", "b", "bb", "cc", "aa"]);
        sort(&mut words);
        assert_eq!(words, ["", "a", "aa", "b", "bb", "cc"]);
    }
}
