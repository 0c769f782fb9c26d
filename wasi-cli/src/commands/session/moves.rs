//! `huddle session join`, `progress`, `complete`, `fail` and `retry`

use huddle_core::model::{AgentName, Member, SessionId};
use huddle_core::session::Error;
use huddle_core::wire::answer::session as answer;

use super::{ID, names, object, session};
use crate::args::{Args, Spec, must, needed, option, repeated};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const JOIN: Spec = Spec::command(
    "huddle session join",
    "Start work, or wait for those who must finish first; a new agent comes into the session",
    &[
        must("AGENT", "the agent that starts"),
        repeated("needs", "AGENT", "an agent that must finish first"),
        repeated("without", "AGENT", "an agent not to wait for any longer, because it failed and is not critical"),
        ID,
    ],
    join,
)
.more("When others must finish first, the agent is noted as waiting: `huddle session wait --needs-of AGENT`, then join again.");

pub(super) const PROGRESS: Spec = Spec::command(
    "huddle session progress",
    "Say what an agent is doing",
    &[must("AGENT", "the agent"), must("TEXT", "what it is doing; @FILE reads a file, - reads standard input"), ID],
    progress,
);

pub(super) const COMPLETE: Spec = Spec::command(
    "huddle session complete",
    "Say that an agent has finished",
    &[
        must("AGENT", "the agent"),
        option("report", "FILE", "its report, written with the same stroke: a file, - for standard input, or JSON"),
        option("message", "TEXT", "what to say of it in the log"),
        ID,
    ],
    complete,
);

pub(super) const FAIL: Spec = Spec::command(
    "huddle session fail",
    "Say that an agent cannot go on",
    &[must("AGENT", "the agent"), needed("error", "TEXT", "what went wrong; @FILE reads a file"), ID],
    fail,
);

pub(super) const RETRY: Spec = Spec::command(
    "huddle session retry",
    "Put an agent that failed back to waiting, so that it can join again",
    &[must("AGENT", "the agent"), ID],
    retry,
);

fn join(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let (id, agent): (_, AgentName) = (session(args, call)?, args.name("AGENT")?);
    let (needs, without) = (names(&args.all("needs"))?, names(&args.all("without"))?);
    let joined = call.project.sessions.join(&id, &agent, &needs, &without)?;
    call.output.answer(
        || answer::joined(&joined),
        || match joined.waits_for.as_slice() {
            [] => format!("✅ {agent} is in_progress"),
            open => format!("⏳ {agent} is waiting for {}", open.join(", ")),
        },
    )
}

fn progress(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let said = call.input.text(args.need("TEXT"))?;
    moved(args, call, &|call, id, agent| call.project.sessions.progress(id, agent, &said))
}

fn complete(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let report = args.text("report").map(|report| object(Some(report), call)).transpose()?;
    moved(args, call, &|call, id, agent| {
        call.project.sessions.complete(id, agent, report.as_ref(), args.text("message"))
    })
}

fn fail(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let error = call.input.text(args.need("error"))?;
    moved(args, call, &|call, id, agent| call.project.sessions.fail(id, agent, &error))
}

fn retry(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    moved(args, call, &|call, id, agent| call.project.sessions.retry(id, agent))
}

type Move<'m> = &'m dyn Fn(&Call<'_>, &SessionId, &AgentName) -> Result<Member, Box<Error>>;

/// Moves an agent on, and tells where it is now.
fn moved(args: &Args, call: &mut Call<'_>, act: Move<'_>) -> Result<(), Failure> {
    let (id, agent) = (session(args, call)?, args.name("AGENT")?);
    let member = act(call, &id, &agent)?;
    call.output.answer(|| answer::member(&member), || format!("✅ {agent} is {}", member.status))
}
