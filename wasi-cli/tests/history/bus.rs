//! The same mailbox, read as a bus and as history: both must tell the same story.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::history::support::{Scratch, json, list, run, text};

const MAILBOXES: [&str; 2] = ["mailbox-by-spec-scripts", "troubled-mailbox"];

/// What both say of one recipient's copy.
const STEPS: [&str; 7] = ["recipient", "step", "storedAt", "offeredAt", "seenAt", "ackedAt", "answeredAt"];

#[test]
fn conversations_are_the_same() {
    for fixture in MAILBOXES {
        let project = Scratch::of(fixture);
        let of_bus = json(&["threads", "--root", project.root()]);
        let of_history = json(&["threads", project.root(), "--limit", "1000"]);
        assert_eq!(of_bus["count"], of_history["count"], "{fixture}");
        let [of_bus, of_history] = [&of_bus, &of_history].map(conversations);
        assert!(!of_bus.is_empty(), "{fixture} has conversations");
        assert_eq!(of_bus, of_history, "{fixture}");
    }
}

/// Returns what both say of each conversation; a question's subject only the bus repeats.
fn conversations(told: &Value) -> Vec<Value> {
    let mut threads = list(&told["threads"]).clone();
    for thread in &mut threads {
        for waiting in thread["waiting"].as_array_mut().expect("a list") {
            waiting.as_object_mut().expect("an object").remove("subject");
        }
    }
    threads
}

#[test]
fn every_message_came_as_far_with_each_recipient() {
    for fixture in MAILBOXES {
        let project = Scratch::of(fixture);
        let (ids, mut acked) = (messages(&project), 0);
        assert!(ids.len() > 10, "{fixture}: {ids:?}");
        for id in ids {
            let trace = json(&["trace", &id, "--root", project.root()]);
            let thread = json(&["thread", &id, project.root()]);
            let said = list(&thread["messages"]).iter().find(|said| said["id"] == id.as_str());
            let said = said.unwrap_or_else(|| panic!("{id} is in its own conversation"));
            assert_eq!(deliveries(said), deliveries(&trace), "{fixture}: {id}");
            acked += deliveries(&trace).iter().filter(|delivery| !delivery[5].is_null()).count();
        }
        assert!(acked > 0, "an acknowledgment by the id of a decision counts: {fixture}");
    }
}

/// Lists the messages that say from whom they are.
fn messages(project: &Scratch) -> BTreeSet<String> {
    let found = json(&["search", "-from:\"\"", project.root(), "--limit", "1000"]);
    list(&found["hits"]).iter().map(|hit| text(&hit["id"]).to_owned()).collect()
}

/// Lists what is said of each copy, by recipient.
fn deliveries(told: &Value) -> Vec<[Value; STEPS.len()]> {
    let mut found: Vec<_> =
        list(&told["deliveries"]).iter().map(|delivery| STEPS.map(|field| delivery[field].clone())).collect();
    found.sort_by_key(|delivery| delivery[0].to_string());
    found
}

/// What only one of the two looks for: the bus does not compare messages with each other, and looks into inboxes only.
const ONLY_HISTORY: [&str; 4] = ["crossed-messages", "read-before-sent", "reply-across-threads", "reply-cycle"];

#[test]
fn findings_are_the_same_where_both_look() {
    for fixture in MAILBOXES {
        let project = Scratch::of(fixture);
        let of_bus = findings(&run(&["check", "--json", "--root", project.root()]).out, "");
        let prefix = project.path(".agent-messages/");
        let mut of_history = findings(&run(&["check", "--json", project.root()]).out, &prefix);
        of_history.retain(|(_, code, place)| !ONLY_HISTORY.contains(&code.as_str()) && place != "TODO.md");
        assert_eq!(of_bus, of_history, "{fixture}");
    }
}

#[test]
fn the_troubled_mailbox_has_every_trouble() {
    let found = findings(&run(&["check", "--json", "troubled-mailbox"]).out, "");
    let codes: BTreeSet<&str> = found.iter().map(|(_, code, _)| code.as_str()).collect();
    let mut wanted = BTreeSet::from(ONLY_HISTORY);
    wanted.extend(["conflicting-copies", "damaged-message", "deadline-before-sent", "foreign-file", "lost-message"]);
    wanted.extend(["orphan-marker", "overdue-answer", "reply-to-unknown", "stale-handoff", "stray-subscription"]);
    wanted.extend(["unread-past-retention", "unregistered-handoff-side", "unregistered-recipient"]);
    wanted.extend(["unregistered-sender", "wrong-message-count"]);
    assert_eq!(codes, wanted);
}

/// Lists severity, code and place of each finding; places lose a prefix.
fn findings(document: &str, prefix: &str) -> Vec<(String, String, String)> {
    let told: Value = serde_json::from_str(document).expect("the document is JSON");
    let of = |finding: &Value, field: &str| text(&finding[field]).to_owned();
    let mut found: Vec<_> = list(&told["findings"])
        .iter()
        .map(|finding| {
            let place = of(finding, "place");
            let place = place.strip_prefix(prefix).unwrap_or(&place).to_owned();
            (of(finding, "severity"), of(finding, "code"), place)
        })
        .collect();
    found.sort();
    found
}
