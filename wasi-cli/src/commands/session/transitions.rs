//! `huddle session join`, `progress`, `complete`, `fail` and `retry`

use huddle_api::{CompleteAgent, FailAgent, JoinSession, RetryAgent, SessionMember, UpdateProgress};

use super::{SessionOption, object};
use crate::call::Call;
use crate::failure::Failure;

/// Start work, or wait for those who must finish first; a new agent comes into the session
///
/// When others must finish first, the agent is noted as waiting: `huddle session wait --needs-of AGENT`, then join again.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct JoinArgs {
    /// the agent that starts; by default the one that acts
    agent: Option<String>,
    /// an agent that must finish first
    #[arg(long, value_name = "AGENT")]
    needs: Vec<String>,
    /// an agent not to wait for any longer, because it failed and is not critical
    #[arg(long, value_name = "AGENT")]
    without: Vec<String>,
    #[command(flatten)]
    session: SessionOption,
}

impl JoinArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { agent, needs, without, session } = self;
        let joined = call.execute(JoinSession { session: session.id, agent, needs, without })?;
        call.answer(&joined, |joined| match joined.waits_for.as_slice() {
            [] => format!("✅ {} is in_progress", joined.member.name),
            open => format!("⏳ {} is waiting for {}", joined.member.name, open.join(", ")),
        })
    }
}

/// Say what an agent is doing
///
/// An agent that has not started and has nobody to wait for joins first.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, allow_missing_positional = true)]
pub(super) struct ProgressArgs {
    /// the agent; by default the one that acts
    agent: Option<String>,
    /// what it is doing; @FILE reads a file, - reads standard input
    text: String,
    #[command(flatten)]
    session: SessionOption,
}

impl ProgressArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let message = call.input.text(&self.text)?;
        let member = call.execute(UpdateProgress { session: self.session.id, agent: self.agent, message })?;
        call.answer(&member, moved)
    }
}

/// Say that an agent has finished
#[derive(Debug, clap::Args)]
pub(super) struct CompleteArgs {
    /// the agent; by default the one that acts
    agent: Option<String>,
    /// its report, written with the same stroke: a file, - for standard input, or JSON
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
    /// what to say of it in the log
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    #[command(flatten)]
    session: SessionOption,
}

impl CompleteArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { agent, report, message, session } = self;
        let report = report.map(|report| object(Some(&report), call)).transpose()?.map(Into::into);
        let member = call.execute(CompleteAgent { session: session.id, agent, message, report })?;
        call.answer(&member, moved)
    }
}

/// Say that an agent cannot go on
#[derive(Debug, clap::Args)]
pub(super) struct FailArgs {
    /// the agent; by default the one that acts
    agent: Option<String>,
    /// what went wrong; @FILE reads a file
    #[arg(long, value_name = "TEXT")]
    error: String,
    #[command(flatten)]
    session: SessionOption,
}

impl FailArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let message = call.input.text(&self.error)?;
        let member = call.execute(FailAgent { session: self.session.id, agent: self.agent, message })?;
        call.answer(&member, moved)
    }
}

/// Put an agent that failed back to waiting, so that it can join again
#[derive(Debug, clap::Args)]
pub(super) struct RetryArgs {
    /// the agent; by default the one that acts
    agent: Option<String>,
    #[command(flatten)]
    session: SessionOption,
}

impl RetryArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let member = call.execute(RetryAgent { session: self.session.id, agent: self.agent })?;
        call.answer(&member, moved)
    }
}

fn moved(member: &SessionMember) -> String {
    format!("✅ {} is {}", member.name, member.status)
}
