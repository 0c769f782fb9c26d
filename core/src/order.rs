//! Sorting and collecting in order, compiled once: the library's own are compiled anew for every type, and in the
//! component those copies would take a tenth of all code.

mod map;

pub use map::Map;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

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

/// Collects a set one by one: collecting at once would sort first.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}

/// Collects a map one by one: collecting at once would sort first.
pub fn map<K: Ord, V>(items: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(items);
    map
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

    #[test]
    fn collections_hold_what_they_were_given() {
        assert_eq!(set([3, 1, 3]), BTreeSet::from([1, 3]));
        assert_eq!(map([(1, 'a'), (1, 'b')]), BTreeMap::from([(1, 'b')]));
    }
}
