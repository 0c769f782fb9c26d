//! Lists of elements that are kept for as long as they stand for the same.

use std::cell::RefCell;

use leptos::prelude::*;
use web_sys::Node;

use super::{El, effect};

/// What one item of a list is drawn as, and what lives as long as it.
struct Drawn<K> {
    key: K,
    element: El,
    owner: Owner,
}

/// Keeps the children of an element up to date with a list: items that were there before keep their elements.
pub fn keyed<T: 'static, K: PartialEq + 'static>(
    parent: &El,
    items: impl Fn() -> Vec<T> + 'static,
    key: fn(&T) -> K,
    make: impl Fn(&T) -> El + 'static,
) {
    // What an item is made in must outlive the next look at the list.
    let outer = Owner::current().unwrap_or_default();
    let drawn: StoredValue<Vec<Drawn<K>>, LocalStorage> = StoredValue::new_local(Vec::new());
    // Those of items that are gone serve others: what they are made in remembers each of them for as long as it is there.
    let spare: RefCell<Vec<Owner>> = RefCell::default();
    let parent = parent.clone();
    effect(move || {
        let items = items();
        let mut before = drawn.try_update_value(std::mem::take).unwrap_or_default();
        let mut now = Vec::with_capacity(items.len());
        for item in &items {
            let key = key(item);
            let known = before.iter().position(|drawn| drawn.key == key);
            now.push(known.map(|place| before.swap_remove(place)).unwrap_or_else(|| {
                let owner = spare.borrow_mut().pop().unwrap_or_else(|| outer.with(Owner::new));
                let element = owner.with(|| untrack(|| make(item)));
                Drawn { key, element, owner }
            }));
        }
        for gone in before {
            gone.owner.cleanup();
            gone.element.element().remove();
            spare.borrow_mut().push(gone.owner);
        }
        arrange(&parent, now.iter().map(|drawn| &drawn.element.0));
        drawn.try_update_value(|drawn| *drawn = now);
    });
}

/// Puts children in order, touching only those that are not in their place.
fn arrange<'n>(parent: &El, nodes: impl Iterator<Item = &'n Node>) {
    let mut place = parent.0.first_child();
    for node in nodes {
        if place.as_ref() == Some(node) {
            place = node.next_sibling();
        } else {
            let _ = parent.0.insert_before(node, place.as_ref());
        }
    }
}
