//! Sorting and collecting in order, compiled once: the library's own are compiled anew for every type, and in the
//! component those copies would take a tenth of all code.

mod sorted;

use std::cmp::Ordering;

pub use sorted::{SortedMap, SortedSet};

/// Sorts by a comparison; equals stay in the order they had.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    for (a, b) in swaps(items.len(), &|a, b| compare(&items[a], &items[b])) {
        items.swap(a, b);
    }
}

/// Sorts by a key; equals stay in the order they had.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// The one sort that is compiled: says which places to swap, one after the other, to put things in order.
fn swaps(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    let mut swaps = Vec::new();
    for start in 0..len {
        // What is to be here is elsewhere, and what is here goes there: a circle that is gone round once.
        let mut here = start;
        while order[here] != here {
            let there = std::mem::replace(&mut order[here], here);
            if there == start {
                break;
            }
            swaps.push((here, there));
            here = there;
        }
    }
    swaps
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
    fn equals_stay_in_order() {
        let mut words = vec!["bb", "a", "cc", "b", "", "aa"];
        sort_by_key(&mut words, |word| word.len());
        assert_eq!(words, ["", "a", "b", "bb", "cc", "aa"]);
        sort(&mut words);
        assert_eq!(words, ["", "a", "aa", "b", "bb", "cc"]);
    }
}
