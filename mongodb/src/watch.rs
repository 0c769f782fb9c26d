//! Waiting for mail: by a change stream, where the server has them.

use std::time::Duration;

use bson::{Document, doc};
use futures_util::StreamExt;
use huddle_core::Host;
use huddle_core::engine::Result;
use huddle_core::model::{AgentName, Span};
use mongodb::change_stream::ChangeStream;
use mongodb::change_stream::event::ChangeStreamEvent;
use mongodb::options::{FullDocumentType, ReadConcern};

use crate::MongoEngine;

/// An open stream of what changes for one agent.
pub(crate) struct MailStream {
    agent: AgentName,
    stream: ChangeStream<ChangeStreamEvent<Document>>,
}

impl<H: Host> MongoEngine<H> {
    pub(crate) fn wait_for_mail(&self, agent: &AgentName, span: Span) -> Result<bool> {
        if !self.connection.run("waiting for mail", async |collections| Ok(collections.is_replicated))? {
            return Ok(false);
        }
        let mut mail_stream = self.mail_stream.borrow_mut();
        if mail_stream.as_ref().is_none_or(|mail_stream| mail_stream.agent != *agent) {
            // Whoever may not watch can still look from time to time; a server that is away will be told of then.
            let Ok(stream) = self.open_stream(agent) else { return Ok(false) };
            self.connection.in_runtime(|| *mail_stream = Some(MailStream { agent: agent.clone(), stream }));
            // What came before the stream was open is not in it: the caller looks once more.
            return Ok(true);
        }
        let Some(MailStream { stream, .. }) = mail_stream.as_mut() else { return Ok(false) };
        let limit = Duration::from_millis(u64::try_from(span.millis()).unwrap_or_default());
        let woken =
            self.connection.run("waiting for mail", async |_| Ok(tokio::time::timeout(limit, stream.next()).await))?;
        match woken {
            Ok(Some(Ok(_))) => Ok(true),
            // Given up in the middle of a request, or broken for good: the next wait begins a new one.
            ended => {
                self.connection.in_runtime(|| *mail_stream = None);
                Ok(ended.is_err())
            }
        }
    }

    fn open_stream(&self, agent: &AgentName) -> Result<ChangeStream<ChangeStreamEvent<Document>>> {
        let mine = doc! { "$match": { "fullDocument.to": agent.as_str() } };
        self.connection.retry("waiting for mail", async |collections| {
            // A message that is offered anew is an update, which has no document unless it is asked for.
            let stream =
                collections.messages.watch().pipeline([mine.clone()]).full_document(FullDocumentType::UpdateLookup);
            // Streams show only what the majority has, whatever else is read.
            stream.read_concern(ReadConcern::majority()).await
        })
    }
}
