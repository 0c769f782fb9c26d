//! What a bus takes from an orchestrator, and tells it.

use super::{Bus, Result};
use crate::model::{AgentName, Diagnostic, Json, MessageId, Severity, WithDiagnostics};
use crate::state::{CommunicationRecord, Protocol, Settings};
use crate::wire::orchestrator::layout;
use crate::wire::orchestrator::shared_context::SharedContext;

/// The recipient that the log names for a broadcast.
const ALL_AGENTS: &str = "all_active_agents";

/// The orchestrator's files: settings, shared state, and the log of communications.
pub trait Orchestrator {
    /// Reads the settings.
    ///
    /// # Behavior
    /// - Never fails: what cannot be read is a finding, and the settings are the protocol's.
    fn settings(&self) -> WithDiagnostics<Settings>;

    /// Reads the shared state.
    ///
    /// # Behavior
    /// - `None` when nobody has started it.
    fn shared(&self) -> Result<Option<SharedContext>>;

    /// Makes a text short, with references to what was left out.
    ///
    /// # Behavior
    /// - The result has fewer tokens than `limit`, unless that leaves no room for a summary and a reference.
    /// - Every reference in it can be expanded from then on.
    fn compress(&self, text: &str, limit: usize) -> Result<String>;

    /// Logs a communication that is over.
    ///
    /// # Behavior
    /// - One whole line, whoever else logs at the same time.
    /// - Nothing when the settings say that agents share no state, or when there is no orchestrator and the
    ///   communication is not of its own protocol.
    fn log(&self, record: &CommunicationRecord) -> Result<()>;
}

/// The tokens of a communication's context.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TokenUsage {
    /// Tokens that were transferred.
    pub(super) tokens: usize,
    /// Tokens without compression.
    pub(super) full: usize,
}

impl TokenUsage {
    pub(super) fn of(text: &str) -> Self {
        let tokens = tokens(text);
        Self { tokens, full: tokens }
    }

    pub(super) fn of_json(value: &Json) -> Self {
        Self::of(&value.to_string())
    }
}

/// Estimates the tokens of a text.
pub(super) fn tokens(text: &str) -> usize {
    crate::compress::estimate(text)
}

impl<'a> Bus<'a> {
    /// Puts an orchestrator beside the bus.
    #[must_use]
    pub fn with_orchestrator(mut self, orchestrator: &'a dyn Orchestrator) -> Self {
        self.orchestrator = Some(orchestrator);
        self
    }

    /// Returns what was found wrong beside the bus since this was last asked: what was done on the bus stands all the same.
    pub fn take_findings(&self) -> Vec<Diagnostic> {
        self.findings.take()
    }

    /// Reads how agents are to talk.
    pub(super) fn rules(&self) -> Settings {
        let WithDiagnostics { value, findings } =
            self.orchestrator.map_or_else(WithDiagnostics::default, Orchestrator::settings);
        self.note_findings(findings);
        value
    }

    /// Returns a context as it may go over: compressed when it has more tokens than `limit` and the settings say so.
    ///
    /// One that cannot be compressed goes over as it is: too much is better than nothing.
    pub(super) fn fitted(&self, context: &str, limit: usize, rules: &Settings) -> String {
        let Some(orchestrator) = self.orchestrator.filter(|_| rules.compression && tokens(context) > limit) else {
            return context.to_owned();
        };
        orchestrator.compress(context, limit).unwrap_or_else(|error| {
            self.note_findings(vec![Diagnostic {
                severity: Severity::Warning,
                code: "not-compressed",
                place: layout::from_project(layout::STATE),
                message: format!("the context goes over whole: {error}"),
                hint: error.hint(),
            }]);
            context.to_owned()
        })
    }

    pub(super) fn note_findings(&self, news: Vec<Diagnostic>) {
        let mut findings = self.findings.borrow_mut();
        news.into_iter().for_each(|finding| {
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        });
    }

    /// Logs a communication. That this fails does not undo what was said, so it is a finding.
    pub(super) fn log(&self, record: &CommunicationRecord) {
        let Some(Err(error)) = self.orchestrator.map(|orchestrator| orchestrator.log(record)) else { return };
        self.note_findings(vec![Diagnostic {
            severity: Severity::Warning,
            code: "not-logged",
            place: layout::from_project(layout::DECISIONS),
            message: format!("what was said is not in the log: {error}"),
            hint: error.hint(),
        }]);
    }

    /// Starts the log line of something that went well from one agent to another, or to all.
    pub(super) fn record_for(
        &self,
        protocol: Protocol,
        from: &AgentName,
        to: Option<&AgentName>,
        usage: TokenUsage,
    ) -> CommunicationRecord {
        CommunicationRecord {
            at: self.now(),
            protocol,
            from: from.clone(),
            to: to.map_or(ALL_AGENTS, AgentName::as_str).to_owned(),
            tokens: usage.tokens,
            full_tokens: usage.full,
            success: true,
            outcome: "sent",
            message: None::<MessageId>,
            always_logged: true,
        }
    }
}
