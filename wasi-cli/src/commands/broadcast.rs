//! `huddle broadcast`

use huddle_api::{Broadcast, priority};
use huddle_core::model::Priority;
use huddle_core::wire::orchestrator::notice::BroadcastType;

use super::message_options::{MessageOptions, sent_text};
use crate::call::Call;
use crate::failure::Failure;

/// Send a message to every registered agent but yourself
///
/// For decisions that concern everybody. What concerns some is an event: see publish and subscribe.
///
/// With one of the four types that are listed, the body is the content of the orchestrator's structure: broadcast_type and
/// message (type, content, priority, action_required).
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct BroadcastArgs {
    /// one line that says what it is about; without one, the body's first words are
    subject: Option<String>,
    /// what kind of message it is: context_update, priority_change, abort_signal, checkpoint_reached, … any word will do
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// what it says: JSON or plain text; @FILE reads a file, - reads standard input
    #[arg(long, value_name = "JSON|@FILE|-")]
    body: Option<String>,
    /// how urgent it is: critical, high, normal or low; by default normal, priority_change high, abort_signal critical
    #[arg(long, value_name = "PRIORITY", value_parser = priority)]
    priority: Option<Priority>,
    /// with one of the four types: those who hear it have to act
    #[arg(long)]
    action_required: bool,
    /// with one of the four types: what it is about, such as user_preference_change
    #[arg(long, value_name = "WORD")]
    about: Option<String>,
    #[command(flatten)]
    options: MessageOptions,
}

impl BroadcastArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { subject, kind, body, priority, action_required, about, options } = self;
        call.context.actor()?;
        if subject.is_none() && body.is_none() {
            return Err(call.wrong("SUBJECT is missing"));
        }
        let is_listed = kind.as_deref().and_then(BroadcastType::parse).is_some();
        if !is_listed && (action_required || about.is_some()) {
            return Err(call.wrong("--action-required and --about go with one of the four types"));
        }
        let request = Broadcast {
            content: call.body(body.as_deref())?,
            subject: subject.clone(),
            kind,
            priority,
            action_required,
            about,
            thread_id: options.thread,
            needs_reply: options.needs_reply,
            deadline: options.deadline,
            key: options.key,
            task_id: options.task,
            related_files: options.files,
            large: options.large,
        };
        let sent = call.execute(request)?;
        call.answer(&sent, |sent| sent_text("Broadcast", sent, subject.as_deref()))
    }
}
