//! `huddle report`

use clap::{Args, Subcommand};
use huddle_core::model::MessageId;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;

/// Report on a broadcast or on a blocker
#[derive(Debug, Subcommand)]
pub(crate) enum Report {
    Broadcast(Broadcast),
    Blocker(Blocker),
}

impl Report {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        match self {
            Self::Broadcast(command) => command.run(session),
            Self::Blocker(command) => command.run(session),
        }
    }
}

/// Say who has received and acknowledged a broadcast
#[derive(Debug, Args)]
pub(crate) struct Broadcast {
    /// The broadcast's id
    id: MessageId,
}

impl Broadcast {
    fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let report = session.bus.broadcast_report(&self.id)?;
        session.output.answer(|| answer::broadcast_report(&report), || report.to_string())
    }
}

/// Tell the story of a blocker, from when it was met to when it was resolved
#[derive(Debug, Args)]
pub(crate) struct Blocker {
    /// The id of the event or of the task
    id: String,
}

impl Blocker {
    fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let report = session.bus.blocker_report(&self.id)?;
        session.output.answer(|| answer::blocker_report(&report), || report.to_string())
    }
}
