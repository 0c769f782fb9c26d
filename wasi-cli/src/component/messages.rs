//! The interface `messages`.

use huddle_api::{self as api, Body, When};
use huddle_core::model::{self, Span};

use super::Component;
use super::bindings::exports::huddle::bus::messages::{
    Asked, Guest, Inbox, InboxFilter, Message, MessageTrace, QuestionOptions, ReplyOptions, SendOptions, Sent, Urgency,
};
use super::bindings::exports::huddle::bus::types::{Error, Priority};
use super::command::Command;
use super::execute::{execute, execute_list};
use crate::failure::Failure;

impl From<Priority> for model::Priority {
    fn from(priority: Priority) -> Self {
        match priority {
            Priority::Critical => Self::Critical,
            Priority::High => Self::High,
            Priority::Normal => Self::Normal,
            Priority::Low => Self::Low,
        }
    }
}

impl Urgency {
    fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

const NO_SEND_OPTIONS: SendOptions = SendOptions {
    subject: None,
    needs_reply: None,
    deadline: None,
    key: None,
    task_id: None,
    related_files: None,
    large: None,
};

const NO_REPLY_OPTIONS: ReplyOptions =
    ReplyOptions { type_: None, priority: None, subject: None, key: None, large: None };

const NO_FILTER: InboxFilter = InboxFilter {
    all: None,
    type_: None,
    from: None,
    min_priority: None,
    thread_id: None,
    limit: None,
    wait_seconds: None,
};

const NO_QUESTION_OPTIONS: QuestionOptions = QuestionOptions {
    context: None,
    format: None,
    urgency: None,
    timeout_seconds: None,
    fallback: None,
    thread_id: None,
};

impl Guest for Component {
    fn send_message(
        agent: String,
        to: String,
        content: String,
        type_: Option<String>,
        priority: Option<Priority>,
        thread_id: Option<String>,
        options: Option<SendOptions>,
    ) -> Result<Sent, Error> {
        let options = options.unwrap_or(NO_SEND_OPTIONS);
        let request = api::SendMessage {
            to: to.split(',').map(str::to_owned).collect(),
            content: Body::read(&content),
            subject: options.subject,
            kind: type_,
            priority: priority.map(Into::into),
            thread_id,
            needs_reply: options.needs_reply.unwrap_or_default(),
            deadline: when(options.deadline)?,
            key: options.key,
            task_id: options.task_id,
            related_files: options.related_files.unwrap_or_default(),
            large: options.large.unwrap_or_default(),
        };
        execute(agent, request)
    }

    fn check_inbox(agent: String, filter: Option<InboxFilter>) -> Result<Inbox, Error> {
        let filter = filter.unwrap_or(NO_FILTER);
        let request = api::CheckInbox {
            all: filter.all.unwrap_or_default(),
            kind: filter.type_,
            from: filter.from,
            min_priority: filter.min_priority.map(Into::into),
            thread_id: filter.thread_id,
            limit: filter.limit.map(|limit| limit as usize),
            wait: filter.wait_seconds.map(|seconds| Span::from_seconds(seconds.into())),
            peek: false,
        };
        execute(agent, request)
    }

    fn read_message(agent: String, message_id: String, peek: Option<bool>) -> Result<Message, Error> {
        execute(agent, api::ReadMessage { message_id, peek: peek.unwrap_or_default() })
    }

    fn reply(agent: String, message_id: String, content: String, options: Option<ReplyOptions>) -> Result<Sent, Error> {
        let options = options.unwrap_or(NO_REPLY_OPTIONS);
        let request = api::Reply {
            message_id,
            content: Body::read(&content),
            kind: options.type_,
            priority: options.priority.map(Into::into),
            subject: options.subject,
            key: options.key,
            large: options.large.unwrap_or_default(),
        };
        execute(agent, request)
    }

    fn acknowledge(agent: String, message_id: String, note: Option<String>) -> Result<Sent, Error> {
        execute(agent, api::Acknowledge { message_id, note })
    }

    fn broadcast(
        agent: String,
        content: String,
        type_: Option<String>,
        priority: Option<Priority>,
        thread_id: Option<String>,
        options: Option<SendOptions>,
    ) -> Result<Sent, Error> {
        let options = options.unwrap_or(NO_SEND_OPTIONS);
        let request = api::Broadcast {
            content: Body::read(&content),
            subject: options.subject,
            kind: type_,
            priority: priority.map(Into::into),
            thread_id,
            needs_reply: options.needs_reply.unwrap_or_default(),
            deadline: when(options.deadline)?,
            key: options.key,
            task_id: options.task_id,
            related_files: options.related_files.unwrap_or_default(),
            large: options.large.unwrap_or_default(),
            ..Default::default()
        };
        execute(agent, request)
    }

    fn publish_event(agent: String, event: String, data: Option<String>) -> Result<Sent, Error> {
        let data = data.map(|data| Body::read(&data)).unwrap_or_default();
        execute(agent, api::Publish { event, data, large: false })
    }

    fn subscribe(agent: String, events: Vec<String>) -> Result<Vec<String>, Error> {
        execute_list(agent, api::Subscribe { events }, "events")
    }

    fn unsubscribe(agent: String, events: Vec<String>) -> Result<Vec<String>, Error> {
        execute_list(agent, api::Unsubscribe { events }, "events")
    }

    fn ask(agent: String, to: String, question: String, options: Option<QuestionOptions>) -> Result<Asked, Error> {
        let options = options.unwrap_or(NO_QUESTION_OPTIONS);
        let command = Command::new("ask").with("TO", to).with("QUESTION", question);
        command
            .with("context", options.context)
            .with("format", options.format)
            .with("urgency", options.urgency.map(|urgency| urgency.as_str().to_owned()))
            .with("timeout", options.timeout_seconds.map(|seconds| seconds.to_string()))
            .with("fallback", options.fallback)
            .with("thread", options.thread_id)
            .run(agent)
    }

    fn answer(agent: String, message_id: String, content: String) -> Result<Sent, Error> {
        Command::new("answer").with("ID", message_id).with("body", content).run(agent)
    }

    fn trace(message_id: String) -> Result<MessageTrace, Error> {
        execute(None, api::Trace { message_id })
    }
}

fn when(text: Option<String>) -> Result<Option<When>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let when = When::parse(&text).map_err(|fault| Failure::usage(format!("{text:?} cannot be used: {fault}"), ""))?;
    Ok(Some(when))
}
