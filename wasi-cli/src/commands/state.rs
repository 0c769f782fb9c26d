//! `huddle state`

mod show;

use huddle_core::model::AgentName;
use huddle_core::state::Edit;
use huddle_core::wire::answer;
use huddle_core::wire::orchestrator::shared_context::SharedContext;

use crate::args::{Args, Spec, Take, must, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::group(
    "huddle state",
    "Keep what agents share: objective, phase, decisions, artifacts, blockers, notes, and where each agent stands",
    &[show::SPEC, PHASE, OBJECTIVE, DECIDE, ARTIFACT, BLOCK, UNBLOCK, NOTE, AGENT, show::SETTINGS],
)
.more(
    "\
Kept in .claude/state/shared-context.json, which the first change makes. Beside it, decisions.jsonl has a line for every
question, answer, typed broadcast and sequential handoff; and, when there is a .claude/state or there are settings, for
every other broadcast and handoff, too. Nothing is shared or logged when the settings have sharedStateEnabled at false.",
);

const EXPECT: Take = option("expect-version", "N", "refuse when the state is not at this version any more");

const PHASE: Spec = Spec::command(
    "huddle state phase",
    "Say which phase the work is in",
    &[must("PHASE", "a number, or a word such as 3a"), EXPECT],
    |args, call| change(args, call, Edit::Phase(args.need("PHASE"))),
);

const OBJECTIVE: Spec = Spec::command(
    "huddle state objective",
    "Say what the agents are after",
    &[must("TEXT", "the objective"), option("task", "ID", "the task's id"), EXPECT],
    |args, call| change(args, call, Edit::Objective { text: args.need("TEXT"), task: args.text("task") }),
);

const DECIDE: Spec = Spec::command(
    "huddle state decide",
    "Add a decision",
    &[must("TEXT", "what was decided"), EXPECT],
    |args, call| add(args, call, Edit::Decide(args.need("TEXT"))),
);

const ARTIFACT: Spec = Spec::command(
    "huddle state artifact",
    "Add something that was made",
    &[must("PATH", "where it is"), option("type", "TYPE", "what kind of thing it is").default("file"), EXPECT],
    |args, call| add(args, call, Edit::Artifact { kind: args.need("type"), path: args.need("PATH") }),
);

const BLOCK: Spec = Spec::command(
    "huddle state block",
    "Add something that is in the way",
    &[must("TEXT", "what is in the way"), EXPECT],
    |args, call| add(args, call, Edit::Block(args.need("TEXT"))),
);

const UNBLOCK: Spec = Spec::command(
    "huddle state unblock",
    "Take away what was in the way",
    &[must("ID", "the blocker's id, or its text when it has none"), EXPECT],
    |args, call| change(args, call, Edit::Unblock(args.need("ID"))),
);

const NOTE: Spec =
    Spec::command("huddle state note", "Add a note", &[must("TEXT", "what is worth knowing"), EXPECT], |args, call| {
        add(args, call, Edit::Note(args.need("TEXT")))
    });

const AGENT: Spec = Spec::command(
    "huddle state agent",
    "Say where an agent stands",
    &[
        must("NAME", "the agent"),
        must("STATUS", "how it is doing: in_progress, completed, … any word will do"),
        option("task", "TEXT", "what it is at; one that is completed is at nothing"),
        option("output-ref", "REF", "where its output is"),
        EXPECT,
    ],
    agent,
);

fn agent(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let name: AgentName = args.name("NAME")?;
    let (task, output_ref) = (args.text("task"), args.text("output-ref"));
    change(args, call, Edit::Agent { name: &name, status: args.need("STATUS"), task, output_ref })
}

/// Makes a change that carries the name of who made it.
fn add(args: &Args, call: &mut Call<'_>, edit: Edit<'_>) -> Result<(), Failure> {
    call.me()?;
    change(args, call, edit)
}

fn change(args: &Args, call: &mut Call<'_>, edit: Edit<'_>) -> Result<(), Failure> {
    let me = call.me_if_told()?;
    let expected = args.number("expect-version")?;
    call.output.found(call.project.state.settings().findings);
    let state = call.project.state.change(me.as_ref(), edit, expected)?;
    call.output.answer(|| answer::shared_state(&state), || changed(&state, edit))
}

fn changed(state: &SharedContext, edit: Edit<'_>) -> String {
    let mut text = format!("✅ Shared state changed (version {})", state.version());
    if let (Edit::Block(_), Some(blocker)) = (edit, state.list("blockers").last()) {
        text += &format!("\n   ID: {}", blocker["id"].as_str().unwrap_or_default());
    }
    text
}
