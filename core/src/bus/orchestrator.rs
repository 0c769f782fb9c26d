//! What a bus takes from an orchestrator, and tells it.

use super::{Bus, Result};
use crate::compress::LEAST_LIMIT;
use crate::model::{AgentName, Diagnostic, Json, Message, MessageId, Recipient, Severity, WithDiagnostics};
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

    /// Saves a text whole, and returns a reference to it.
    ///
    /// # Behavior
    /// - The reference can be expanded from then on.
    fn refer(&self, text: &str) -> Result<String>;

    /// Logs a communication that is over.
    ///
    /// # Behavior
    /// - One whole line, whoever else logs at the same time.
    /// - Nothing when there is no orchestrator and the communication is not of its own protocol.
    /// - A finding, and nothing else, when the settings say that agents share no state.
    fn log(&self, record: &CommunicationRecord) -> Result<Option<Diagnostic>>;
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

/// Returns the beginning of a text, to the end of a word, in at most so many tokens.
fn cut(text: &str, limit: usize) -> &str {
    let (mut fits, mut end) = (0, text.len());
    // Lengths that fit are below those that do not.
    while fits < end {
        let middle = text.floor_char_boundary((fits + end).div_ceil(2));
        if middle <= fits {
            break;
        }
        if tokens(&text[..middle]) <= limit { fits = middle } else { end = text.floor_char_boundary(middle - 1) }
    }
    let opening = &text[..fits];
    let word = opening.rfind(char::is_whitespace).filter(|_| fits < text.len()).unwrap_or(fits);
    opening[..word].trim_end()
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

    /// Returns a text as it may go over: in at most `limit` tokens, compressed if the settings say so and else cut. What is left
    /// out is saved, and the text refers to it.
    pub(super) fn fitted(&self, text: &str, limit: usize, rules: &Settings) -> String {
        let Some(orchestrator) = self.orchestrator.filter(|_| tokens(text) > limit) else { return text.to_owned() };
        if rules.compression && limit >= LEAST_LIMIT {
            match orchestrator.compress(text, limit) {
                Ok(short) if tokens(&short) <= limit => return short,
                _ => {}
            }
        }
        match orchestrator.refer(text) {
            Ok(link) => {
                let room = limit.saturating_sub(tokens(&link) + 2);
                let opening = cut(text.trim(), room);
                if opening.is_empty() { link } else { format!("{opening}… {link}") }
            }
            Err(error) => {
                self.note_findings(vec![Diagnostic {
                    severity: Severity::Warning,
                    code: "not-compressed",
                    place: layout::from_project(layout::STATE),
                    message: format!("the context goes over whole: {error}"),
                    remedy: error.remedy(),
                }]);
                text.to_owned()
            }
        }
    }

    /// Shares `room` tokens among parts: those that need less than an even share get all they need.
    pub(super) fn shares(sizes: &[usize], room: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|part| sizes[*part]);
        let (mut shares, mut left) = (vec![0; sizes.len()], room);
        for (done, part) in order.iter().enumerate() {
            shares[*part] = sizes[*part].min(left / (sizes.len() - done));
            left -= shares[*part];
        }
        shares
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
        let error = match self.orchestrator.map(|orchestrator| orchestrator.log(record)) {
            None => return,
            Some(Ok(finding)) => return self.note_findings(finding.into_iter().collect()),
            Some(Err(error)) => error,
        };
        self.note_findings(vec![Diagnostic {
            severity: Severity::Warning,
            code: "not-logged",
            place: layout::from_project(layout::DECISIONS),
            message: format!("what was said is not in the log: {error}"),
            remedy: error.remedy(),
        }]);
    }

    /// Logs a message of the mailbox; who has no orchestrator has no log of it.
    pub(super) fn log_message(&self, protocol: &'static str, outcome: &'static str, message: &Message) {
        if self.orchestrator.is_none() {
            return;
        }
        let to = match &message.to {
            Recipient::Agents(names) => names.iter().map(AgentName::as_str).collect::<Vec<_>>().join(", "),
            Recipient::All => ALL_AGENTS.to_owned(),
            subscribers @ Recipient::Subscribers(_) => subscribers.to_string(),
        };
        let usage = TokenUsage::of(&format!("{}\n{}", message.subject, message.content()));
        let record = self.record_for(Protocol::Query, &message.from, None, usage);
        let id = Some(message.id.clone());
        self.log(&CommunicationRecord { protocol, to, outcome, message: id, always_logged: false, ..record });
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
            protocol: protocol.as_str(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_shared() {
        let check = |sizes: &[usize], room, shares: &[usize]| assert_eq!(Bus::shares(sizes, room), shares, "{sizes:?}");
        check(&[], 10, &[]);
        check(&[5, 5], 20, &[5, 5]);
        check(&[100, 5, 100], 65, &[30, 5, 30]);
        check(&[1, 2, 3], 0, &[0, 0, 0]);
    }

    #[test]
    fn a_cut_text_ends_with_a_word() {
        let text = "one two three four five six seven eight";
        for limit in 0..12 {
            let opening = cut(text, limit);
            assert!(tokens(opening) <= limit && text.starts_with(opening), "{limit}: {opening}");
            assert!(opening.len() == text.len() || text[opening.len()..].starts_with(' ') || opening.is_empty());
        }
        assert_eq!((cut(text, 100), cut("äöü", 0)), (text, ""));
    }
}
