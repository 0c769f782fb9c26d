//! Sending a message to everybody.

use huddle_core::bus::Draft;
use huddle_core::model::{Json, Priority};
use huddle_core::wire::orchestrator::notice::{BroadcastType, Notice};
use serde::Deserialize;

use super::{MessageSent, SendMessage};
use crate::when::optional_priority;
use crate::{Body, Context, Error, Operation, When};

/// Sends a message to every registered agent but the sender. With one of the orchestrator's four types it has the
/// structure of its protocol.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Broadcast {
    /// What it says.
    pub content: Body,
    /// One line that says what it is about; by default the first words of the content.
    #[serde(default)]
    pub subject: Option<String>,
    /// Its type.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Its priority; the default depends on the type.
    #[serde(default, deserialize_with = "optional_priority")]
    pub priority: Option<Priority>,
    /// Whether those who hear it have to act; only with one of the four types.
    #[serde(default)]
    pub action_required: bool,
    /// The topic; only with one of the four types.
    #[serde(default)]
    pub about: Option<String>,
    /// The thread to go on with; by default a new one begins.
    #[serde(default)]
    pub thread_id: Option<String>,
    /// Whether an answer is needed.
    #[serde(default)]
    pub needs_reply: bool,
    /// Until when the answer is needed, which implies that it is.
    #[serde(default)]
    pub deadline: Option<When>,
    /// The send key, which makes a retry harmless.
    #[serde(default)]
    pub key: Option<String>,
    /// The task it belongs to.
    #[serde(default)]
    pub task_id: Option<String>,
    /// Files it is about.
    #[serde(default)]
    pub related_files: Vec<String>,
    /// Whether content of more than 10 KB may pass.
    #[serde(default)]
    pub large: bool,
}

impl Operation for Broadcast {
    type Response = MessageSent;

    fn run(self, context: &mut Context<'_>) -> Result<MessageSent, Error> {
        let from = context.actor()?;
        let kind = self.kind.as_deref().and_then(BroadcastType::parse);
        let (priority, action_required, about) = (self.priority, self.action_required, self.about.clone());
        if kind.is_none() && (action_required || about.is_some()) {
            return Err(Error::usage(
                "a topic and required action go with one of the four types of broadcast",
                "give a type: context_update, priority_change, abort_signal or checkpoint_reached",
            ));
        }
        let draft = self.into_message().into_draft(context)?;
        let draft = match kind {
            Some(kind) => announcement(kind, priority.unwrap_or(kind.priority()), action_required, about, draft),
            None => draft,
        };
        Ok(context.bus().broadcast(&from, &draft)?.into())
    }
}

impl Broadcast {
    /// Returns what it has in common with other messages.
    fn into_message(self) -> SendMessage {
        SendMessage {
            to: Vec::new(),
            content: self.content,
            subject: self.subject,
            kind: self.kind,
            priority: self.priority,
            thread_id: self.thread_id,
            needs_reply: self.needs_reply,
            deadline: self.deadline,
            key: self.key,
            task_id: self.task_id,
            related_files: self.related_files,
            large: self.large,
        }
    }
}

/// Gives a draft the orchestrator's structure, unless its body has it already.
fn announcement(
    kind: BroadcastType,
    priority: Priority,
    action_required: bool,
    about: Option<String>,
    draft: Draft,
) -> Draft {
    if draft.body.get("broadcast_type").is_some() {
        return Draft { priority, ..draft };
    }
    let content = if draft.body.is_null() { Json::from(draft.subject.as_str()) } else { draft.body.clone() };
    let notice = Notice { kind, about, content, priority, action_required };
    let Draft { kind, body, priority, .. } = Draft::announcing(draft.subject.as_str(), &notice);
    Draft { kind, body, priority, ..draft }
}
