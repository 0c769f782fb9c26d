//! The orchestrator's files: the shared state, the settings, and the choice of a protocol.

use huddle_core::model::{AgentName, ErrorKind, Json, Remedy};
use huddle_core::state::protocol::{self, Choice};
use huddle_core::state::{Edit, Protocol, Settings};
use huddle_core::wire::orchestrator::shared_context::SharedContext;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Context, Error, Operation};

/// Reads the shared state.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadState {}

/// Changes the shared state, which is created when there is none.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeState {
    /// The change.
    pub change: StateChange,
    /// The version that it must still have.
    #[serde(default)]
    pub expect_version: Option<u64>,
}

/// A change of the shared state.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum StateChange {
    /// Sets the phase: a number, or a word such as `3a`.
    Phase(String),
    /// Sets the objective.
    Objective {
        /// The objective.
        text: String,
        /// The task's id.
        #[serde(default)]
        task: Option<String>,
    },
    /// Adds a decision of the acting agent.
    Decision(String),
    /// Adds an artifact of the acting agent.
    Artifact {
        /// Where it is.
        path: String,
        /// Its type; by default a file.
        #[serde(default = "file", rename = "type")]
        kind: String,
    },
    /// Adds a blocker that the acting agent has found.
    Blocker(String),
    /// Removes a blocker, by its id or, when it has none, its text.
    Unblock(String),
    /// Adds a note of the acting agent.
    Note(String),
    /// Sets the status of an agent.
    Agent {
        /// The agent.
        name: String,
        /// Its status.
        status: String,
        /// Its task; one that is completed has none.
        #[serde(default)]
        task: Option<String>,
        /// A reference to its output.
        #[serde(default)]
        output_ref: Option<String>,
    },
}

fn file() -> String {
    "file".to_owned()
}

/// The shared state, in the document of its file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct SharedState {
    document: Json,
    /// The same, to look something up in.
    #[serde(skip)]
    pub state: SharedContext,
}

impl From<SharedContext> for SharedState {
    fn from(state: SharedContext) -> Self {
        let mut document = state.document();
        // One that others have written has no version yet.
        document["version"] = state.version().into();
        Self { document, state }
    }
}

impl Operation for ReadState {
    type Response = SharedState;

    fn run(self, context: &mut Context<'_>) -> Result<SharedState, Error> {
        let state = context.project().state.shared()?;
        let missing = || Error::new(ErrorKind::NotFound, "there is no shared state", Remedy::StartState);
        state.map(SharedState::from).ok_or_else(missing)
    }
}

impl Operation for ChangeState {
    type Response = SharedState;

    fn run(self, context: &mut Context<'_>) -> Result<SharedState, Error> {
        let name;
        let edit = match &self.change {
            StateChange::Phase(phase) => Edit::Phase(phase),
            StateChange::Objective { text, task } => Edit::Objective { text, task: task.as_deref() },
            StateChange::Decision(text) => Edit::Decide(text),
            StateChange::Artifact { path, kind } => Edit::Artifact { kind, path },
            StateChange::Blocker(text) => Edit::Block(text),
            StateChange::Unblock(id) => Edit::Unblock(id),
            StateChange::Note(text) => Edit::Note(text),
            StateChange::Agent { name: agent, status, task, output_ref } => {
                name = AgentName::new(agent)?;
                Edit::Agent { name: &name, status, task: task.as_deref(), output_ref: output_ref.as_deref() }
            }
        };
        let by = if self.change.has_author() { Some(context.actor()?) } else { context.agent()? };
        let settings = context.project().state.settings();
        context.note(settings.findings);
        Ok(context.project().state.change(by.as_ref(), edit, self.expect_version)?.into())
    }
}

impl StateChange {
    /// Returns whether the change carries the name of its author.
    fn has_author(&self) -> bool {
        matches!(self, Self::Decision(_) | Self::Artifact { .. } | Self::Blocker(_) | Self::Note(_))
    }
}

/// Reads the settings that hold, the protocol's defaults included.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadSettings {}

/// The settings of the orchestrator, with the names that they have in their file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommunicationSettings {
    /// The protocols that may be used.
    pub protocols: Vec<&'static str>,
    /// Whether agents share state and log what they say.
    pub shared_state_enabled: bool,
    /// Whether a context that is too large is compressed.
    pub context_compression: bool,
    /// How many tokens a context may have.
    pub max_context_tokens: usize,
    /// How long to wait for an answer, in milliseconds.
    pub timeout_ms: i64,
}

impl From<Settings> for CommunicationSettings {
    fn from(settings: Settings) -> Self {
        Self {
            protocols: settings.protocols.into_iter().map(Protocol::as_str).collect(),
            shared_state_enabled: settings.shared_state,
            context_compression: settings.compression,
            max_context_tokens: settings.max_context_tokens,
            timeout_ms: settings.timeout.millis(),
        }
    }
}

impl Operation for ReadSettings {
    type Response = CommunicationSettings;

    fn run(self, context: &mut Context<'_>) -> Result<CommunicationSettings, Error> {
        let settings = context.project().state.settings();
        Ok(context.collect(settings).into())
    }
}

/// Chooses the protocol that a situation calls for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChooseProtocol {
    /// The situation, in a few words.
    #[serde(default)]
    pub situation: String,
}

/// The protocols that a situation calls for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProtocolChoices {
    /// The situation.
    pub situation: String,
    /// Whether a word of it tells; otherwise all choices are listed.
    pub matched: bool,
    /// The choices.
    pub choices: Vec<ProtocolChoice>,
}

/// A row of the orchestrator's table of protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ProtocolChoice {
    /// The situation that it is for.
    pub scenario: &'static str,
    /// The protocol.
    #[serde(serialize_with = "word")]
    pub protocol: Protocol,
    /// Why.
    pub reason: &'static str,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn word<S: Serializer>(protocol: &Protocol, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(protocol.as_str())
}

impl From<Choice> for ProtocolChoice {
    fn from(Choice { scenario, protocol, reason, .. }: Choice) -> Self {
        Self { scenario, protocol, reason }
    }
}

impl Operation for ChooseProtocol {
    type Response = ProtocolChoices;

    fn run(self, _: &mut Context<'_>) -> Result<ProtocolChoices, Error> {
        let chosen = protocol::choose(&self.situation);
        let (matched, rows) = if chosen.is_empty() { (false, protocol::TABLE.to_vec()) } else { (true, chosen) };
        let choices = rows.into_iter().map(ProtocolChoice::from).collect();
        Ok(ProtocolChoices { situation: self.situation, matched, choices })
    }
}

#[cfg(test)]
mod tests {
    use huddle_core::engine::fs::memory::MemoryFs;
    use huddle_core::engine::memory::MemoryEngine;
    use huddle_core::host::FixedHost;

    use super::*;
    use crate::{Project, document};

    #[test]
    fn changes_are_signed_where_the_protocol_says_so() {
        let (host, files) = (FixedHost::at("2025-11-29T14:30:52Z"), MemoryFs::default());
        let project = Project::new(&host, Box::new(MemoryEngine::new(&host)), "memory", &files);
        let change = |agent: Option<&str>, change: &str| {
            let request: ChangeState = serde_json::from_str(&format!(r#"{{"change": {change}}}"#)).unwrap();
            Context::new(&project, agent.map(str::to_owned)).execute(request)
        };
        let missing = Context::new(&project, None).execute(ReadState {}).unwrap_err();
        assert_eq!((missing.kind, &missing.remedy), (ErrorKind::NotFound, &Remedy::StartState));
        for unsigned in [
            r#"{"phase": "3a"}"#,
            r#"{"objective": {"text": "Ship"}}"#,
            r#"{"agent": {"name": "bob", "status": "completed", "outputRef": "out.md"}}"#,
        ] {
            change(None, unsigned).unwrap();
        }
        for signed in [
            r#"{"decision": "Use Rust"}"#,
            r#"{"artifact": {"path": "src/lib.rs"}}"#,
            r#"{"blocker": "No disk"}"#,
            r#"{"note": "Slow"}"#,
        ] {
            assert_eq!(change(None, signed).unwrap_err().remedy, Remedy::NameActor, "{signed}");
            change(Some("ann"), signed).unwrap();
        }
        let state = change(None, r#"{"unblock": "blocker-6"}"#).unwrap();
        let shared = &document(&state)["sharedContext"];
        let signed = ["keyDecisions", "artifacts", "notes"].map(|list| shared[list][0]["by"].as_str());
        assert_eq!((signed, shared["blockers"].as_array().map(Vec::len)), ([Some("ann"); 3], Some(0)));
        assert_eq!((&shared["artifacts"][0]["type"], state.state.version()), (&Json::from("file"), 8));
    }

    #[test]
    fn state_that_has_moved_on_is_left_alone() {
        let (host, files) = (FixedHost::at("2025-11-29T14:30:52Z"), MemoryFs::default());
        let project = Project::new(&host, Box::new(MemoryEngine::new(&host)), "memory", &files);
        let mut context = Context::new(&project, None);
        let mut set = |phase: &str, expected| {
            let change = StateChange::Phase(phase.to_owned());
            context.execute(ChangeState { change, expect_version: Some(expected) })
        };
        set("1", 0).unwrap();
        assert_eq!(set("2", 0).unwrap_err().kind, ErrorKind::Conflict);
        set("2", 1).unwrap();
    }
}
