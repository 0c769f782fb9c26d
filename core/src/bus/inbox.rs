//! Looking into an inbox: what came, most urgent first.

use std::collections::BTreeMap;

use super::{Bus, Error, POLL_INTERVAL, Result};
use crate::engine::{InboxPage, Unread};
use crate::model::{
    AgentName, Delivery, Diagnostic, MessageId, MessageType, Priority, Severity, Span, ThreadId, WithDiagnostics,
};

/// Selects messages of an inbox; by default all unread ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InboxFilter {
    /// Whether to include read messages.
    pub all: bool,
    /// Only of this type.
    pub kind: Option<MessageType>,
    /// Only from this agent.
    pub from: Option<AgentName>,
    /// Only at least this urgent.
    pub min_priority: Option<Priority>,
    /// Only of this conversation.
    pub thread: Option<ThreadId>,
    /// The maximum number of messages.
    pub limit: Option<usize>,
    /// Whether to list without marking messages as offered.
    pub peek: bool,
}

impl InboxFilter {
    /// Returns whether all messages are wanted, or all unread ones.
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

/// A listing of an inbox.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inbox {
    /// How many messages are wanted, shown or not.
    pub total: usize,
    /// The wanted messages up to the limit, most urgent first, then oldest first.
    pub shown: Vec<Delivery>,
    /// Diagnostics of unreadable messages.
    pub findings: Vec<Diagnostic>,
}

/// Remembers the messages that were listed, so that each is returned once per delivery.
#[derive(Debug, Default)]
pub struct InboxCursor {
    shown: BTreeMap<MessageId, u32>,
}

impl InboxCursor {
    fn is_new(&mut self, delivery: &Delivery) -> bool {
        let times = delivery.receipt.redelivered;
        let before = self.shown.insert(delivery.message.id.clone(), times);
        before.is_none_or(|before| before < times)
    }
}

impl Bus<'_> {
    /// Lists the messages that match a filter and marks them as offered, unless the filter peeks.
    pub fn inbox(&self, agent: &AgentName, filter: &InboxFilter) -> Result<Inbox> {
        self.directory_with(&[agent])?;
        self.list(agent, filter)
    }

    /// Counts an agent's unread messages without marking them as offered.
    pub fn unread(&self, agent: &AgentName) -> Result<Unread> {
        self.directory_with(&[agent])?;
        Ok(self.engine.unread(agent)?)
    }

    /// Returns the ids of an agent's unread messages without marking them as offered.
    pub fn unread_ids(&self, agent: &AgentName) -> Result<Vec<MessageId>> {
        self.directory_with(&[agent])?;
        Ok(self.engine.unread_ids(agent)?)
    }

    /// Waits until a message matches; fails when none arrives in time.
    pub fn wait_inbox(&self, agent: &AgentName, filter: &InboxFilter, wait: Span) -> Result<Inbox> {
        self.directory_with(&[agent])?;
        let deadline = self.host.now().plus(wait);
        loop {
            let inbox = self.list(agent, filter)?;
            if inbox.total > 0 {
                return Ok(inbox);
            }
            let left = deadline.since(self.host.now());
            if left == Span::default() {
                return Err(Error::TimedOut { message: format!("no message came for {agent} within {wait}") }.into());
            }
            self.wait_for_mail(agent, left)?;
        }
    }

    /// Lists the messages that arrived since the cursor's last listing.
    pub fn poll_new(&self, agent: &AgentName, filter: &InboxFilter, cursor: &mut InboxCursor) -> Result<Inbox> {
        let mut inbox = self.inbox(agent, filter)?;
        inbox.shown.retain(|delivery| cursor.is_new(delivery));
        inbox.total = inbox.shown.len();
        Ok(inbox)
    }

    /// Waits between two polls of an inbox: until a message arrives, where the engine can
    /// notify, and at most `span`.
    pub fn wait_for_mail(&self, agent: &AgentName, span: Span) -> Result<()> {
        if !self.engine.wait(agent, span)? {
            self.host.sleep(span.min(POLL_INTERVAL));
        }
        Ok(())
    }

    fn list(&self, agent: &AgentName, filter: &InboxFilter) -> Result<Inbox> {
        let WithDiagnostics { value: InboxPage { total, shown }, mut findings } = self.page(agent, filter)?;
        let fresh = shown.iter().filter(|delivery| delivery.receipt.offered_at.is_none() && delivery.is_unread());
        let fresh: Vec<MessageId> = fresh.map(|delivery| delivery.message.id.clone()).collect();
        if !fresh.is_empty()
            && !filter.peek
            && let Err(error) = self.engine.mark_offered(agent, &fresh, self.now())
        {
            // The messages are there to be read, on a full disk too.
            findings.push(not_recorded(agent, &error));
        }
        Ok(Inbox { total, shown, findings })
    }

    /// Reads what is wanted, most urgent first, then oldest first.
    fn page(&self, agent: &AgentName, filter: &InboxFilter) -> Result<WithDiagnostics<InboxPage>> {
        if let Some(limit) = filter.limit.filter(|_| filter.is_unfiltered()) {
            return Ok(self.engine.inbox_page(agent, !filter.all, limit)?);
        }
        let WithDiagnostics { value: mut shown, findings } = self.engine.inbox(agent, !filter.all)?;
        shown.retain(|delivery| filter.admits(delivery));
        // The engine lists by time and id, so a stable sort by priority leaves the oldest first within each.
        shown.sort_by_key(|delivery| delivery.message.priority);
        let total = shown.len();
        shown.truncate(filter.limit.unwrap_or(usize::MAX));
        Ok(WithDiagnostics { value: InboxPage { total, shown }, findings })
    }
}

fn not_recorded(agent: &AgentName, error: &crate::engine::Error) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "listing-not-recorded",
        place: format!("the inbox of {agent}"),
        message: format!("senders cannot see that these messages were listed: {error}"),
        hint: "remove the cause and list again; the messages themselves are all here".into(),
    }
}
