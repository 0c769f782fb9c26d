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
pub use ask::{AskOutcome, AskResult, Format, Question};
pub use check::{CheckReport, Mended, check_in, check_stored};
pub use context::ContextUpdated;
pub use dead_letters::{DeadLetter, dead_letters_in};
pub use draft::{Draft, ReplyDraft};
pub use error::{Error, ErrorKind, Result};
pub use handoff::{HandoffContext, HandoffCreated, HandoffDraft, HandoffFile};
pub use inbox::{Inbox, InboxCursor, InboxFilter};
pub use orchestrator::Orchestrator;
pub use read::ReadMessage;
pub use report::{
    BlockerReport, BroadcastReport, RecipientStatus, ReportEvent, ReportStatus, ThreadSummary, blocker_in,
    broadcast_in, summarize,
};
pub use send::SendReceipt;
pub use sweep::{SweepReport, SweepRules};
pub use thread::{PendingReply, Thread, messages_in, threads_in};
pub use trace::{DeliveryStage, ReplyIndex, Trace, TracedDelivery, trace_in};
pub(crate) use trace::{all_copies, decision_in};

use std::cell::RefCell;

use crate::Host;
use crate::engine::{Engine, MailSnapshot};
use crate::model::{AgentName, Diagnostic, Directory, Span, Timestamp, WithDiagnostics};

/// The poll interval: short enough to feel immediate, long enough to cost little.
const POLL_INTERVAL: Span = Span::from_millis(100);

/// A bus that agents talk over: an engine that keeps the messages, and a host that tells the time.
pub struct Bus<'a> {
    engine: &'a dyn Engine,
    host: &'a dyn Host,
    settings: Settings,
    orchestrator: Option<&'a dyn Orchestrator>,
    /// Diagnostics of the orchestrator's files.
    findings: RefCell<Vec<Diagnostic>>,
}

/// Tunable limits of a bus.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// How long to wait for something another agent holds.
    pub lock_timeout: Span,
    /// How many bytes of body a message may have before an artifact is advised.
    pub max_body: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { lock_timeout: Span::from_seconds(30), max_body: 10 * 1024 }
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

    /// Returns the time to the second, which is how the protocols count it.
    fn now(&self) -> Timestamp {
        self.host.now().floor()
    }

    /// Reads the directory; what is wrong with it is `check`'s to say, and nobody else's business.
    fn directory(&self) -> Result<Directory> {
        Ok(self.engine.directory()?.value)
    }

    /// Derives something from all that is kept, and passes on what could not be read.
    fn derived<T>(&self, derive: impl FnOnce(&MailSnapshot) -> Result<T>) -> Result<WithDiagnostics<T>> {
        let WithDiagnostics { value: snapshot, findings } = self.engine.snapshot()?;
        Ok(WithDiagnostics { value: derive(&snapshot)?, findings })
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
