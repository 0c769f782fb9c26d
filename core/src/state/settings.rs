//! How agents are to talk to each other.

use super::Protocol;
use crate::bus::{Error, Result};
use crate::model::Span;
use crate::wire::orchestrator::layout;

/// What the orchestrator's settings say of communication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The protocols that may be used.
    pub protocols: Vec<Protocol>,
    /// Whether agents share state and log what they say.
    pub shared_state: bool,
    /// Whether a context that is too large is compressed.
    pub compression: bool,
    /// How many tokens a context may have.
    pub max_context_tokens: usize,
    /// How long to wait for an answer.
    pub timeout: Span,
}

/// As the protocol has it.
impl Default for Settings {
    fn default() -> Self {
        Self {
            protocols: Protocol::ALL.into(),
            shared_state: true,
            compression: true,
            max_context_tokens: 500,
            timeout: Span::from_seconds(30),
        }
    }
}

impl Settings {
    /// Refuses a protocol that the settings do not list.
    pub fn permit(&self, protocol: Protocol) -> Result<()> {
        if self.protocols.contains(&protocol) {
            return Ok(());
        }
        Err(Error::Usage {
            message: format!("the settings do not permit the {} protocol", protocol.as_str()),
            hint: format!("add it to \"protocols\" in {}", layout::from_project(layout::SETTINGS)),
        }
        .into())
    }

    /// Refuses to share state when the settings say that there is none to share.
    pub(super) fn permit_sharing(&self) -> Result<()> {
        if self.shared_state {
            return Ok(());
        }
        Err(Error::Usage {
            message: "the settings say that agents share no state".into(),
            hint: format!("set \"sharedStateEnabled\" to true in {}", layout::from_project(layout::SETTINGS)),
        }
        .into())
    }
}
