//! What came back for a message: acknowledgments and answers, by whom and when.

use std::collections::BTreeMap;

use crate::engine::{MailSnapshot, all_copies};
use crate::model::{
    AgentName, Delivery, Json, Message, MessageId, Recipient, ReplySign, ThreadId, Timestamp, reply_sign, thread_sign,
};
use crate::wire::orchestrator::query;

/// When each recipient acknowledged and answered each message.
#[derive(Debug, Default)]
pub struct ReplyIndex<'a> {
    replies: BTreeMap<(&'a MessageId, &'a AgentName), ReplyTimes>,
    /// What was said in each conversation, by whom, without naming what it replies to.
    said: BTreeMap<(&'a ThreadId, &'a AgentName), Vec<&'a Message>>,
    /// The message that each repetition repeats: an agent that refers to its own message asks the same again.
    repeated: BTreeMap<&'a MessageId, &'a MessageId>,
    /// Agents on shell scripts acknowledge a decision by its id and do not say which message announced it.
    decisions: BTreeMap<(&'a AgentName, String), Vec<&'a Message>>,
    /// When each recipient read each message.
    seen: BTreeMap<(&'a MessageId, &'a AgentName), Timestamp>,
}

#[derive(Debug, Default)]
struct ReplyTimes {
    acked: Option<Timestamp>,
    answered: Option<Timestamp>,
}

impl<'a> ReplyIndex<'a> {
    /// Indexes all stored replies.
    pub fn of(snapshot: &'a MailSnapshot) -> Self {
        let mut index = Self::default();
        let senders = BTreeMap::from_iter(all_copies(snapshot).map(|message| (&message.id, &message.from)));
        for message in all_copies(snapshot) {
            let in_reply_to = message.in_reply_to.as_ref().filter(|_| message.asks());
            let retry_of = || query::repeated(message).and_then(|id| MessageId::new(id).ok());
            let original = in_reply_to.and_then(|id| senders.get_key_value(id));
            let original = original.filter(|(_, sender)| **sender == &message.from);
            if let Some((original, _)) = original.or_else(|| senders.get_key_value(&retry_of()?)) {
                index.repeated.insert(&message.id, original);
            }
        }
        for message in all_copies(snapshot) {
            index.note(message);
        }
        for Delivery { message, recipient, receipt, .. } in &snapshot.deliveries {
            index.seen.extend(receipt.seen_at.map(|at| ((&message.id, recipient), at)));
        }
        index
    }

    /// Returns when `by` first acknowledged a message, or said how work on it is going.
    pub fn acked(&self, message: &Message, by: &AgentName) -> Option<Timestamp> {
        let reply = self.replies.get(&(&message.id, by)).and_then(|replied| replied.acked);
        let in_thread = self.in_thread(message, by, ReplySign::Acknowledged);
        earliest(earliest(reply, in_thread), self.decision_acked(message, by))
    }

    /// Returns when `by` first answered a message. An answer to a question is one to those that asked it again, too.
    pub fn answered(&self, message: &Message, by: &AgentName) -> Option<Timestamp> {
        let answered = |id: &MessageId| self.replies.get(&(id, by)).and_then(|replied| replied.answered);
        let first = query::repeated(message).and_then(|_| self.repeated.get(&message.id));
        let reply = earliest(answered(&message.id), first.and_then(|first| answered(first)));
        earliest(reply, self.in_thread(message, by, ReplySign::Answered))
    }

    /// Returns when the first sign of either kind came from `by`.
    pub fn first(&self, message: &Message, by: &AgentName) -> Option<Timestamp> {
        earliest(self.acked(message, by), self.answered(message, by))
    }

    fn note(&mut self, message: &'a Message) {
        let kind = message.kind.as_str();
        if let Some(original) = &message.in_reply_to {
            if let Some(sign) = reply_sign(kind) {
                self.note_reply(original, message, sign);
            }
        } else if let Some(thread) = message.thread.as_ref()
            && thread_sign(kind, message.requires_response).is_some()
        {
            self.said.entry((thread, &message.from)).or_default().push(message);
        }
        if message.kind.is_acknowledgment()
            && let Some(decision) = decision_in(&message.body)
        {
            self.decisions.entry((&message.from, decision)).or_default().push(message);
        }
    }

    /// Notes a reply to a message, and to what that one repeats.
    fn note_reply(&mut self, original: &'a MessageId, reply: &'a Message, sign: ReplySign) {
        const MAX_REPETITIONS: usize = 16;
        let repeated = |id: &&'a MessageId| self.repeated.get(id).copied();
        let originals: Vec<&'a MessageId> =
            std::iter::successors(Some(original), repeated).take(MAX_REPETITIONS).collect();
        for original in originals {
            let replied = self.replies.entry((original, &reply.from)).or_default();
            let at = match sign {
                ReplySign::Acknowledged => &mut replied.acked,
                ReplySign::Answered => &mut replied.answered,
            };
            *at = earliest(*at, Some(reply.sent_at));
        }
    }

    /// Returns when `by` first gave a sign in the conversation of a message that asks something.
    fn in_thread(&self, message: &Message, by: &AgentName, wanted: ReplySign) -> Option<Timestamp> {
        let thread = message.thread.as_ref().filter(|_| message.asks())?;
        let said = self.said.get(&(thread, by))?.iter();
        // What was said by then crossed the message and answers nothing.
        let seen = self.seen.get(&(&message.id, by));
        let counts = |reply: &&&Message| {
            let sign = thread_sign(reply.kind.as_str(), reply.requires_response);
            let to_sender = matches!(&reply.to, Recipient::Agents(to) if to.contains(&message.from));
            let crossed = seen.is_some_and(|seen| reply.sent_at < seen.floor());
            let follows = !crossed && reply.may_follow(message) && !is_of_another_task(message, reply);
            to_sender && sign == Some(wanted) && follows
        };
        said.filter(counts).map(|reply| reply.sent_at).min()
    }

    fn decision_acked(&self, message: &Message, by: &AgentName) -> Option<Timestamp> {
        if message.kind.is_acknowledgment() {
            return None;
        }
        let acks = self.decisions.get(&(by, decision_in(&message.body)?))?;
        let to_sender = |ack: &&&Message| matches!(&ack.to, Recipient::Agents(to) if to.contains(&message.from));
        let times = acks.iter().filter(to_sender).map(|ack| ack.sent_at);
        times.filter(|at| *at >= message.sent_at).min()
    }
}

/// Returns whether both name a task, and not the same one.
fn is_of_another_task(message: &Message, reply: &Message) -> bool {
    task_in(&message.body).zip(task_in(&reply.body)).is_some_and(|(task, other)| task != other)
}

/// Reads the task that a body of the documents protocol is about.
fn task_in(body: &Json) -> Option<&str> {
    body.get("taskId")?.as_str()
}

/// Reads from a body the id that people use for the decision that it is about.
pub(crate) fn decision_in(body: &Json) -> Option<String> {
    match body.get("decision_id")? {
        Json::String(id) if !id.is_empty() => Some(id.clone()),
        Json::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

fn earliest(a: Option<Timestamp>, b: Option<Timestamp>) -> Option<Timestamp> {
    a.into_iter().chain(b).min()
}
