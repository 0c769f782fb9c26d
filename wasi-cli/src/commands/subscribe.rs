//! `huddle subscribe`

use clap::Args;
use huddle_core::model::EventName;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;
use crate::text;

/// Ask for copies of events from now on
#[derive(Debug, Args)]
pub(crate) struct Subscribe {
    /// The events to listen for
    #[arg(required = true, value_name = "EVENT")]
    events: Vec<EventName>,
}

impl Subscribe {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let events = session.bus.subscribe(&me, &self.events)?;
        session.output.answer(
            || answer::subscriptions(&me, &events),
            || format!("✅ {me} now listens for: {}", text::list(&events)),
        )
    }
}
