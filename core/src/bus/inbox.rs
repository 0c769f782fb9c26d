//! Looking into an inbox: what came, most urgent first.

use std::collections::BTreeMap;

use super::{Bus, Error, POLL, Result};
use crate::engine::{InboxPage, Unread};
use crate::model::{AgentName, Delivery, Finding, Found, MessageId, MessageType, Priority, Severity, Span, ThreadId};

/// Which messages an agent wants to hear of; by default all that it has not read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// Those already read, too.
    pub all: bool,
    /// Only of this type.
    pub kind: Option<MessageType>,
    /// Only from this agent.
    pub from: Option<AgentName>,
    /// Only at least this urgent.
    pub min_priority: Option<Priority>,
    /// Only of this conversation.
    pub thread: Option<ThreadId>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Only to look: nothing counts as offered.
    pub peek: bool,
}

impl Wanted {
    /// Says whether all messages are wanted, or all unread ones.
    fn is_unfiltered(&self) -> bool {
        let Self { kind, from, min_priority, thread, .. } = self;
        kind.is_none() && from.is_none() && min_priority.is_none() && thread.is_none()
    }

    fn admits(&self, delivery: &Delivery) -> bool {
        let message = &delivery.message;
        (self.all || delivery.is_unread())
            && self.kind.as_ref().is_none_or(|kind| message.kind == *kind)
            && self.from.as_ref().is_none_or(|from| message.from == *from)
            && self.min_priority.is_none_or(|least| message.priority <= least)
            && self.thread.as_ref().is_none_or(|thread| message.thread.as_ref() == Some(thread))
    }
}

/// What an inbox check shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inbox {
    /// How many messages are wanted, shown or not.
    pub total: usize,
    /// The wanted messages up to the limit, most urgent first, then oldest first.
    pub shown: Vec<Delivery>,
    /// What could not be read.
    pub findings: Vec<Finding>,
}

/// Remembers what a watcher has been shown, and how often, so that only news comes up.
#[derive(Debug, Default)]
pub struct Watch {
    shown: BTreeMap<MessageId, u32>,
}

impl Watch {
    fn is_news(&mut self, delivery: &Delivery) -> bool {
        let times = delivery.receipt.redelivered;
        let before = self.shown.insert(delivery.message.id.clone(), times);
        before.is_none_or(|before| before < times)
    }
}

impl Bus<'_> {
    /// Lists what an agent wants to hear of, and notes that it was offered, unless it only looks.
    pub fn inbox(&self, agent: &AgentName, wanted: &Wanted) -> Result<Inbox> {
        self.directory_with(&[agent])?;
        self.look(agent, wanted)
    }

    /// Counts what an agent has not read. Nothing is listed, so nothing counts as offered.
    pub fn unread(&self, agent: &AgentName) -> Result<Unread> {
        self.directory_with(&[agent])?;
        Ok(self.engine.unread(agent)?)
    }

    /// Names what an agent has not read. Nothing is listed, so nothing counts as offered.
    pub fn unread_ids(&self, agent: &AgentName) -> Result<Vec<MessageId>> {
        self.directory_with(&[agent])?;
        Ok(self.engine.unread_ids(agent)?)
    }

    /// Waits until there is something to list; when nothing comes in time, that is an error.
    pub fn wait_inbox(&self, agent: &AgentName, wanted: &Wanted, wait: Span) -> Result<Inbox> {
        self.directory_with(&[agent])?;
        let deadline = self.host.now().plus(wait);
        loop {
            let inbox = self.look(agent, wanted)?;
            if inbox.total > 0 {
                return Ok(inbox);
            }
            let left = deadline.since(self.host.now());
            if left == Span::default() {
                return Err(Error::TimedOut { message: format!("no message came for {agent} within {wait}") }.into());
            }
            self.rest(agent, left)?;
        }
    }

    /// Lists what has come since the watch last looked; empty when there is no news.
    pub fn news(&self, agent: &AgentName, wanted: &Wanted, watch: &mut Watch) -> Result<Inbox> {
        let mut inbox = self.inbox(agent, wanted)?;
        inbox.shown.retain(|delivery| watch.is_news(delivery));
        inbox.total = inbox.shown.len();
        Ok(inbox)
    }

    /// Waits as long as a watcher should between two looks at an inbox: until something comes, where the engine can
    /// tell, and at most `span`.
    pub fn rest(&self, agent: &AgentName, span: Span) -> Result<()> {
        if !self.engine.wait(agent, span)? {
            self.host.sleep(span.min(POLL));
        }
        Ok(())
    }

    fn look(&self, agent: &AgentName, wanted: &Wanted) -> Result<Inbox> {
        let Found { value: InboxPage { total, shown }, mut findings } = self.page(agent, wanted)?;
        let fresh = shown.iter().filter(|delivery| delivery.receipt.offered_at.is_none() && delivery.is_unread());
        let fresh: Vec<MessageId> = fresh.map(|delivery| delivery.message.id.clone()).collect();
        if !fresh.is_empty()
            && !wanted.peek
            && let Err(error) = self.engine.mark_offered(agent, &fresh, self.now())
        {
            // The messages are there to be read, on a full disk too.
            findings.push(not_recorded(agent, &error));
        }
        Ok(Inbox { total, shown, findings })
    }

    /// Reads what is wanted, most urgent first, then oldest first.
    fn page(&self, agent: &AgentName, wanted: &Wanted) -> Result<Found<InboxPage>> {
        if let Some(limit) = wanted.limit.filter(|_| wanted.is_unfiltered()) {
            return Ok(self.engine.inbox_page(agent, !wanted.all, limit)?);
        }
        let Found { value: mut shown, findings } = self.engine.inbox(agent, !wanted.all)?;
        shown.retain(|delivery| wanted.admits(delivery));
        // The engine lists by time and id, so a stable sort by priority leaves the oldest first within each.
        shown.sort_by_key(|delivery| delivery.message.priority);
        let total = shown.len();
        shown.truncate(wanted.limit.unwrap_or(usize::MAX));
        Ok(Found { value: InboxPage { total, shown }, findings })
    }
}

fn not_recorded(agent: &AgentName, error: &crate::engine::Error) -> Finding {
    Finding {
        severity: Severity::Warning,
        code: "listing-not-recorded",
        place: format!("the inbox of {agent}"),
        message: format!("senders cannot see that these messages were listed: {error}"),
        hint: "remove the cause and list again; the messages themselves are all here".into(),
    }
}
