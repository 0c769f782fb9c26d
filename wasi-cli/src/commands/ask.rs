//! `huddle ask`

use huddle_api::{Ask, urgency};
use huddle_core::model::{Json, Span};
use huddle_core::wire::orchestrator::query::Urgency;

use crate::call::Call;
use crate::failure::Failure;

/// Ask an agent a question, wait for its answer and print it
///
/// When no answer comes in time, the question is asked once more. Then the fallback takes the answer's place; without one,
/// the exit code is 4. When an answer does not fit the format, clarification is asked for, once; then the partial answer must
/// do. `outcome` says which it was: answered, partial or fallback. Each is in .claude/state/decisions.jsonl.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct AskArgs {
    /// who is asked
    to: String,
    /// what is asked; @FILE reads a file, - reads standard input
    question: String,
    /// what it is asked for
    #[arg(long, value_name = "TEXT|@FILE|-")]
    context: Option<String>,
    /// what the answer should look like: json, object, array, string, number, boolean, text, lines, markdown, a JSON
    /// Schema, or a description, which is not checked
    #[arg(long, value_name = "FORMAT|@FILE")]
    format: Option<String>,
    /// how urgently: low, medium, high or critical
    #[arg(long, value_name = "URGENCY", default_value = "medium", value_parser = urgency)]
    urgency: Urgency,
    /// how long to wait, each time it is asked; by default as the settings say, or 30
    #[arg(long, value_name = "SECONDS", value_parser = huddle_api::span)]
    timeout: Option<Span>,
    /// what to go on with when no answer comes
    #[arg(long, value_name = "JSON|@FILE")]
    fallback: Option<String>,
    /// the conversation to go on with; by default a new one begins
    #[arg(long, value_name = "ID")]
    thread: Option<String>,
}

impl AskArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        call.context.actor()?;
        let fallback = match self.fallback {
            Some(fallback) => {
                let (fallback, finding) = call.input.body(&fallback)?;
                call.output.found(finding);
                Some(fallback)
            }
            None => None,
        };
        let request = Ask {
            format: call.body(self.format.as_deref())?,
            fallback,
            context: call.input.text(self.context.as_deref().unwrap_or_default())?,
            question: call.input.text(&self.question)?,
            to: self.to,
            urgency: Some(self.urgency),
            timeout: self.timeout,
            thread_id: self.thread,
        };
        let asked = call.execute(request)?;
        call.answer(&asked, |asked| answer_text(&asked.answer))
    }
}

fn answer_text(answer: &Json) -> String {
    answer.as_str().map_or_else(|| format!("{answer:#}"), str::to_owned)
}
