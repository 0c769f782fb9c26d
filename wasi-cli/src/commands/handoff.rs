//! `huddle handoff`

mod artifact;
mod create;

use clap::{Args, Subcommand};
use huddle_api::{
    AcceptHandoff, DeclineHandoff, HandoffList, HandoffPackage, ListHandoffs, ReadHandoff, RequestContext, span,
};
use huddle_core::model::Span;

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Pass a task to another agent, with all that belongs to it
#[derive(Debug, Args)]
pub(crate) struct HandoffArgs {
    #[command(subcommand)]
    command: HandoffCommand,
}

#[derive(Debug, Subcommand)]
enum HandoffCommand {
    Create(Box<create::CreateArgs>),
    List(ListArgs),
    Show(ShowArgs),
    Artifact(artifact::ArtifactArgs),
    Accept(AcceptArgs),
    Decline(DeclineArgs),
    RequestContext(RequestContextArgs),
}

/// List the handoffs and where they stand
#[derive(Debug, Args)]
struct ListArgs {}

/// Print a handoff's document and name its files
#[derive(Debug, Args)]
struct ShowArgs {
    /// the handoff's id
    id: String,
}

/// Take over what was handed to you, and tell the giver
#[derive(Debug, Args)]
struct AcceptArgs {
    /// the handoff's id
    id: String,
    /// what to say to the giver
    #[arg(long, value_name = "TEXT")]
    notes: Option<String>,
}

/// Turn down what was handed to you, and tell the giver why
#[derive(Debug, Args)]
struct DeclineArgs {
    /// the handoff's id
    id: String,
    /// why
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// Print the context of what was handed to you; when it is missing, ask the giver for it
///
/// When the giver does not answer, the context is put together from the shared state, and marked `reconstructed`.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct RequestContextArgs {
    /// the handoff's id
    id: String,
    /// how long to wait for the giver, who is asked twice; by default as the settings say
    #[arg(long, value_name = "SECONDS", value_parser = span)]
    timeout: Option<Span>,
}

impl HandoffArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        match self.command {
            HandoffCommand::Create(args) => args.run(call),
            HandoffCommand::List(ListArgs {}) => list(call),
            HandoffCommand::Show(args) => args.run(call),
            HandoffCommand::Artifact(args) => args.run(call),
            HandoffCommand::Accept(args) => args.run(call),
            HandoffCommand::Decline(args) => args.run(call),
            HandoffCommand::RequestContext(args) => args.run(call),
        }
    }
}

impl ShowArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let package = call.execute(ReadHandoff { id: self.id })?;
        call.answer(&package, package_text)
    }
}

impl AcceptArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let handoff = call.execute(AcceptHandoff { id: self.id, notes: self.notes.unwrap_or_default() })?;
        call.answer(&handoff, |handoff| format!("✅ Handoff accepted: {}", handoff.id))
    }
}

impl DeclineArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let handoff = call.execute(DeclineHandoff { id: self.id, reason: self.reason })?;
        call.answer(&handoff, |handoff| format!("✅ Handoff declined: {}", handoff.id))
    }
}

impl RequestContextArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let context = call.execute(RequestContext { id: self.id, timeout: self.timeout })?;
        call.answer(&context, |context| {
            let origin = if context.reconstructed { "Put together from the shared state.\n\n" } else { "" };
            format!("{origin}{}", context.markdown)
        })
    }
}

fn list(call: &mut Call<'_>) -> Result<(), Failure> {
    let handoffs = call.execute(ListHandoffs {})?;
    call.answer(&handoffs, table)
}

fn table(list: &HandoffList) -> String {
    if list.handoffs.is_empty() {
        return "No handoffs.".to_owned();
    }
    let mut rows = vec![text::row([&"HANDOFF", &"FROM", &"TO", &"STATUS", &"TASK"])];
    rows.extend(
        list.handoffs
            .iter()
            .map(|handoff| text::row([&handoff.id, &handoff.from, &handoff.to, &handoff.status, &handoff.task])),
    );
    text::table(&rows)
}

fn package_text(HandoffPackage { handoff, document, files, .. }: &HandoffPackage) -> String {
    let way = if files.is_empty() {
        String::new()
    } else {
        format!("\nPrint one: huddle handoff artifact {} NAME", handoff.id)
    };
    format!("{}\n\nStatus: {}\nFiles: {}{way}", document.trim_end(), handoff.status, text::list(files))
}
