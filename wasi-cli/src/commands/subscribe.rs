//! `huddle subscribe`

use huddle_api::Subscribe;

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Ask for copies of events from now on
#[derive(Debug, clap::Args)]
pub(crate) struct SubscribeArgs {
    /// an event to listen for
    #[arg(value_name = "EVENT", required = true)]
    events: Vec<String>,
}

impl SubscribeArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let left = call.execute(Subscribe { events: self.events })?;
        call.answer(&left, |left| format!("✅ {} now listens for: {}", left.name, text::list(&left.events)))
    }
}
