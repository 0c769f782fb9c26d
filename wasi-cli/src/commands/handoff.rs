//! `huddle handoff`

mod create;

use std::path::Path;

use huddle_core::engine::HandoffPackage;
use huddle_core::model::{Handoff, HandoffId};
use huddle_core::wire::answer;
use huddle_core::wire::orchestrator::package;

use crate::args::{Args, Spec, must, needed, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::{text, when};

pub(super) const SPEC: Spec = Spec::group(
    "huddle handoff",
    "Pass a task to another agent, with all that belongs to it",
    &[create::SPEC, LIST, SHOW, ARTIFACT, ACCEPT, DECLINE, REQUEST_CONTEXT],
);

const LIST: Spec = Spec::command("huddle handoff list", "List the handoffs and where they stand", &[], list);

const SHOW: Spec = Spec::command(
    "huddle handoff show",
    "Print a handoff's document and name its files",
    &[must("ID", "the handoff's id")],
    show,
);

const ARTIFACT: Spec = Spec::command(
    "huddle handoff artifact",
    "Print a file of a handoff as it is, wherever the bus is kept",
    &[
        must("ID", "the handoff's id"),
        must("NAME", "the file's name, as handoff show lists it"),
        option("out", "FILE", "the file to write instead, which must not be there yet"),
    ],
    artifact,
);

const ACCEPT: Spec = Spec::command(
    "huddle handoff accept",
    "Take over what was handed to you, and tell the giver",
    &[must("ID", "the handoff's id"), option("notes", "TEXT", "what to say to the giver")],
    accept,
);

const DECLINE: Spec = Spec::command(
    "huddle handoff decline",
    "Turn down what was handed to you, and tell the giver why",
    &[must("ID", "the handoff's id"), needed("reason", "TEXT", "why")],
    decline,
);

const REQUEST_CONTEXT: Spec = Spec::command(
    "huddle handoff request-context",
    "Print the context of what was handed to you; when it is missing, ask the giver for it",
    &[
        must("ID", "the handoff's id"),
        option(
            "timeout",
            "SECONDS",
            "how long to wait for the giver, who is asked twice; by default as the settings say",
        ),
    ],
    request_context,
)
.more("When the giver does not answer, the context is put together from the shared state, and marked `reconstructed`.");

fn list(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let handoffs = call.value(call.bus.handoffs()?);
    call.output.answer(|| answer::handoffs(&handoffs), || table(&handoffs))
}

fn show(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let package = call.bus.handoff(&args.name("ID")?)?;
    call.output.answer(|| answer::handoff_package(&package), || whole(&package))
}

fn artifact(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let bytes = call.bus.artifact(&args.name("ID")?, args.need("NAME"))?;
    let Some(out) = args.text("out") else { return call.output.bytes(&bytes) };
    call.input.files().write_new(Path::new(out), &bytes)?;
    call.output.answer(
        || answer::artifact(args.need("NAME"), bytes.len(), out),
        || format!("📄 {}: {out}", text::count(bytes.len(), "byte")),
    )
}

fn accept(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let id: HandoffId = args.name("ID")?;
    let handoff = call.bus.accept_handoff(&me, &id, args.need("notes"))?;
    call.look_beside();
    call.output.answer(|| answer::handoff(&handoff), || format!("✅ Handoff accepted: {id}"))
}

fn decline(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let id: HandoffId = args.name("ID")?;
    let handoff = call.bus.decline_handoff(&me, &id, args.need("reason"))?;
    call.look_beside();
    call.output.answer(|| answer::handoff(&handoff), || format!("✅ Handoff declined: {id}"))
}

fn request_context(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let id: HandoffId = args.name("ID")?;
    let context = call.bus.handoff_context(&me, &id, args.read("timeout", when::span)?);
    call.look_beside();
    let context = context?;
    let origin = if context.package.reconstructed { "Put together from the shared state.\n\n" } else { "" };
    call.output
        .answer(|| answer::handoff_context(&context), || format!("{origin}{}", package::markdown(&context.package)))
}

fn table(handoffs: &[Handoff]) -> String {
    if handoffs.is_empty() {
        return "No handoffs.".to_owned();
    }
    let mut rows = vec![text::row([&"HANDOFF", &"FROM", &"TO", &"STATUS", &"TASK"])];
    let row = |handoff: &Handoff| {
        text::row([&handoff.id, &handoff.from, &handoff.to, &handoff.status.as_str(), &handoff.task])
    };
    rows.extend(handoffs.iter().map(row));
    text::table(&rows)
}

fn whole(HandoffPackage { handoff, document, files, .. }: &HandoffPackage) -> String {
    let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
    let way = if names.is_empty() {
        String::new()
    } else {
        format!("\nPrint one: huddle handoff artifact {} NAME", handoff.id)
    };
    format!("{}\n\nStatus: {}\nFiles: {}{way}", document.trim_end(), handoff.status.as_str(), text::list(&names))
}
