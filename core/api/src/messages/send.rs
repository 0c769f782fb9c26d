//! Sending a message to named agents.

use huddle_core::bus::{Draft, SendReceipt};
use huddle_core::model::{AgentName, MessageType, Priority, ThreadId};
use serde::{Deserialize, Deserializer, Serialize};

use crate::response::{text, texts};
use crate::when::optional_priority;
use crate::{Body, Context, Error, Operation, When};

/// Sends a message to one agent or to several.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SendMessage {
    /// The recipients; as text, separated by commas.
    #[serde(deserialize_with = "names")]
    pub to: Vec<String>,
    /// What it says.
    pub content: Body,
    /// One line that says what it is about; by default the first line of the content.
    #[serde(default)]
    pub subject: Option<String>,
    /// Its type.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Its priority; by default normal.
    #[serde(default, deserialize_with = "optional_priority")]
    pub priority: Option<Priority>,
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

/// Deserializes names, which are a text with commas or a list.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "give a name, or several separated by commas")]
    enum Names {
        Text(String),
        List(Vec<String>),
    }
    Ok(match Names::deserialize(deserializer)? {
        Names::Text(text) => text.split(',').map(str::to_owned).collect(),
        Names::List(names) => names,
    })
}

impl SendMessage {
    /// Returns the draft to whom it may concern, without recipients.
    pub(super) fn into_draft(self, context: &mut Context<'_>) -> Result<Draft, Error> {
        let now = context.now();
        Ok(Draft {
            kind: self.kind.map(MessageType::new),
            body: self.content.into_json(context),
            priority: self.priority.unwrap_or_default(),
            thread: self.thread_id.map(ThreadId::new).transpose()?,
            needs_reply: self.needs_reply,
            deadline: self.deadline.map(|deadline| deadline.ahead_of(now)),
            key: self.key,
            task: self.task_id,
            files: self.related_files,
            allow_large: self.large,
            ..Draft::new(self.subject.unwrap_or_default())
        })
    }
}

/// A message that was sent, which is stored for good.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageSent {
    /// Its id.
    pub id: String,
    /// The agents that have it in their inboxes.
    pub recipients: Vec<String>,
    /// The thread it belongs to.
    pub thread_id: Option<String>,
    /// Whether the key was used before, so that nothing was sent now.
    pub duplicate: bool,
}

impl From<SendReceipt> for MessageSent {
    fn from(SendReceipt { id, recipients, thread, duplicate }: SendReceipt) -> Self {
        Self { id: id.to_string(), recipients: texts(&recipients), thread_id: text(thread.as_ref()), duplicate }
    }
}

impl Operation for SendMessage {
    type Response = MessageSent;

    fn run(mut self, context: &mut Context<'_>) -> Result<MessageSent, Error> {
        let from = context.actor()?;
        let to = std::mem::take(&mut self.to).into_iter().map(AgentName::new).collect::<Result<_, _>>()?;
        let draft = Draft { to, ..self.into_draft(context)? };
        Ok(context.bus().send(&from, &draft)?.into())
    }
}
