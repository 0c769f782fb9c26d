//! `huddle deregister`

use huddle_api::Deregister;

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Take an agent off the directory and out of all subscriptions; its messages stay
#[derive(Debug, clap::Args)]
pub(crate) struct DeregisterArgs {
    /// the agent's name
    agent: String,
}

impl DeregisterArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let left = call.execute(Deregister { name: self.agent })?;
        call.answer(&left, |left| {
            format!("✅ Deregistered agent: {} ({} unread)", left.name, text::count(left.unread, "message"))
        })
    }
}
