//! `huddle handoff create`

use huddle_core::bus::{HandoffDraft, HandoffFile};
use huddle_core::wire::answer;
use huddle_core::wire::orchestrator::package::ContextPackage;

use crate::args::{Args, Spec, flag, must, needed, option, repeated};
use crate::call::Call;
use crate::failure::Failure;

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
        flag("sequential", "give a context package along; each of the options below implies it"),
        option("summary", "TEXT|@FILE|-", "what was done, in short; a context package needs it"),
        repeated("finding", "TEXT", "something that was found"),
        option("next-action", "TEXT", "what is to be done next"),
        option("output-ref", "REF", "where the whole output is"),
        option("tokens-used", "N", "how many tokens the work took"),
        option("snapshot", "FILE", "the state of the work, to copy into the package; by default the shared state"),
    ],
    run,
)
.more(
    "\
With a context package, the handoff is one of the orchestrator's sequential ones: the package is in metadata.json
(context_package), in HANDOFF.md and in the notice.",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let draft = draft(args, call)?;
    let created = call.bus.create_handoff(&me, draft)?;
    call.look_beside();
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
    let file = |path: String| Ok(HandoffFile { bytes: call.input.file(&path)?, source: path });
    let mut files = args.all("artifact").into_iter().map(file).collect::<Result<Vec<_>, Failure>>()?;
    files.extend(args.text("snapshot").map(str::to_owned).map(file).transpose()?);
    Ok(HandoffDraft {
        to: args.name("TO")?,
        task: args.need("task").to_owned(),
        files,
        context: call.input.text(args.need("context"))?,
        done: call.input.text(args.need("done"))?,
        next: args.all("next"),
        issues: args.all("issue"),
        questions: args.all("question"),
        criteria: args.all("criterion"),
        package: package(args, call)?,
    })
}

fn package(args: &Args, call: &mut Call<'_>) -> Result<Option<ContextPackage>, Failure> {
    let options = ["sequential", "summary", "finding", "next-action", "output-ref", "tokens-used", "snapshot"];
    if !options.iter().any(|option| args.has(option)) {
        return Ok(None);
    }
    let text = |option: &str| args.text(option).map(str::to_owned);
    Ok(Some(ContextPackage {
        summary: call.input.text(args.need("summary"))?,
        output_ref: text("output-ref"),
        tokens_used: args.number("tokens-used")?,
        key_findings: args.all("finding"),
        next_action: text("next-action"),
        state_snapshot: text("snapshot"),
        reconstructed: false,
    }))
}
