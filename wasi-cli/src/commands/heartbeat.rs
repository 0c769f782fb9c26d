//! `huddle heartbeat`

use huddle_api::Heartbeat;

use crate::call::Call;
use crate::failure::Failure;

/// Say that you are alive, and what you are doing
#[derive(Debug, clap::Args)]
pub(crate) struct HeartbeatArgs {
    /// what to show as your status: active, busy, waiting for review, …
    #[arg(long, value_name = "STATUS")]
    status: Option<String>,
}

impl HeartbeatArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let agent = call.execute(Heartbeat { status: self.status })?;
        call.answer(&agent, |agent| format!("✅ {} is {}", agent.name, agent.status))
    }
}
