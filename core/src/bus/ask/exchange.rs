//! One question and what comes back for it.

use super::{AskOutcome, AskResult, Question};
use crate::bus::handoff::first_line;
use crate::bus::orchestrator::{TokenUsage, tokens};
use crate::bus::{Bus, Draft, Error, Result};
use crate::engine::{Envelope, Transaction};
use crate::model::{AgentName, Message, MessageId, MessageType, Recipient, Span, ThreadId};
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
    /// The context as it goes over.
    context: String,
    /// How many tokens compression has saved.
    saved: usize,
    timeout: Span,
    thread: Option<ThreadId>,
    question_ids: Vec<MessageId>,
    /// Answers that were looked at and did not do.
    rejected: Vec<MessageId>,
    usage: TokenUsage,
}

impl<'e> Exchange<'e> {
    pub(super) fn new(bus: &'e Bus<'_>, from: &'e AgentName, question: &'e Question, rules: &Settings) -> Self {
        let context = bus.fitted(&question.context, rules.max_context_tokens, rules);
        Self {
            bus,
            from,
            question,
            saved: tokens(&question.context).saturating_sub(tokens(&context)),
            context,
            timeout: question.timeout.unwrap_or(rules.timeout),
            thread: question.thread.clone(),
            question_ids: Vec::new(),
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
            question: text,
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
        let message = Message { in_reply_to, ..message };
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
            let replies = message.in_reply_to.as_ref().is_some_and(|id| self.question_ids.contains(id));
            if !replies || message.from != self.question.to || self.rejected.contains(&message.id) {
                continue;
            }
            match message.kind.as_str() {
                MessageType::ACKNOWLEDGMENT if delivery.is_unread() => self.bus.mark_seen(self.from, &message.id)?,
                MessageType::ACKNOWLEDGMENT | MessageType::DELIVERY_FAILED => {}
                _ => return Ok(Some(delivery.message)),
            }
        }
        Ok(None)
    }

    /// Takes an answer that fits; for one that does not, asks for clarification, once.
    pub(super) fn accept_or_clarify(mut self, reply: Message, retried: bool) -> Result<AskResult> {
        let Some(fault) = self.question.format.misfit(&query::answer_in(&reply)) else {
            self.log("answered", true);
            return Ok(self.result(AskOutcome::Answered, &reply, retried));
        };
        self.log("invalid_response", false);
        self.send(After::Misfit(&reply.id, &fault))?;
        let second = self.wait()?;
        let (last, fault) = match second {
            Some(second) => {
                let fault = self.question.format.misfit(&query::answer_in(&second));
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

    /// Uses the fallback in place of an answer.
    pub(super) fn fall_back(self) -> Result<AskResult> {
        let Question { to, fallback, .. } = self.question;
        let Some(fallback) = fallback else {
            self.log("timed_out", false);
            let message =
                format!("{to} did not answer within {}, asked twice: {}", shown(self.timeout), self.question_ids[0]);
            return Err(Error::TimedOut { message }.into());
        };
        self.log("fallback", false);
        Ok(AskResult {
            outcome: AskOutcome::FellBack,
            answer: fallback.clone(),
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
            answer: query::answer_in(reply),
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
