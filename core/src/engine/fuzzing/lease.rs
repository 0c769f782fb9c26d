//! Lease files of any name and content: acquiring ends, and once any lease has run out, it succeeds.

use super::bus::{Tree, name, own_context};
use super::expect;
use super::planted::{Plant, is_in, plants};
use crate::bus::{InboxFilter, NewAgent, SweepRules};
use crate::engine::journal::{LEASES, WORK};
use crate::model::Span;

/// The longest time that a lease counts, and less than a process waits for one.
const LONGEST: Span = Span::from_seconds(29);

/// Plants files among the leases of a bus (or, if the first byte is odd, of sessions) and has agents acquire them.
pub fn lease(data: &[u8]) {
    let [tree, files @ ..] = data else { return };
    let mut plants = plants(files);
    let is_entry = |plant: &Plant<'_>| plant.path.ends_with(".json");
    plants.retain(|plant| is_in(&plant.path, LEASES) || (is_in(&plant.path, WORK) && !is_entry(plant)));
    if tree % 2 == 1 {
        crate::session::fuzzing::lease(&plants);
    } else {
        on_a_bus(&plants);
    }
}

fn on_a_bus(plants: &[Plant<'_>]) {
    let tree = Tree::with_planted(plants);
    let [ann, bob, cyd] = ["ann", "bob", "cyd"].map(name);
    // A lease that lasts no longer than one of ours counts, whoever wrote it.
    tree.act_within(LONGEST, |bus| expect("listing the inbox", bus.inbox(&cyd, &InboxFilter::default())));
    tree.act_within(LONGEST, |bus| expect("registering", bus.register(&bob, &NewAgent::with_role("builder"))));
    tree.act_within(LONGEST, |bus| expect("updating", bus.update_context(&bob, &own_context(), "more", None)));
    tree.act_within(LONGEST, |bus| expect("sweeping", bus.sweep(None, &SweepRules::default())));
    tree.send(&ann, &cyd, "under leases");

    tree.host.advance(LONGEST);
    let limit = Span::from_seconds(5);
    let registered = tree.act_within(limit, |bus| bus.register(&name("dan"), &NewAgent::with_role("builder")));
    expect("registering", registered);
    tree.act_within(limit, |bus| expect("updating", bus.update_context(&bob, &own_context(), "more", None)));
    tree.act_within(limit, |bus| expect("sweeping", bus.sweep(None, &SweepRules::default())));
    let counted = tree.count(&cyd);
    tree.send(&ann, &cyd, "after");
    assert_eq!(tree.count(&cyd), counted + 1, "what cyd was sent is counted once");
}
