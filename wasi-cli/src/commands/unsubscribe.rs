//! `huddle unsubscribe`

use clap::Args;
use huddle_core::model::EventName;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;
use crate::text;

/// Stop getting copies of events
#[derive(Debug, Args)]
pub(crate) struct Unsubscribe {
    /// The events not to listen for any more
    #[arg(required = true, value_name = "EVENT")]
    events: Vec<EventName>,
}

impl Unsubscribe {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let events = session.bus.unsubscribe(&me, &self.events)?;
        session.output.answer(
            || answer::subscriptions(&me, &events),
            || format!("✅ {me} now listens for: {}", text::list(&events)),
        )
    }
}
