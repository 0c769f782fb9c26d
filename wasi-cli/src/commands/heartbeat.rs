//! `huddle heartbeat`

use clap::Args;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;

/// Say that you are alive, and what you are doing
#[derive(Debug, Args)]
pub(crate) struct Heartbeat {
    /// What to show as your status: active, busy, waiting for review, …
    #[arg(long)]
    status: Option<String>,
}

impl Heartbeat {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let agent = session.bus.heartbeat(&me, self.status.as_deref())?;
        session.output.answer(|| answer::agent(&me, &agent), || format!("✅ {me} is {}", agent.status))
    }
}
