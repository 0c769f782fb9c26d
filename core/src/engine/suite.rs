//! The behaviour suite: what every engine must do, told in small cases.
//!
//! A runner gives each case a place without a bus, and two handles on it where the engine allows that:
//!
//! ```
//! use huddle_core::engine::{memory::MemoryEngine, suite};
//! use huddle_core::host::FixedHost;
//!
//! suite::run(&mut |case| {
//!     let host = FixedHost::at("2025-11-29T14:30:52Z");
//!     let engine = MemoryEngine::new(&host);
//!     (case.run)(&suite::Engines { one: &engine, two: &engine, host: &host, advance: &|span| host.advance(span) });
//! });
//! ```

mod commits;
#[cfg(test)]
mod crashes;
mod directory;
mod documents;
mod importing;
mod keys;
mod leases;
mod messages;
mod moving;
mod receipts;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::json;

use super::{CommitOutcome, Engine, Envelope, Transaction};
use crate::Host;
use crate::model::{
    Agent, AgentName, Delivery, Directory, Json, JsonMap, Message, MessageId, MessageType, Priority, Recipient, Span,
    Timestamp,
};

/// Two handles on one place where there is no bus yet, and the time they go by.
pub struct Engines<'a> {
    /// The handle that cases mostly write with.
    pub one: &'a dyn Engine,
    /// The handle that cases mostly read with: as another process would, or the same where there can be only one.
    pub two: &'a dyn Engine,
    /// The host that both use.
    pub host: &'a dyn Host,
    /// Lets time pass: by moving a test's clock, or by waiting. Cases ask for 300 milliseconds at most.
    pub advance: &'a dyn Fn(Span),
}

/// One thing that every engine must do.
pub struct Case {
    /// What it is, with the theme in front: `receipts::the_first_reader_is_told_so`.
    pub name: &'static str,
    /// Tries it; panics when the engine does otherwise.
    pub run: fn(&Engines<'_>),
}

/// Creates a list of cases out of functions, each under its own name.
macro_rules! theme {
    ($theme:literal: $($case:ident),* $(,)?) => {
        /// Lists the cases of this theme.
        pub(super) fn cases() -> Vec<super::Case> {
            vec![$(super::Case { name: concat!($theme, "::", stringify!($case)), run: $case }),*]
        }
    };
}
use theme;

/// Lists all cases, by theme.
pub fn cases() -> Vec<Case> {
    let themes = [
        directory::cases(),
        messages::cases(),
        commits::cases(),
        keys::cases(),
        receipts::cases(),
        moving::cases(),
        importing::cases(),
        documents::cases(),
        leases::cases(),
    ];
    themes.into_iter().flatten().collect()
}

/// Runs every case, even after one failed.
///
/// # Panics
/// When a case failed, with the names of all that did.
pub fn run(with: &mut dyn FnMut(&Case)) {
    let all = cases();
    let failed = |case: &&Case| catch_unwind(AssertUnwindSafe(|| with(case))).is_err();
    let failed: Vec<&str> = all.iter().filter(failed).map(|case| case.name).collect();
    assert!(failed.is_empty(), "{} of {} cases failed: {}", failed.len(), all.len(), failed.join(", "));
}

/// Returns the time so many seconds after the suite's beginning.
fn at(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(1_764_426_652 + seconds)
}

fn agent(name: &str) -> AgentName {
    name.parse().expect("a case uses valid agent names")
}

fn agents(names: &[&str]) -> Vec<AgentName> {
    names.iter().map(|name| agent(name)).collect()
}

fn id(text: &str) -> MessageId {
    text.parse().expect("a case uses valid message ids")
}

fn object(value: Json) -> JsonMap {
    match value {
        Json::Object(map) => map,
        other => panic!("a case needs a JSON object, not {other}"),
    }
}

/// Creates a plain message, sent at the suite's beginning.
fn message(name: &str, from: &str, to: Recipient) -> Message {
    Message {
        id: id(name),
        kind: MessageType::new(MessageType::PROGRESS_UPDATE),
        from: agent(from),
        to,
        subject: format!("about {name}"),
        body: json!({ "note": format!("this is {name}") }),
        priority: Priority::Normal,
        sent_at: at(0),
        thread: None,
        in_reply_to: None,
        requires_response: false,
        deadline: None,
        metadata: JsonMap::new(),
        extra: JsonMap::new(),
    }
}

/// Creates a message to named agents.
fn letter(name: &str, from: &str, to: &[&str]) -> Message {
    message(name, from, Recipient::Agents(agents(to)))
}

/// Creates a transaction that delivers a message to the agents it names.
fn direct(message: Message) -> Transaction {
    let recipients = match &message.to {
        Recipient::Agents(names) => names.clone(),
        Recipient::All | Recipient::Subscribers(_) => Vec::new(),
    };
    Transaction::deliver(Envelope { message, recipients })
}

/// Creates a transaction that delivers a broadcast or an event to those who are there.
fn spread(message: Message, to: &[&str]) -> Transaction {
    Transaction::deliver(Envelope { message, recipients: agents(to) })
}

fn event(name: &str, from: &str, event: &str) -> Message {
    let to = Recipient::Subscribers(event.parse().expect("a case uses valid event names"));
    Message { kind: MessageType::new(event), ..message(name, from, to) }
}

/// Creates a bus with Ann, Bob and Cyd on it.
fn with_bus(engines: &Engines<'_>) {
    assert!(engines.one.init().expect("init works"), "a case begins without a bus");
    register(engines.one, &["ann", "bob", "cyd"]);
}

fn register(engine: &dyn Engine, names: &[&str]) {
    edit(engine, |directory| {
        for name in names {
            directory.agents.insert(agent(name), an_agent());
        }
    });
}

fn an_agent() -> Agent {
    Agent {
        role: "builder".to_owned(),
        worktree: "worktrees/one".to_owned(),
        capabilities: vec!["rust".to_owned()],
        registered_at: Some(at(-60)),
        status: "active".to_owned(),
        last_seen: Some(at(-60)),
        message_count: 0,
        extra: JsonMap::new(),
    }
}

#[track_caller]
fn edit(engine: &dyn Engine, mut edit: impl FnMut(&mut Directory)) {
    engine.edit_directory(&mut edit).expect("the directory can be edited");
}

#[track_caller]
fn directory_of(engine: &dyn Engine) -> Directory {
    let found = engine.directory().expect("the directory can be read");
    assert_eq!(found.findings, [], "nothing is wrong with the directory");
    found.value
}

#[track_caller]
fn commit(engine: &dyn Engine, change: Transaction) {
    assert_eq!(engine.commit(change).expect("the commit works"), CommitOutcome::Done);
}

/// Sends a message from Ann to Bob, a number of seconds after the suite's beginning.
#[track_caller]
fn send(engine: &dyn Engine, name: &str, seconds: i64) {
    commit(engine, direct(Message { sent_at: at(seconds), ..letter(name, "ann", &["bob"]) }));
}

#[track_caller]
fn inbox(engine: &dyn Engine, name: &str, unread_only: bool) -> Vec<Delivery> {
    let found = engine.inbox(&agent(name), unread_only).expect("the inbox can be read");
    assert_eq!(found.findings, [], "nothing is wrong with the inbox of {name}");
    found.value
}

fn ids(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.message.id.as_str()).collect()
}

/// Checks what lies in an inbox, read and unread, in order.
#[track_caller]
fn check_inbox(engine: &dyn Engine, name: &str, expected: &[&str]) {
    assert_eq!(ids(&inbox(engine, name, false)), expected, "the inbox of {name}");
}

/// Checks what is unread in an inbox, by list and by count.
#[track_caller]
fn check_unread(engine: &dyn Engine, name: &str, expected: &[&str]) {
    let unread = inbox(engine, name, true);
    assert_eq!(ids(&unread), expected, "the unread messages of {name}");
    let counted = engine.unread(&agent(name)).expect("unread messages can be counted");
    assert_eq!(counted.count, expected.len(), "the count of unread messages of {name}");
    let (mut named, mut sorted) =
        (engine.unread_ids(&agent(name)).expect("unread messages can be named"), ids(&unread));
    named.sort();
    sorted.sort_unstable();
    assert_eq!(
        named.iter().map(MessageId::as_str).collect::<Vec<_>>(),
        sorted,
        "the names of unread messages of {name}"
    );
    assert_eq!(counted.oldest, unread.first().map(|first| first.message.sent_at), "the oldest unread of {name}");
}

#[track_caller]
fn delivery(engine: &dyn Engine, name: &str, message: &str) -> Delivery {
    let found = engine.delivery(&agent(name), &id(message)).expect("the copy can be read");
    found.unwrap_or_else(|| panic!("{name} has a copy of {message}"))
}

#[track_caller]
fn snapshot(engine: &dyn Engine) -> super::MailSnapshot {
    let found = engine.snapshot().expect("the snapshot works");
    assert_eq!(found.findings, [], "nothing is wrong with what is kept");
    found.value
}
