//! One question and what comes back for it.

use super::{AskOutcome, AskResult, Question};
use crate::bus::handoff::first_line;
use crate::bus::orchestrator::{TokenUsage, tokens};
use crate::bus::{Bus, Draft, Error, Result};
use crate::engine::{Envelope, Transaction};
use crate::model::{
    AgentName, Json, Message, MessageId, MessageType, Recipient, ReplySign, Span, ThreadId, Timestamp, reply_sign,
    thread_sign,
};
use crate::state::{CommunicationRecord, Protocol, Settings};
use crate::wire::orchestrator::query::{self, After, QUERY, Request};

/// So often, a look goes over the whole inbox: another process of the same agent may have read the answer.
const FULL_SCAN_INTERVAL: u32 = 10;
/// How long the subject of a question may be.
const SUBJECT: usize = 100;

pub(super) struct Exchange<'e> {
    bus: &'e Bus<'e>,
    from: &'e AgentName,
    question: &'e Question,
    /// The question as it goes over.
    text: String,
    /// The context as it goes over.
    context: String,
    /// How many tokens compression has saved.
    saved: usize,
    timeout: Span,
    thread: Option<ThreadId>,
    question_ids: Vec<MessageId>,
    /// When it was asked first.
    asked_at: Option<Timestamp>,
    /// Answers that were looked at and did not do.
    rejected: Vec<MessageId>,
    usage: TokenUsage,
}

impl<'e> Exchange<'e> {
    pub(super) fn new(bus: &'e Bus<'_>, from: &'e AgentName, question: &'e Question, rules: &Settings) -> Self {
        // The format cannot be shortened: an answer is held against it.
        let format = TokenUsage::of_json(&question.format.to_json()).tokens;
        let sizes = [&question.text, &question.context].map(|text| tokens(text));
        let room = rules.max_context_tokens.saturating_sub(format);
        let shares = Bus::shares(&sizes, room);
        let text = bus.fitted(&question.text, shares[0], rules);
        let context = bus.fitted(&question.context, shares[1].max(room.saturating_sub(tokens(&text))), rules);
        let sent = tokens(&text) + tokens(&context);
        Self {
            bus,
            from,
            question,
            saved: sizes.iter().sum::<usize>().saturating_sub(sent),
            text,
            context,
            timeout: question.timeout.unwrap_or(rules.timeout),
            thread: question.thread.clone(),
            question_ids: Vec::new(),
            asked_at: None,
            rejected: Vec::new(),
            usage: TokenUsage::default(),
        }
    }

    /// Sends the question, for the first time or after something.
    pub(super) fn send(&mut self, after: After<'_>) -> Result<MessageId> {
        let Question { to, text, urgency, format, .. } = self.question;
        self.bus.directory_with(&[self.from, to])?;
        let format = format.to_json();
        let body = query::request(&Request {
            question: &self.text,
            context: &self.context,
            urgency: *urgency,
            format: &format,
            after,
        });
        let tokens = TokenUsage::of_json(&body).tokens;
        self.usage = TokenUsage { tokens, full: tokens + self.saved };
        let (prefix, in_reply_to) = match after {
            After::Nothing => ("", None),
            After::Silence(first) => ("Asked again: ", Some(first.clone())),
            After::Misfit(answer, _) => ("Clarification: ", Some(answer.clone())),
        };
        let draft = Draft {
            kind: Some(MessageType::new(QUERY)),
            body,
            priority: urgency.priority(),
            thread: self.thread.clone(),
            needs_reply: true,
            deadline: Some(self.bus.host.now().plus(self.timeout)),
            ..Draft::to(to, format!("{prefix}{}", subject(text)))
        };
        let message = self.bus.compose(self.from, &draft, "msg", Recipient::Agents(draft.to.clone()))?;
        let mut message = Message { in_reply_to, ..message };
        message.metadata.insert(query::WITHDRAWN.into(), true.into());
        self.asked_at.get_or_insert(message.sent_at);
        let sent = self.bus.post(Transaction::deliver(Envelope { message, recipients: draft.to }))?;
        self.thread = sent.thread;
        self.question_ids.push(sent.id.clone());
        Ok(sent.id)
    }

    /// Waits for an answer to anything that was asked.
    pub(super) fn wait(&mut self) -> Result<Option<Message>> {
        let end = self.bus.host.now().plus(self.timeout);
        let mut before = None;
        for look in 1.. {
            let left = end.since(self.bus.host.now());
            let thorough = look % FULL_SCAN_INTERVAL == 0 || left == Span::default();
            // Counting is cheap where reading is not: an inbox may hold thousands.
            let unread = self.bus.engine.unread(self.from)?;
            if (thorough || before.replace(unread) != Some(unread))
                && let Some(reply) = self.find(!thorough)?
            {
                self.bus.mark_seen(self.from, &reply.id)?;
                self.rejected.push(reply.id.clone());
                return Ok(Some(reply));
            }
            if left == Span::default() {
                break;
            }
            self.bus.wait_for_mail(self.from, left)?;
        }
        Ok(None)
    }

    /// Looks for an answer; acknowledgments of what was asked are taken note of on the way.
    fn find(&self, unread_only: bool) -> Result<Option<Message>> {
        for delivery in self.bus.engine.inbox(self.from, unread_only)?.value {
            let message = &delivery.message;
            if message.from != self.question.to || self.rejected.contains(&message.id) {
                continue;
            }
            match self.sign_of(message) {
                Some(ReplySign::Answered) => return Ok(Some(delivery.message)),
                Some(ReplySign::Acknowledged) if message.kind.is_acknowledgment() && delivery.is_unread() => {
                    self.bus.mark_seen(self.from, &message.id)?;
                }
                Some(ReplySign::Acknowledged) | None => {}
            }
        }
        Ok(None)
    }

    /// Returns what a message of the one who was asked says of the question.
    fn sign_of(&self, message: &Message) -> Option<ReplySign> {
        let kind = message.kind.as_str();
        match &message.in_reply_to {
            Some(id) => self.question_ids.contains(id).then(|| reply_sign(kind)).flatten(),
            None => {
                let continues = self.thread.is_some() && message.thread == self.thread;
                let is_later = self.asked_at.is_some_and(|at| message.sent_at >= at);
                (continues && is_later).then(|| thread_sign(kind, message.requires_response)).flatten()
            }
        }
    }

    /// Takes an answer that fits; for one that does not, asks for clarification, once.
    pub(super) fn accept_or_clarify(mut self, reply: Message, retried: bool) -> Result<AskResult> {
        let Some(fault) = self.question.format.misfit(&self.answer_in(&reply)) else {
            self.log("answered", true);
            return Ok(self.result(AskOutcome::Answered, &reply, retried));
        };
        self.log("invalid_response", false);
        self.send(After::Misfit(&reply.id, &fault))?;
        let second = self.wait()?;
        let (last, fault) = match second {
            Some(second) => {
                let fault = self.question.format.misfit(&self.answer_in(&second));
                (second, fault)
            }
            None => (reply, Some(fault)),
        };
        let (outcome, word) = match fault {
            None => (AskOutcome::Answered, "clarified"),
            Some(_) => (AskOutcome::Partial, "partial"),
        };
        self.log(word, fault.is_none());
        Ok(AskResult { clarified: true, misfit: fault, ..self.result(outcome, &last, retried) })
    }

    /// Takes the answer out of a message, as the format means it.
    fn answer_in(&self, reply: &Message) -> Json {
        self.question.format.read_answer(query::answer_in(reply))
    }

    /// Uses the fallback in place of an answer, read as an answer would be.
    pub(super) fn fall_back(self) -> Result<AskResult> {
        let Question { to, fallback, format, .. } = self.question;
        let Some(fallback) = fallback else {
            self.log("timed_out", false);
            let message =
                format!("{to} did not answer within {}, asked twice: {}", shown(self.timeout), self.question_ids[0]);
            return Err(Error::TimedOut { message }.into());
        };
        self.log("fallback", false);
        Ok(AskResult {
            outcome: AskOutcome::FellBack,
            answer: format.read_answer(fallback.clone()),
            question: self.question_ids[0].clone(),
            answered_by: None,
            thread: self.thread,
            retried: true,
            clarified: false,
            misfit: None,
        })
    }

    fn result(&self, outcome: AskOutcome, reply: &Message, retried: bool) -> AskResult {
        AskResult {
            outcome,
            answer: self.answer_in(reply),
            question: self.question_ids[0].clone(),
            answered_by: Some(reply.id.clone()),
            thread: self.thread.clone(),
            retried,
            clarified: false,
            misfit: None,
        }
    }

    /// Logs how the last question that was sent ended.
    pub(super) fn log(&self, outcome: &'static str, success: bool) {
        let record = self.bus.record_for(Protocol::Query, self.from, Some(&self.question.to), self.usage);
        self.bus.log(&CommunicationRecord { outcome, success, message: self.question_ids.last().cloned(), ..record });
    }
}

/// Builds a subject of a question.
fn subject(question: &str) -> String {
    let line = first_line(question);
    if line.chars().count() <= SUBJECT {
        return line;
    }
    format!("{}…", line.chars().take(SUBJECT - 1).collect::<String>().trim_end())
}

fn shown(span: Span) -> String {
    if span < Span::from_seconds(1) { format!("{} ms", span.millis()) } else { span.to_string() }
}
