//! `huddle handoff create`

use huddle_core::bus::{HandoffDraft, HandoffFile};
use huddle_core::wire::answer;

use crate::args::{Args, Spec, must, needed, option, repeated};
use crate::call::Call;
use crate::failure::Failure;
use crate::input;

pub(super) const SPEC: Spec = Spec::command(
    "huddle handoff create",
    "Put a package together and tell its receiver",
    &[
        must("TO", "who takes over"),
        needed("task", "TEXT", "what is handed over, in a line"),
        repeated("artifact", "FILE", "a file to copy into the package"),
        option("context", "TEXT|@FILE|-", "what the receiver should know"),
        option("done", "TEXT|@FILE|-", "what is done"),
        repeated("next", "TEXT", "a step to take next"),
        repeated("issue", "TEXT", "a known issue or blocker"),
        repeated("question", "TEXT", "an open question"),
        repeated("criterion", "TEXT", "what must hold before it is accepted"),
    ],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let draft = draft(args, call)?;
    let created = call.bus.create_handoff(&me, draft)?;
    let handoff = &created.handoff;
    call.output.answer(
        || answer::handoff_created(&created),
        || {
            let (id, from, to, files) = (&handoff.id, &handoff.from, &handoff.to, handoff.artifacts.len());
            format!("✅ Handoff package created: {id}\n   From: {from} → {to}\n   Artifacts: {files}")
        },
    )
}

fn draft(args: &Args, call: &mut Call<'_>) -> Result<HandoffDraft, Failure> {
    let file = |path: String| Ok(HandoffFile { bytes: input::file(&path)?, source: path });
    Ok(HandoffDraft {
        to: args.name("TO")?,
        task: args.need("task").to_owned(),
        files: args.all("artifact").into_iter().map(file).collect::<Result<_, Failure>>()?,
        context: call.input.text(args.need("context"))?,
        done: call.input.text(args.need("done"))?,
        next: args.all("next"),
        issues: args.all("issue"),
        questions: args.all("question"),
        criteria: args.all("criterion"),
        package: None,
    })
}
