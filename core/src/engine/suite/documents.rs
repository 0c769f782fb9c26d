//! Shared contexts and handoffs: written as a whole, in the state that is expected, or not at all.

use serde_json::json;

use super::*;
use crate::engine::{ContextChange, Error, HandoffChange, HandoffPackage, MailSnapshot, Result, SendKey};
use crate::model::handoff::Decision;
use crate::model::{Artifact, Context, ContextName, Handoff, HandoffId, HandoffStatus};

theme!("documents":
    a_context_is_read_as_it_was_written,
    a_context_moves_on_version_by_version,
    a_stale_update_is_a_conflict,
    a_context_is_made_once,
    a_context_that_is_absent_cannot_be_updated,
    contexts_are_listed_by_name,
    a_context_and_its_notice_come_together,
    a_handoff_is_read_as_it_was_written,
    the_files_of_a_handoff_are_read_back,
    a_handoff_is_made_once,
    a_handoff_is_decided_once,
    a_handoff_can_be_declined,
    a_handoff_that_is_absent_cannot_be_decided,
    handoffs_are_listed_by_id,
    after_a_conflict_nothing_is_there,
    a_repetition_is_no_conflict,
);

fn context_name(text: &str) -> ContextName {
    text.parse().expect("a case uses valid context names")
}

fn handoff_id(text: &str) -> HandoffId {
    text.parse().expect("a case uses valid handoff ids")
}

/// Creates a context as the mailbox protocol writes it, with so many updates by Ann and Bob in turn.
pub(super) fn context(name: &str, updates: u8) -> Context {
    let updated = at(i64::from(updates));
    let created = at(0);
    let mut text = format!(
        "# Shared Context: {name}\n\n**Created**: {created}\n**Last Updated**: {updated}\n**Contributors**: []\n\n---\n\n\
         ## Ünï 🦀\n\n---\n\n## Update History\n- {created}: Initial creation\n"
    );
    let mut contributors = Vec::new();
    for update in 1..=updates {
        let by = agent(if update % 2 == 1 { "bob" } else { "ann" });
        text.push_str(&format!("\n## Update: {} by {by}\nupdate {update}\n", at(i64::from(update))));
        if !contributors.contains(&by) {
            contributors.push(by);
        }
    }
    Context { name: context_name(name), text, version: u64::from(updates) + 1, updated_at: Some(updated), contributors }
}

/// Creates a change without messages.
fn silent() -> Transaction {
    Transaction {
        by: agent("ann"),
        at: at(0),
        key: None,
        envelopes: Vec::new(),
        seen: None,
        context: None,
        handoff: None,
    }
}

fn writing(expected: Option<u64>, context: Context) -> Transaction {
    Transaction { context: Some(ContextChange { expected, context }), ..silent() }
}

pub(super) fn package(name: &str) -> HandoffPackage {
    let artifact = |source: &str, stored: &str| Artifact { source: source.to_owned(), stored: stored.to_owned() };
    let handoff = Handoff {
        id: handoff_id(name),
        from: agent("ann"),
        to: agent("bob"),
        task: "Build the ünï parser".to_owned(),
        created_at: Some(at(0)),
        status: HandoffStatus::Pending,
        artifacts: vec![artifact("docs/design.md", "design.md"), artifact("src/lib.rs", "lib.rs")],
        extra: object(json!({ "x_sprint": 7 })),
    };
    HandoffPackage {
        handoff,
        document: format!("# Handoff: ann → bob\n\n**Handoff ID**: {name}\n"),
        context_links: "- [api](../shared-context/api.md)\n".to_owned(),
        checklist: "- [ ] All tests passing\n".to_owned(),
        files: vec![("design.md".to_owned(), b"# Design\n".to_vec()), ("lib.rs".to_owned(), vec![0, 255, 10])],
    }
}

fn creating(package: HandoffPackage) -> Transaction {
    Transaction { handoff: Some(HandoffChange::Create(package)), ..silent() }
}

fn decided(name: &str, decide: fn(Decision) -> HandoffStatus, notes: &str) -> Transaction {
    let status = decide(Decision { by: agent("bob"), at: Some(at(60)), notes: notes.to_owned() });
    let handoff = Handoff { status, ..package(name).handoff };
    let document = format!("{}\n---\n\ndecided: {notes}\n", package(name).document);
    Transaction { by: agent("bob"), handoff: Some(HandoffChange::Decide { handoff, document }), ..silent() }
}

/// Leaves of a package what an engine gives back: of the files, the names.
fn stored(package: HandoffPackage) -> HandoffPackage {
    let files = package.files.into_iter().map(|(name, _)| (name, Vec::new())).collect();
    HandoffPackage { files, ..package }
}

#[track_caller]
fn read_context(engine: &dyn Engine, name: &str) -> Option<Context> {
    engine.context(&context_name(name)).expect("a context can be read")
}

#[track_caller]
fn read_handoff(engine: &dyn Engine, name: &str) -> Option<HandoffPackage> {
    engine.handoff(&handoff_id(name)).expect("a handoff can be read")
}

#[track_caller]
fn check_conflict(result: Result<CommitOutcome>) {
    match result.map_err(|error| *error) {
        Err(Error::Conflict { .. }) => {}
        other => panic!("a state that is not the expected one is Conflict, not {other:?}"),
    }
}

fn a_context_is_read_as_it_was_written(engines: &Engines<'_>) {
    with_bus(engines);
    assert_eq!(read_context(engines.two, "api"), None);
    commit(engines.one, writing(None, context("api", 0)));
    assert_eq!(read_context(engines.two, "api"), Some(context("api", 0)));
}

fn a_context_moves_on_version_by_version(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, writing(None, context("api", 0)));
    commit(engines.two, writing(Some(1), context("api", 1)));
    commit(engines.one, writing(Some(2), context("api", 2)));
    commit(engines.two, writing(Some(3), context("api", 3)));
    let read = read_context(engines.one, "api").expect("the context is there");
    assert_eq!((read.version, read.contributors.clone()), (4, agents(&["bob", "ann"])));
    assert_eq!(read, context("api", 3));
}

fn a_stale_update_is_a_conflict(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, writing(None, context("api", 0)));
    commit(engines.one, writing(Some(1), context("api", 1)));
    let mut stale = context("api", 1);
    stale.text.push_str("of another opinion\n");
    check_conflict(engines.two.commit(writing(Some(1), stale)));
    assert_eq!(read_context(engines.one, "api"), Some(context("api", 1)));
}

fn a_context_is_made_once(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, writing(None, context("api", 0)));
    check_conflict(engines.two.commit(writing(None, context("api", 0))));
    commit(engines.two, writing(None, context("api-2", 0)));
}

fn a_context_that_is_absent_cannot_be_updated(engines: &Engines<'_>) {
    with_bus(engines);
    check_conflict(engines.one.commit(writing(Some(1), context("api", 1))));
    assert_eq!(read_context(engines.two, "api"), None);
    assert_eq!(engines.two.contexts().expect("listing works").value, []);
}

fn contexts_are_listed_by_name(engines: &Engines<'_>) {
    with_bus(engines);
    for name in ["zeta", "api", "two words", "ünï", "api.v2"] {
        commit(engines.one, writing(None, context(name, 1)));
    }
    let found = engines.two.contexts().expect("listing works");
    assert_eq!(found.findings, []);
    let expected = ["api", "api.v2", "two words", "zeta", "ünï"].map(|name| context(name, 1));
    assert_eq!(found.value, expected);
}

fn a_context_and_its_notice_come_together(engines: &Engines<'_>) {
    with_bus(engines);
    let notice = spread(message("bcast_1", "ann", Recipient::All), &["bob", "cyd"]);
    let change = ContextChange { expected: None, context: context("api", 0) };
    commit(engines.one, Transaction { context: Some(change), ..notice });
    check_unread(engines.two, "bob", &["bcast_1"]);
    assert_eq!(read_context(engines.two, "api"), Some(context("api", 0)));
}

fn a_handoff_is_read_as_it_was_written(engines: &Engines<'_>) {
    with_bus(engines);
    assert_eq!(read_handoff(engines.two, "handoff_1"), None);
    let request = direct(letter("m", "ann", &["bob"]));
    commit(engines.one, Transaction { handoff: creating(package("handoff_1")).handoff, ..request });
    let read = read_handoff(engines.two, "handoff_1").expect("the handoff is there");
    assert!(read.is_pending(), "nobody has decided");
    assert_eq!(stored(read), stored(package("handoff_1")));
    check_unread(engines.two, "bob", &["m"]);
}

fn the_files_of_a_handoff_are_read_back(engines: &Engines<'_>) {
    with_bus(engines);
    let read = |name: &str, stored: &str| {
        engines.two.artifact(&handoff_id(name), stored).expect("what a handoff carries can be read")
    };
    assert_eq!(read("handoff_1", "design.md"), None, "nobody has handed over yet");
    commit(engines.one, creating(package("handoff_1")));
    assert_eq!(read("handoff_1", "design.md").as_deref(), Some(&b"# Design\n"[..]));
    assert_eq!(read("handoff_1", "lib.rs"), Some(vec![0, 255, 10]));
    commit(engines.two, decided("handoff_1", HandoffStatus::Accepted, "yes"));
    assert_eq!(read("handoff_1", "lib.rs"), Some(vec![0, 255, 10]), "a decision leaves them as they are");
    for stray in ["", "other", "../metadata.json", "../../handoff_1/metadata.json"] {
        assert_eq!(read("handoff_1", stray), None, "{stray:?}");
    }
}

fn a_handoff_is_made_once(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, creating(package("handoff_1")));
    let other = HandoffPackage { document: "another".to_owned(), ..package("handoff_1") };
    check_conflict(engines.two.commit(creating(other)));
    let read = read_handoff(engines.one, "handoff_1").expect("the handoff is there");
    assert_eq!(read.document, package("handoff_1").document);
}

fn a_handoff_is_decided_once(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, creating(package("handoff_1")));
    commit(engines.two, decided("handoff_1", HandoffStatus::Accepted, "Fine, \"taken\" ✅"));
    let read = read_handoff(engines.one, "handoff_1").expect("the handoff is there");
    let notes = "Fine, \"taken\" ✅".to_owned();
    let status = HandoffStatus::Accepted(Decision { by: agent("bob"), at: Some(at(60)), notes });
    assert_eq!(read.handoff, Handoff { status, ..package("handoff_1").handoff });
    assert!(read.document.ends_with("decided: Fine, \"taken\" ✅\n"), "{}", read.document);
    assert_eq!(read.checklist, package("handoff_1").checklist, "the rest stays");
    assert_eq!(stored(read.clone()).files, stored(package("handoff_1")).files, "the artifacts stay");
    check_conflict(engines.one.commit(decided("handoff_1", HandoffStatus::Declined, "no")));
    check_conflict(engines.one.commit(decided("handoff_1", HandoffStatus::Accepted, "again")));
    assert_eq!(read_handoff(engines.two, "handoff_1"), Some(read));
}

fn a_handoff_can_be_declined(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, creating(package("handoff_1")));
    commit(engines.one, decided("handoff_1", HandoffStatus::Declined, ""));
    let read = read_handoff(engines.two, "handoff_1").expect("the handoff is there");
    let decision = Decision { by: agent("bob"), at: Some(at(60)), notes: String::new() };
    assert_eq!(read.handoff.status, HandoffStatus::Declined(decision));
}

fn a_handoff_that_is_absent_cannot_be_decided(engines: &Engines<'_>) {
    with_bus(engines);
    check_conflict(engines.one.commit(decided("handoff_1", HandoffStatus::Accepted, "yes")));
    assert_eq!(read_handoff(engines.two, "handoff_1"), None);
    assert_eq!(engines.two.handoffs().expect("listing works").value, []);
}

fn handoffs_are_listed_by_id(engines: &Engines<'_>) {
    with_bus(engines);
    for name in ["handoff_3", "handoff_1", "handoff_2"] {
        commit(engines.one, creating(package(name)));
    }
    let found = engines.two.handoffs().expect("listing works");
    assert_eq!(found.findings, []);
    assert_eq!(found.value, ["handoff_1", "handoff_2", "handoff_3"].map(|name| package(name).handoff));
}

fn after_a_conflict_nothing_is_there(engines: &Engines<'_>) {
    with_bus(engines);
    let before = directory_of(engines.one);
    let key = SendKey { key: "k".to_owned(), fingerprint: "same".to_owned() };
    let stale = writing(Some(4), context("api", 4)).context;
    let handoff = creating(package("handoff_1")).handoff;
    let change = Transaction { key: Some(key), context: stale, handoff, ..direct(letter("m", "ann", &["bob"])) };
    check_conflict(engines.one.commit(change.clone()));
    check_inbox(engines.two, "bob", &[]);
    assert_eq!(read_context(engines.two, "api"), None);
    assert_eq!(read_handoff(engines.two, "handoff_1"), None);
    assert_eq!(snapshot(engines.two), MailSnapshot::default());
    assert_eq!(directory_of(engines.two), before);
    // The key was not used up: the same change, mended, goes through.
    commit(engines.two, Transaction { context: writing(None, context("api", 4)).context, ..change });
    check_inbox(engines.one, "bob", &["m"]);
}

fn a_repetition_is_no_conflict(engines: &Engines<'_>) {
    with_bus(engines);
    let key = SendKey { key: "k".to_owned(), fingerprint: "same".to_owned() };
    let notice = spread(message("bcast_1", "ann", Recipient::All), &["bob"]);
    let change = Transaction { key: Some(key), context: writing(None, context("api", 0)).context, ..notice };
    commit(engines.one, change.clone());
    let again = engines.two.commit(change).expect("a repetition is fine");
    assert_eq!(again, CommitOutcome::Duplicate(id("bcast_1")));
    check_inbox(engines.one, "bob", &["bcast_1"]);
}
