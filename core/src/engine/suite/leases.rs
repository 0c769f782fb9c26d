//! Leases: one holder at a time, for a while.

use super::*;
use crate::engine::{Error, Lease};
use crate::model::LeaseName;

theme!("leases":
    a_free_lease_is_taken_at_once,
    a_held_lease_names_its_holder,
    the_wait_is_as_long_as_asked,
    a_released_lease_is_free,
    an_expired_lease_is_taken_over,
    a_waiting_agent_gets_an_expired_lease,
    a_release_after_a_takeover_changes_nothing,
    a_release_after_two_takeovers_changes_nothing,
    fencing_numbers_rise,
    leases_of_other_names_are_apart,
    a_release_may_come_twice,
);

/// Long enough to be held to the end of any case, on any host.
const LONG: Span = Span::from_seconds(60);
const SHORT: Span = Span::from_millis(50);
const AT_ONCE: Span = Span::from_millis(0);

fn lease_name(text: &str) -> LeaseName {
    text.parse().expect("a case uses valid lease names")
}

#[track_caller]
fn take(engine: &dyn Engine, owner: &str, ttl: Span) -> Lease {
    engine.lease(&lease_name("work"), owner, ttl, AT_ONCE).expect("the lease is free")
}

#[track_caller]
fn check_locked(engine: &dyn Engine, owner: &str, wait: Span, holder: &str) {
    match engine.lease(&lease_name("work"), owner, LONG, wait).map_err(|error| *error) {
        Err(Error::Locked { holder: found, .. }) => {
            assert!(found.contains(holder), "the holder is {holder}, not {found}");
        }
        other => panic!("the lease is held by {holder}: that is Locked, not {other:?}"),
    }
}

fn a_free_lease_is_taken_at_once(engines: &Engines<'_>) {
    with_bus(engines);
    let before = engines.host.now();
    let lease = take(engines.one, "ann", LONG);
    assert_eq!((lease.name.as_str(), lease.owner.as_str()), ("work", "ann"));
    assert!(lease.expires_at >= before.plus(LONG), "it holds for as long as was asked");
    assert!(lease.expires_at <= engines.host.now().plus(LONG), "and no longer");
}

fn a_held_lease_names_its_holder(engines: &Engines<'_>) {
    with_bus(engines);
    take(engines.one, "ann of the north", LONG);
    check_locked(engines.two, "bob", AT_ONCE, "ann of the north");
}

fn the_wait_is_as_long_as_asked(engines: &Engines<'_>) {
    with_bus(engines);
    take(engines.one, "ann", LONG);
    let before = engines.host.now();
    check_locked(engines.two, "bob", Span::from_millis(100), "ann");
    let waited = engines.host.now().since(before);
    assert!(waited >= Span::from_millis(90), "gave up after {} ms", waited.millis());
    assert!(waited <= Span::from_seconds(10), "gave up after {} ms", waited.millis());
}

fn a_released_lease_is_free(engines: &Engines<'_>) {
    with_bus(engines);
    let lease = take(engines.one, "ann", LONG);
    engines.one.release(&lease).expect("release works");
    let next = take(engines.two, "bob", LONG);
    assert_eq!(next.owner, "bob");
    check_locked(engines.one, "ann", AT_ONCE, "bob");
}

fn an_expired_lease_is_taken_over(engines: &Engines<'_>) {
    with_bus(engines);
    let old = take(engines.one, "ann", SHORT);
    (engines.advance)(Span::from_millis(100));
    let new = take(engines.two, "bob", LONG);
    assert!(new.fence > old.fence, "{} comes after {}", new.fence, old.fence);
    check_locked(engines.one, "ann", AT_ONCE, "bob");
}

fn a_waiting_agent_gets_an_expired_lease(engines: &Engines<'_>) {
    with_bus(engines);
    let old = take(engines.one, "ann", Span::from_millis(150));
    let new = engines.two.lease(&lease_name("work"), "bob", LONG, LONG).expect("the wait outlasts the lease");
    assert!(engines.host.now() >= old.expires_at, "not before it expired");
    assert!(new.fence > old.fence, "{} comes after {}", new.fence, old.fence);
}

fn a_release_after_a_takeover_changes_nothing(engines: &Engines<'_>) {
    with_bus(engines);
    let old = take(engines.one, "ann", SHORT);
    (engines.advance)(Span::from_millis(100));
    take(engines.two, "bob", LONG);
    engines.one.release(&old).expect("a late release is fine");
    check_locked(engines.one, "ann", AT_ONCE, "bob");
}

fn a_release_after_two_takeovers_changes_nothing(engines: &Engines<'_>) {
    with_bus(engines);
    let old = take(engines.one, "ann", SHORT);
    (engines.advance)(Span::from_millis(100));
    let between = take(engines.two, "bob", LONG);
    engines.two.release(&between).expect("release works");
    let held = take(engines.two, "bob", LONG);
    // The old number may come back by this, with a gap between it and the current one: nobody may fill that.
    engines.one.release(&old).expect("a late release is fine");
    check_locked(engines.one, "ann", AT_ONCE, "bob");
    check_locked(engines.two, "cyd", AT_ONCE, "bob");
    // Bob's lease is the current one to its end: giving it back is what makes it free.
    engines.two.release(&held).expect("release works");
    let next = take(engines.one, "ann", LONG);
    assert!(next.fence > held.fence, "{} comes after {}", next.fence, held.fence);
}

fn fencing_numbers_rise(engines: &Engines<'_>) {
    with_bus(engines);
    let mut last = None;
    for turn in 0..6 {
        let engine = if turn % 2 == 0 { engines.one } else { engines.two };
        let expires = turn == 2;
        let lease = take(engine, "ann", if expires { SHORT } else { LONG });
        assert!(Some(lease.fence) > last, "turn {turn}: {} comes after {last:?}", lease.fence);
        last = Some(lease.fence);
        if expires {
            (engines.advance)(Span::from_millis(100));
        } else {
            engine.release(&lease).expect("release works");
        }
    }
}

fn leases_of_other_names_are_apart(engines: &Engines<'_>) {
    with_bus(engines);
    for name in ["work", "work 2", "ünï", "work.lock"] {
        let lease = engines.one.lease(&lease_name(name), "ann", LONG, AT_ONCE).expect("it is free");
        assert_eq!(lease.name, lease_name(name));
    }
    check_locked(engines.two, "bob", AT_ONCE, "ann");
}

fn a_release_may_come_twice(engines: &Engines<'_>) {
    with_bus(engines);
    let old = take(engines.one, "ann", LONG);
    engines.one.release(&old).expect("release works");
    engines.two.release(&old).expect("a second release is fine");
    take(engines.one, "bob", LONG);
    engines.two.release(&old).expect("a third release is fine");
    check_locked(engines.one, "ann", AT_ONCE, "bob");
}
