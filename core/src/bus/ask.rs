//! Asking an agent something, and waiting for what it says.

mod exchange;
mod format;
mod schema;
#[cfg(test)]
pub(super) mod tests;

use exchange::Exchange;
pub use format::Format;

use super::orchestrator::TokenUsage;
use super::{Bus, Error, ReplyDraft, Result, SendReceipt};
use crate::model::{AgentName, Diagnostic, Json, MessageId, Severity, Span, ThreadId};
use crate::state::{CommunicationRecord, Protocol};
use crate::wire::orchestrator::query::{self, After, Urgency};

/// A question to send. Start with [`Question::to`] and set what differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The recipient.
    pub to: AgentName,
    /// The question.
    pub text: String,
    /// Background for the recipient.
    pub context: String,
    /// The expected format of the answer.
    pub format: Format,
    /// The urgency.
    pub urgency: Urgency,
    /// How long to wait for an answer, each time it is asked; by default as the settings say.
    pub timeout: Option<Span>,
    /// The value to use when no answer arrives.
    pub fallback: Option<Json>,
    /// The conversation to go on with; by default a new one begins.
    pub thread: Option<ThreadId>,
}

impl Question {
    /// Starts a question to an agent.
    pub fn to(agent: &AgentName, text: impl Into<String>) -> Self {
        Self {
            to: agent.clone(),
            text: text.into(),
            context: String::new(),
            format: Format::Any,
            urgency: Urgency::default(),
            timeout: None,
            fallback: None,
            thread: None,
        }
    }
}

/// How a question ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskOutcome {
    /// With an answer that fits.
    Answered,
    /// With an answer that does not fit, even after asking again.
    Partial,
    /// Without an answer: the fallback takes its place.
    FellBack,
}

impl AskOutcome {
    /// Returns the word that programs read.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Partial => "partial",
            Self::FellBack => "fallback",
        }
    }
}

/// The result of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct AskResult {
    /// How it ended.
    pub outcome: AskOutcome,
    /// The answer, or what takes its place.
    pub answer: Json,
    /// The message that asked first.
    pub question: MessageId,
    /// The message that answered.
    pub answered_by: Option<MessageId>,
    /// The conversation.
    pub thread: Option<ThreadId>,
    /// Whether it was asked once more, because no answer came in time.
    pub retried: bool,
    /// Whether clarification was asked for, because an answer did not fit.
    pub clarified: bool,
    /// Why a partial answer does not match the format.
    pub misfit: Option<String>,
}

impl Bus<'_> {
    /// Asks an agent a question and waits for the answer, which counts as seen.
    ///
    /// When none comes in time, it is asked once more; then the fallback takes the answer's place, and without one the time
    /// is up. When the answer does not fit, clarification is asked for, once; then the partial answer must do.
    pub fn ask(&self, from: &AgentName, question: &Question) -> Result<AskResult> {
        let rules = self.rules();
        rules.permit(Protocol::Query)?;
        if *from == question.to {
            return Err(Error::Usage {
                message: format!("{from} cannot ask itself"),
                hint: "name another agent; huddle agents lists them".into(),
            }
            .into());
        }
        let mut exchange = Exchange::new(self, from, question, &rules);
        let first = exchange.send(After::Nothing)?;
        let mut reply = exchange.wait()?;
        let retried = reply.is_none();
        if retried {
            exchange.log("timed_out", false);
            exchange.send(After::Silence(&first))?;
            reply = exchange.wait()?;
        }
        match reply {
            Some(reply) => exchange.accept_or_clarify(reply, retried),
            None => exchange.fall_back(),
        }
    }

    /// Answers a question; an answer that does not fit is sent all the same, and is a finding.
    pub fn answer(&self, agent: &AgentName, id: &MessageId, answer: &ReplyDraft) -> Result<SendReceipt> {
        self.rules().permit(Protocol::Query)?;
        let original = self.own_copy(agent, id)?.message;
        if !query::is_request(&original) {
            return Err(Error::Usage {
                message: format!("{id} is no question of the query protocol"),
                hint: format!("use huddle reply {id}"),
            }
            .into());
        }
        let misfit = Format::read(query::expected_format(&original)).and_then(|format| format.misfit(&answer.body));
        let answer = ReplyDraft { body: query::response(&answer.body), ..answer.clone() };
        let sent = self.reply(agent, id, &answer)?;
        self.note_findings(misfit.iter().map(|fault| does_not_fit(id, fault)).collect());
        if !sent.duplicate {
            let record =
                self.record_for(Protocol::Query, agent, Some(&original.from), TokenUsage::of_json(&answer.body));
            self.log(&CommunicationRecord { outcome: "response", message: Some(sent.id.clone()), ..record });
        }
        Ok(sent)
    }
}

fn does_not_fit(id: &MessageId, fault: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "answer-misfit",
        place: id.to_string(),
        message: format!("the answer does not fit the format that was asked for: {fault}"),
        hint: "answer again; a second answer is taken when the first does not fit".into(),
    }
}
