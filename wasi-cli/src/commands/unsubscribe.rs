//! `huddle unsubscribe`

use huddle_api::Unsubscribe;

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Stop getting copies of events
#[derive(Debug, clap::Args)]
pub(crate) struct UnsubscribeArgs {
    /// an event not to listen for any more
    #[arg(value_name = "EVENT", required = true)]
    events: Vec<String>,
}

impl UnsubscribeArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let left = call.execute(Unsubscribe { events: self.events })?;
        call.answer(&left, |left| format!("✅ {} now listens for: {}", left.name, text::list(&left.events)))
    }
}
