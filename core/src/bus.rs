//! The bus: one file an operation, each the only place where its rules are written.

pub mod body;
pub mod draft;
pub mod error;
pub mod ids;

mod ack;
mod agents;
mod ask;
mod broadcast;
mod check;
mod context;
mod dead_letters;
mod events;
mod handoff;
mod inbox;
mod init;
mod limits;
mod orchestrator;
mod quota;
mod read;
mod reply;
mod report;
mod send;
mod sweep;
mod thread;
mod trace;

#[cfg(test)]
mod tests;

pub use agents::{AgentView, NewAgent};
pub use ask::{AskOutcome, Asked, Format, Question};
pub use check::{Checkup, Mended, check_in, check_stored};
pub use context::ContextUpdated;
pub use dead_letters::{DeadLetter, dead_letters_in};
pub use draft::{Draft, ReplyDraft};
pub use error::{Error, Kind, Result};
pub use handoff::{HandoffContext, HandoffCreated, HandoffDraft, HandoffFile};
pub use inbox::{Inbox, Wanted, Watch};
pub use orchestrator::Orchestrator;
pub use read::ReadMessage;
pub use report::{
    BlockerReport, BroadcastReport, Heard, Moment, Standing, Summary, blocker_in, broadcast_in, summarize,
};
pub use send::Sent;
pub use sweep::{SweepRules, Swept};
pub use thread::{Thread, Waiting, messages_in, threads_in};
pub use trace::{Signs, Step, Trace, TracedDelivery, trace_in};
pub(crate) use trace::{decision_in, every_copy};

use std::cell::RefCell;

use crate::Host;
use crate::engine::{Engine, Survey};
use crate::model::{AgentName, Directory, Finding, Found, Span, Timestamp};

/// How long to wait between two looks: short enough to feel immediate, long enough to leave the machine alone.
const POLL: Span = Span::from_millis(100);

/// A bus that agents talk over: an engine that keeps the messages, and a host that tells the time.
pub struct Bus<'a> {
    engine: &'a dyn Engine,
    host: &'a dyn Host,
    settings: Settings,
    orchestrator: Option<&'a dyn Orchestrator>,
    /// What was found wrong beside the bus.
    findings: RefCell<Vec<Finding>>,
}

/// What a caller may tune.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// How long to wait for something another agent holds.
    pub patience: Span,
    /// How many bytes of body a message may have before an artifact is advised.
    pub max_body: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { patience: Span::from_seconds(30), max_body: 10 * 1024 }
    }
}

impl<'a> Bus<'a> {
    /// Puts a bus on an engine.
    pub fn new(engine: &'a dyn Engine, host: &'a dyn Host) -> Self {
        let settings = Settings::default();
        Self { engine, host, settings, orchestrator: None, findings: RefCell::default() }
    }

    /// Changes what can be tuned.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Tells the time to the second, which is how the protocols count it.
    fn now(&self) -> Timestamp {
        self.host.now().floor()
    }

    /// Reads the directory; what is wrong with it is `check`'s to say, and nobody else's business.
    fn directory(&self) -> Result<Directory> {
        Ok(self.engine.directory()?.value)
    }

    /// Derives something from all that is kept, and passes on what could not be read.
    fn derived<T>(&self, derive: impl FnOnce(&Survey) -> Result<T>) -> Result<Found<T>> {
        let Found { value: survey, findings } = self.engine.survey()?;
        Ok(Found { value: derive(&survey)?, findings })
    }

    /// Reads the directory and makes sure that every one of `names` is in it.
    fn directory_with(&self, names: &[&AgentName]) -> Result<Directory> {
        let directory = self.directory()?;
        for name in names {
            if !directory.agents.contains_key(*name) {
                return Err(Error::unknown_agent(name, &directory).into());
            }
        }
        Ok(directory)
    }
}
