//! The threads of a history, and what was said in them.

use huddle_core::history::query::State;
use huddle_core::history::snapshot::time;
use huddle_core::history::{DeliveryRow, Derived, EntryView, History, Thread};
use huddle_core::model::{Json, JsonMap};
use serde::{Deserialize, Serialize};

use super::{PendingReply, ThreadEntry, ThreadList};
use crate::response::text;
use crate::{Context, Error, Operation};

/// How many threads are listed by default.
const LISTED: usize = 50;

/// Lists the threads of a history, the one with the newest message first.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ListHistoryThreads {
    /// Where it is; the project, if there is no path.
    pub paths: Vec<String>,
    /// How many are listed; by default 50.
    pub limit: Option<usize>,
}

impl Operation for ListHistoryThreads {
    type Response = ThreadList;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<ThreadList, Error> {
        context.load_history(&self.paths)?.threads(self.limit.unwrap_or(LISTED))
    }
}

/// Returns a thread of a history with what was said in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShowHistoryThread {
    /// The thread, or a message in it.
    pub thread_id: String,
    /// Where the history is; the project, if there is no path.
    #[serde(default)]
    pub paths: Vec<String>,
}

impl Operation for ShowHistoryThread {
    type Response = HistoryThread;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<HistoryThread, Error> {
        context.load_history(&self.paths)?.thread(&self.thread_id)
    }
}

/// A thread of a history with what was said in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryThread {
    /// The thread.
    #[serde(flatten)]
    pub entry: ThreadEntry,
    /// What was said, answers below what they answer.
    pub messages: Vec<HistoryEntry>,
    /// What it is about, for people; not a part of the document.
    #[serde(skip)]
    pub title: String,
}

/// An entry of a history.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// Its id.
    pub id: Option<String>,
    /// Its sender.
    pub from: Option<String>,
    /// Its recipients, separated by commas.
    pub to: Option<String>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Its severity.
    pub severity: Option<String>,
    /// How urgent it is.
    pub priority: Option<String>,
    /// The thread that it says it belongs to.
    pub thread_id: Option<String>,
    /// The message it answers.
    pub in_reply_to: Option<String>,
    /// When it was made.
    pub created_at: Option<String>,
    /// What it is about.
    pub subject: String,
    /// How many answers lie between it and one that answers nothing.
    pub depth: u32,
    /// How far it has come, in a word or two.
    pub delivery: Option<String>,
    /// How far it has come with each recipient.
    pub deliveries: Vec<EntryDelivery>,
    /// Where it lies.
    pub place: String,
    /// The record.
    pub record: JsonMap,
    // Not parts of the document.
    /// What it says.
    #[serde(skip)]
    pub body: Json,
    /// Whether a program kept it for itself.
    #[serde(skip)]
    pub is_noise: bool,
    /// Until when the answer is needed.
    #[serde(skip)]
    pub deadline: Option<String>,
}

/// How far an entry has come with one recipient.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryDelivery {
    /// The recipient.
    pub recipient: String,
    /// The latest stage.
    pub step: &'static str,
    /// When it was stored.
    pub stored_at: Option<String>,
    /// When an inbox check listed it.
    pub offered_at: Option<String>,
    /// When it was read.
    pub seen_at: Option<String>,
    /// When the recipient acknowledged it.
    pub acked_at: Option<String>,
    /// When the recipient answered it.
    pub answered_at: Option<String>,
    /// When it was dead-lettered.
    pub dead_at: Option<String>,
    /// How often it was redelivered.
    pub redelivered: u32,
    /// Whether it waits to be read.
    pub unread: bool,
    /// Whether it waits for an answer.
    pub unanswered: bool,
    /// Whether the time for the answer is over.
    pub overdue: bool,
}

impl HistoryEntry {
    pub(super) fn new(history: &History, view: EntryView) -> Self {
        let delivery = |delivery| EntryDelivery::new(history, delivery);
        Self {
            body: view.body(),
            is_noise: view.is_noise(),
            deadline: moment(history.table.due()[view.row as usize]),
            created_at: text(view.at.as_ref()),
            delivery: filled(view.delivery()),
            deliveries: view.deliveries.iter().map(delivery).collect(),
            id: filled(view.id),
            from: filled(view.from),
            to: filled(view.to),
            kind: filled(view.kind),
            severity: filled(view.severity),
            priority: filled(view.priority),
            thread_id: filled(view.thread),
            in_reply_to: filled(view.reply_to),
            subject: view.subject,
            depth: view.depth,
            place: view.place,
            record: view.record,
        }
    }
}

impl EntryDelivery {
    fn new(history: &History, delivery: &DeliveryRow) -> Self {
        Self {
            recipient: history.table.text(delivery.recipient).to_owned(),
            step: delivery.step.as_str(),
            stored_at: moment(delivery.stored_at),
            offered_at: moment(delivery.offered_at),
            seen_at: moment(delivery.seen_at),
            acked_at: moment(delivery.acked_at),
            answered_at: moment(delivery.answered_at),
            dead_at: moment(delivery.dead_at),
            redelivered: delivery.redelivered,
            unread: delivery.unread,
            unanswered: delivery.unanswered,
            overdue: delivery.overdue,
        }
    }
}

/// Returns the entry of a thread.
pub(super) fn thread_entry(history: &History, derived: &Derived, thread: &Thread, subject: String) -> ThreadEntry {
    let table = &history.table;
    let members = derived.threads.members(thread).iter();
    let waiting = members.filter(|position| derived.is(**position, State::Unanswered)).map(|position| {
        let row = history.entries[*position as usize] as usize;
        let owing = derived.deliveries.of(*position).iter().filter(|delivery| delivery.unanswered);
        PendingReply {
            id: table.text(table.id()[row]).to_owned(),
            subject: None,
            asked_by: table.text(table.from()[row]).to_owned(),
            waits_for: owing.map(|delivery| table.text(delivery.recipient).to_owned()).collect(),
            deadline: moment(table.due()[row]),
        }
    });
    ThreadEntry {
        thread_id: history.thread_name(thread),
        subject,
        participants: history.participants(derived, thread),
        message_count: thread.count as usize,
        started_at: moment(thread.start),
        last_at: moment(thread.end),
        waiting: waiting.collect(),
    }
}

/// Returns a time of a table, if there is one.
pub(super) fn moment(at: i64) -> Option<String> {
    text(time(at).as_ref())
}

fn filled(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
