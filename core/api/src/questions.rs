//! Questions, and answers to them.

use huddle_core::bus::{self, AskOutcome, Format, Question, ReplyDraft};
use huddle_core::model::{AgentName, Diagnostic, Json, MessageId, Priority, Remedy, Severity, Span, ThreadId};
use huddle_core::wire;
use huddle_core::wire::orchestrator::query::Urgency;
use serde::{Deserialize, Serialize};

use crate::response::text;
use crate::when::{optional_priority, optional_seconds, optional_urgency};
use crate::{Body, Context, Error, MessageSent, Operation};

/// Asks an agent a question and waits for the answer. After silence it is asked once more, and an answer that does not
/// fit the format is asked for once more.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Ask {
    /// The agent that is asked.
    pub to: String,
    /// The question.
    pub question: String,
    /// Background for the agent.
    #[serde(default)]
    pub context: String,
    /// The format of the answer: a name, a JSON Schema, or a description, which is not checked.
    #[serde(default)]
    pub format: Body,
    /// The urgency; by default medium.
    #[serde(default, deserialize_with = "optional_urgency")]
    pub urgency: Option<Urgency>,
    /// How long to wait each time; by default as the settings say.
    #[serde(default, deserialize_with = "optional_seconds")]
    pub timeout: Option<Span>,
    /// What takes the answer's place when none comes: a value that is given as JSON stays what it is.
    #[serde(default)]
    pub fallback: Option<Json>,
    /// The thread to go on with; by default a new one begins.
    #[serde(default)]
    pub thread_id: Option<String>,
}

/// The result of a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AskResult {
    /// `answered`, `partial` or `fallback`.
    pub outcome: &'static str,
    /// The answer, or what takes its place.
    pub answer: Json,
    /// The message that asked first.
    pub question_id: String,
    /// The message that answered.
    pub answer_id: Option<String>,
    /// The thread.
    pub thread_id: Option<String>,
    /// Whether the answer does not fit the format.
    pub partial: bool,
    /// Whether the fallback takes the answer's place.
    pub fallback: bool,
    /// Whether the question was asked once more, because no answer came in time.
    pub retried: bool,
    /// Whether clarification was asked for, because an answer did not fit.
    pub clarified: bool,
    /// What about the answer does not fit.
    pub misfit: Option<String>,
}

impl From<bus::AskResult> for AskResult {
    fn from(asked: bus::AskResult) -> Self {
        Self {
            outcome: asked.outcome.as_str(),
            answer: asked.answer,
            question_id: asked.question.to_string(),
            answer_id: text(asked.answered_by.as_ref()),
            thread_id: text(asked.thread.as_ref()),
            partial: asked.outcome == AskOutcome::Partial,
            fallback: asked.outcome == AskOutcome::FellBack,
            retried: asked.retried,
            clarified: asked.clarified,
            misfit: asked.misfit,
        }
    }
}

impl Operation for Ask {
    type Response = AskResult;

    fn run(self, context: &mut Context<'_>) -> Result<AskResult, Error> {
        let agent = context.actor()?;
        let question = self.into_question(context)?;
        let asked = context.bus().ask(&agent, &question)?;
        let findings = context.bus().take_findings();
        context.note(findings);
        context.note(remark(&asked));
        Ok(asked.into())
    }
}

impl Ask {
    fn into_question(self, context: &mut Context<'_>) -> Result<Question, Error> {
        let format = Format::new(&self.format.into_json(context))?;
        if !format.is_checked() {
            context.note([not_checked()]);
        }
        let fallback = self.fallback.map(|fallback| match fallback.as_str().and_then(wire::structure) {
            Some(Ok(structure)) => structure,
            _ => fallback,
        });
        let thread = self.thread_id.map(ThreadId::new).transpose()?;
        Ok(Question {
            context: self.context,
            format,
            urgency: self.urgency.unwrap_or_default(),
            timeout: self.timeout,
            fallback,
            thread,
            ..Question::to(&AgentName::new(self.to)?, self.question)
        })
    }
}

/// Returns a diagnostic of an answer that is not as it should be.
fn remark(asked: &bus::AskResult) -> Option<Diagnostic> {
    let (code, message) = match asked.outcome {
        AskOutcome::Answered => return None,
        AskOutcome::Partial => {
            let fault = asked.misfit.as_deref().unwrap_or_default();
            ("partial-answer", format!("the answer does not fit, even after asking again: {fault}"))
        }
        AskOutcome::FellBack => ("fallback-used", "no answer came, and the fallback takes its place".to_owned()),
    };
    let place = asked.answered_by.as_ref().unwrap_or(&asked.question).to_string();
    Some(Diagnostic { severity: Severity::Warning, code, place, message, remedy: Remedy::NONE })
}

fn not_checked() -> Diagnostic {
    Diagnostic {
        severity: Severity::Info,
        code: "format-not-checked",
        place: "the format".to_owned(),
        message: "a description goes along with the question, and answers are not checked against it".to_owned(),
        remedy: "to have answers checked, give a name such as object, or a JSON Schema".into(),
    }
}

/// Answers a question. An answer that does not fit the format is sent all the same, with a diagnostic.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Answer {
    /// The question.
    pub message_id: String,
    /// The answer.
    pub content: Body,
    /// Its priority; by default normal.
    #[serde(default, deserialize_with = "optional_priority")]
    pub priority: Option<Priority>,
    /// The send key, which makes a retry harmless.
    #[serde(default)]
    pub key: Option<String>,
    /// Whether content of more than 10 KB may pass.
    #[serde(default)]
    pub large: bool,
}

impl Operation for Answer {
    type Response = MessageSent;

    fn run(self, context: &mut Context<'_>) -> Result<MessageSent, Error> {
        let agent = context.actor()?;
        let id = MessageId::new(self.message_id)?;
        let draft = ReplyDraft {
            body: self.content.into_json(context),
            priority: self.priority.unwrap_or_default(),
            key: self.key,
            allow_large: self.large,
            ..ReplyDraft::default()
        };
        Ok(context.bus().answer(&agent, &id, &draft)?.into())
    }
}
