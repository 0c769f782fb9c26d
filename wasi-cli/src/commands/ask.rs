//! `huddle ask`

use huddle_core::bus::{AskOutcome, AskResult, Format, Question};
use huddle_core::model::{Diagnostic, Json, Severity, ThreadId};
use huddle_core::wire::answer;
use huddle_core::wire::orchestrator::query::Urgency;

use super::message_options::{THREAD, optional_body};
use crate::args::{Args, Spec, must, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::when;

pub(super) const SPEC: Spec = Spec::command(
    "huddle ask",
    "Ask an agent a question, wait for its answer and print it",
    &[
        must("TO", "who is asked"),
        must("QUESTION", "what is asked; @FILE reads a file, - reads standard input"),
        option("context", "TEXT|@FILE|-", "what it is asked for"),
        option(
            "format",
            "FORMAT|@FILE",
            "what the answer should look like: json, object, array, string, number, boolean, text, lines, markdown, \
             a JSON Schema, or a description, which is not checked",
        ),
        option("urgency", "URGENCY", "how urgently: low, medium, high or critical").default("medium"),
        option("timeout", "SECONDS", "how long to wait, each time it is asked; by default as the settings say, or 30"),
        option("fallback", "JSON|@FILE", "what to go on with when no answer comes"),
        THREAD,
    ],
    run,
)
.more(
    "\
When no answer comes in time, the question is asked once more. Then the fallback takes the answer's place; without one,
the exit code is 4. When an answer does not fit the format, clarification is asked for, once; then the partial answer must
do. `outcome` says which it was: answered, partial or fallback. Each is in .claude/state/decisions.jsonl.",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let question = question(args, call)?;
    let asked = call.bus.ask(&me, &question);
    call.look_beside();
    let asked = asked?;
    call.output.found(remark(&asked));
    call.output.answer(|| answer::asked(&asked), || shown(&asked.answer))
}

fn question(args: &Args, call: &mut Call<'_>) -> Result<Question, Failure> {
    let format = Format::new(&optional_body(args, "format", call)?)?;
    if !format.is_checked() {
        call.output.found([not_checked()]);
    }
    let fallback = if args.has("fallback") { Some(optional_body(args, "fallback", call)?) } else { None };
    let urgency = |text: &str| Urgency::parse(text).ok_or_else(|| "give low, medium, high or critical".to_owned());
    Ok(Question {
        context: call.input.text(args.need("context"))?,
        format,
        urgency: args.read("urgency", urgency)?.unwrap_or_default(),
        timeout: args.read("timeout", when::span)?,
        fallback,
        thread: args.text("thread").map(ThreadId::new).transpose()?,
        ..Question::to(&args.name("TO")?, call.input.text(args.need("QUESTION"))?)
    })
}

/// Tells what is not as it should be about an answer.
fn remark(asked: &AskResult) -> Option<Diagnostic> {
    let (code, message) = match asked.outcome {
        AskOutcome::Answered => return None,
        AskOutcome::Partial => {
            let fault = asked.misfit.as_deref().unwrap_or_default();
            ("partial-answer", format!("the answer does not fit, even after asking again: {fault}"))
        }
        AskOutcome::FellBack => ("fallback-used", "no answer came, and the fallback takes its place".to_owned()),
    };
    let place = asked.answered_by.as_ref().unwrap_or(&asked.question).to_string();
    Some(Diagnostic { severity: Severity::Warning, code, place, message, hint: String::new() })
}

fn not_checked() -> Diagnostic {
    Diagnostic {
        severity: Severity::Info,
        code: "format-not-checked",
        place: "--format".to_owned(),
        message: "a description goes along with the question, and answers are not checked against it".to_owned(),
        hint: "to have answers checked, give a name such as object, or a JSON Schema".to_owned(),
    }
}

fn shown(answer: &Json) -> String {
    answer.as_str().map_or_else(|| format!("{answer:#}"), str::to_owned)
}
