//! Send keys: trying again cannot deliver twice.

use super::*;
use crate::engine::{Error, SendKey};

theme!("keys":
    a_repetition_does_nothing,
    a_repetition_may_come_by_another_handle,
    a_key_is_for_one_message,
    another_sender_may_use_the_same_key,
    another_key_is_another_message,
    any_text_is_a_key,
    without_a_key_messages_are_told_apart_by_id,
);

fn keyed(name: &str, from: &str, key: &str, fingerprint: &str) -> Transaction {
    let key = SendKey { key: key.to_owned(), fingerprint: fingerprint.to_owned() };
    Transaction { key: Some(key), ..direct(letter(name, from, &["bob"])) }
}

#[track_caller]
fn check_duplicate(engine: &dyn Engine, change: Transaction, earlier: &str) {
    assert_eq!(engine.commit(change).expect("a repetition is fine"), CommitOutcome::Duplicate(id(earlier)));
}

fn a_repetition_does_nothing(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, keyed("m-1", "ann", "k", "same"));
    let before = directory_of(engines.one);
    let later = Message { sent_at: at(60), ..letter("m-2", "ann", &["bob", "cyd"]) };
    check_duplicate(engines.one, Transaction { key: keyed("m-2", "ann", "k", "same").key, ..direct(later) }, "m-1");
    check_duplicate(engines.one, keyed("m-1", "ann", "k", "same"), "m-1");
    check_inbox(engines.two, "bob", &["m-1"]);
    check_inbox(engines.two, "cyd", &[]);
    assert_eq!(directory_of(engines.two), before, "neither counters nor last_seen move");
    assert_eq!(snapshot(engines.two).sent.len(), 1);
}

fn a_repetition_may_come_by_another_handle(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, keyed("m-1", "ann", "k", "same"));
    check_duplicate(engines.two, keyed("m-2", "ann", "k", "same"), "m-1");
    check_duplicate(engines.one, keyed("m-3", "ann", "k", "same"), "m-1");
    check_inbox(engines.one, "bob", &["m-1"]);
}

fn a_key_is_for_one_message(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, keyed("m-1", "ann", "k", "one thing"));
    match engines.two.commit(keyed("m-2", "ann", "k", "another")).map_err(|error| *error) {
        Err(Error::KeyReused { key, earlier }) => assert_eq!((key.as_str(), earlier), ("k", id("m-1"))),
        other => panic!("a key used for another message is KeyReused, not {other:?}"),
    }
    check_inbox(engines.one, "bob", &["m-1"]);
    assert_eq!(directory_of(engines.one).agents[&agent("bob")].message_count, 1);
}

fn another_sender_may_use_the_same_key(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, keyed("m-1", "ann", "k", "one thing"));
    commit(engines.two, keyed("m-2", "cyd", "k", "another"));
    check_duplicate(engines.one, keyed("m-3", "cyd", "k", "another"), "m-2");
    check_duplicate(engines.two, keyed("m-4", "ann", "k", "one thing"), "m-1");
    check_inbox(engines.one, "bob", &["m-1", "m-2"]);
}

fn another_key_is_another_message(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, keyed("m-1", "ann", "k-1", "same"));
    commit(engines.one, keyed("m-2", "ann", "k-2", "same"));
    check_inbox(engines.two, "bob", &["m-1", "m-2"]);
}

fn any_text_is_a_key(engines: &Engines<'_>) {
    with_bus(engines);
    let long = "long ".repeat(100);
    let keys = ["", " ", "a/b", "../../x", "a\nb", "K", "k", "\0", "🦀 ünï", "ann/k", "a%2Fb", &long];
    for (turn, key) in keys.into_iter().enumerate() {
        commit(engines.one, keyed(&format!("m-{turn:02}"), "ann", key, "same"));
    }
    for (turn, key) in keys.into_iter().enumerate() {
        check_duplicate(engines.two, keyed("again", "ann", key, "same"), &format!("m-{turn:02}"));
    }
    assert_eq!(inbox(engines.two, "bob", true).len(), keys.len());
}

fn without_a_key_messages_are_told_apart_by_id(engines: &Engines<'_>) {
    with_bus(engines);
    let twin =
        |name: &str| Message { subject: "same".to_owned(), body: "same".into(), ..letter(name, "ann", &["bob"]) };
    commit(engines.one, direct(twin("m-1")));
    commit(engines.one, direct(twin("m-2")));
    check_inbox(engines.two, "bob", &["m-1", "m-2"]);
}
