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
pub(crate) struct Watching {
    agent: AgentName,
    stream: ChangeStream<ChangeStreamEvent<Document>>,
}

impl<H: Host> MongoEngine<H> {
    pub(crate) fn wait_for_mail(&self, agent: &AgentName, span: Span) -> Result<bool> {
        if !self.link.run("waiting for mail", async |store| Ok(store.is_replicated))? {
            return Ok(false);
        }
        let mut watching = self.watching.borrow_mut();
        if watching.as_ref().is_none_or(|watching| watching.agent != *agent) {
            // Whoever may not watch can still look from time to time; a server that is away will be told of then.
            let Ok(stream) = self.open_stream(agent) else { return Ok(false) };
            self.link.within(|| *watching = Some(Watching { agent: agent.clone(), stream }));
            // What came before the stream was open is not in it: the caller looks once more.
            return Ok(true);
        }
        let Some(Watching { stream, .. }) = watching.as_mut() else { return Ok(false) };
        let limit = Duration::from_millis(u64::try_from(span.millis()).unwrap_or_default());
        let woken =
            self.link.run("waiting for mail", async |_| Ok(tokio::time::timeout(limit, stream.next()).await))?;
        match woken {
            Ok(Some(Ok(_))) => Ok(true),
            // Given up in the middle of a request, or broken for good: the next wait begins a new one.
            ended => {
                self.link.within(|| *watching = None);
                Ok(ended.is_err())
            }
        }
    }

    fn open_stream(&self, agent: &AgentName) -> Result<ChangeStream<ChangeStreamEvent<Document>>> {
        let mine = doc! { "$match": { "fullDocument.to": agent.as_str() } };
        self.link.repeat("waiting for mail", async |store| {
            // A message that is offered anew is an update, which has no document unless it is asked for.
            let stream = store.messages.watch().pipeline([mine.clone()]).full_document(FullDocumentType::UpdateLookup);
            // Streams show only what the majority has, whatever else is read.
            stream.read_concern(ReadConcern::majority()).await
        })
    }
}
