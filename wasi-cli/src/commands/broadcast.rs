//! `huddle broadcast`

use huddle_core::bus::Draft;
use huddle_core::model::Json;
use huddle_core::wire::answer;
use huddle_core::wire::orchestrator::notice::{BroadcastType, Notice};

use super::message_options::{BODY, DEADLINE, FILE, KEY, LARGE, NEEDS_REPLY, TASK, THREAD, draft, priority, sent_text};
use crate::args::{Args, Spec, flag, maybe, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle broadcast",
    "Send a message to every registered agent but yourself",
    &[
        maybe("SUBJECT", "one line that says what it is about; without one, the body's first words are"),
        option(
            "type",
            "TYPE",
            "what kind of message it is: context_update, priority_change, abort_signal, checkpoint_reached, … \
             any word will do",
        ),
        BODY,
        option(
            "priority",
            "PRIORITY",
            "how urgent it is: critical, high, normal or low; by default normal, priority_change high, \
             abort_signal critical",
        ),
        flag("action-required", "with one of the four types: those who hear it have to act"),
        option("about", "WORD", "with one of the four types: what it is about, such as user_preference_change"),
        THREAD,
        NEEDS_REPLY,
        DEADLINE,
        KEY,
        TASK,
        FILE,
        LARGE,
    ],
    run,
)
.more(
    "\
For decisions that concern everybody. What concerns some is an event: see publish and subscribe.

With one of the four types that are listed, the body is the content of the orchestrator's structure: broadcast_type and
message (type, content, priority, action_required).",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let subject = args.text("SUBJECT");
    if subject.is_none() && !args.has("body") {
        return Err(args.wrong("SUBJECT is missing"));
    }
    let draft = draft(args, subject.unwrap_or_default(), call)?;
    let draft = match args.text("type").and_then(BroadcastType::parse) {
        Some(kind) => announcement(args, kind, draft)?,
        None if args.has("action-required") || args.has("about") => {
            return Err(args.wrong("--action-required and --about go with one of the four types"));
        }
        None => draft,
    };
    let sent = call.bus.broadcast(&me, &draft)?;
    call.look_beside();
    call.output.answer(|| answer::sent(&sent), || sent_text("Broadcast", &sent, subject))
}

/// Gives a draft the orchestrator's structure, unless its body has it already.
fn announcement(args: &Args, kind: BroadcastType, draft: Draft) -> Result<Draft, Failure> {
    let priority = args.read("priority", priority)?.unwrap_or(kind.priority());
    if draft.body.get("broadcast_type").is_some() {
        return Ok(Draft { priority, ..draft });
    }
    let content = if draft.body.is_null() { Json::from(draft.subject.as_str()) } else { draft.body.clone() };
    let about = args.text("about").map(str::to_owned);
    let notice = Notice { kind, about, content, priority, action_required: args.has("action-required") };
    let Draft { kind, body, priority, .. } = Draft::announcing(draft.subject.as_str(), &notice);
    Ok(Draft { kind, body, priority, ..draft })
}
