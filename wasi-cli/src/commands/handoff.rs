//! `huddle handoff`

mod create;

use clap::{Args, Subcommand};
use huddle_core::engine::HandoffPackage;
use huddle_core::model::{Handoff as Entry, HandoffId};
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;
use crate::text;

/// Pass a task to another agent, with all that belongs to it
#[derive(Debug, Subcommand)]
pub(crate) enum Handoff {
    Create(create::Create),
    List(List),
    Show(Show),
    Accept(Accept),
    Decline(Decline),
}

impl Handoff {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        match self {
            Self::Create(command) => command.run(session),
            Self::List(command) => command.run(session),
            Self::Show(command) => command.run(session),
            Self::Accept(command) => command.run(session),
            Self::Decline(command) => command.run(session),
        }
    }
}

/// List the handoffs and where they stand
#[derive(Debug, Args)]
pub(crate) struct List {}

impl List {
    fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let found = session.bus.handoffs()?;
        session.output.found(found.findings);
        session.output.answer(|| answer::handoffs(&found.value), || table(&found.value))
    }
}

fn table(handoffs: &[Entry]) -> String {
    if handoffs.is_empty() {
        return "No handoffs.".to_owned();
    }
    let mut rows = vec![text::row([&"HANDOFF", &"FROM", &"TO", &"STATUS", &"TASK"])];
    let row =
        |handoff: &Entry| text::row([&handoff.id, &handoff.from, &handoff.to, &handoff.status.as_str(), &handoff.task]);
    rows.extend(handoffs.iter().map(row));
    text::table(&rows)
}

/// Print a handoff's document and name its files
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The handoff's id
    id: HandoffId,
}

impl Show {
    fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let package = session.bus.handoff(&self.id)?;
        session.output.answer(|| answer::handoff_package(&package), || show(&package))
    }
}

fn show(HandoffPackage { handoff, document, files, .. }: &HandoffPackage) -> String {
    let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
    format!("{}\n\nStatus: {}\nFiles: {}", document.trim_end(), handoff.status.as_str(), text::list(&names))
}

/// Take over what was handed to you, and tell the giver
#[derive(Debug, Args)]
pub(crate) struct Accept {
    /// The handoff's id
    id: HandoffId,
    /// What to say to the giver
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    notes: String,
}

impl Accept {
    fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let handoff = session.bus.accept_handoff(&me, &self.id, &self.notes)?;
        session.output.answer(|| answer::handoff(&handoff), || format!("✅ Handoff accepted: {}", handoff.id))
    }
}

/// Turn down what was handed to you, and tell the giver why
#[derive(Debug, Args)]
pub(crate) struct Decline {
    /// The handoff's id
    id: HandoffId,
    /// Why
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    reason: String,
}

impl Decline {
    fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let handoff = session.bus.decline_handoff(&me, &self.id, &self.reason)?;
        session.output.answer(|| answer::handoff(&handoff), || format!("✅ Handoff declined: {}", handoff.id))
    }
}
