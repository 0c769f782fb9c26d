//! Events: told to those who asked for them, and kept for all to look up.

use super::{Bus, Error, Result, SendReceipt};
use crate::engine::{Envelope, Transaction};
use crate::model::{AgentName, Directory, EventName, Json, JsonMap, Message, MessageType, Priority, Recipient};

impl Bus<'_> {
    /// Publishes an event: it is kept, and each subscriber gets a copy.
    pub fn publish(&self, from: &AgentName, event: &EventName, data: Json, allow_large: bool) -> Result<SendReceipt> {
        let directory = self.directory_with(&[from])?;
        self.check_event(event, &directory)?;
        self.ensure_quota(&directory)?;
        let recipients = directory.subscribers(event);
        let kind = MessageType::new(event.as_str());
        self.check_content(event.as_str(), &kind, &data, allow_large)?;
        let message = Message {
            id: self.new_message_id("evt"),
            kind,
            from: from.clone(),
            to: Recipient::Subscribers(event.clone()),
            subject: event.to_string(),
            body: data,
            priority: Priority::Normal,
            sent_at: self.now(),
            thread: None,
            in_reply_to: None,
            requires_response: false,
            deadline: None,
            metadata: JsonMap::new(),
            extra: JsonMap::new(),
        };
        let sent = self.post(Transaction::deliver(Envelope { message, recipients }))?;
        self.count_other_copies(&directory, sent.recipients.len());
        Ok(sent)
    }

    /// Subscribes an agent to events; returns all it is subscribed to now.
    pub fn subscribe(&self, agent: &AgentName, events: &[EventName]) -> Result<Vec<EventName>> {
        let directory = self.directory_with(&[agent])?;
        for event in events {
            self.check_event(event, &directory)?;
        }
        self.change_subscriptions(agent, events, |subscribers| {
            if !subscribers.contains(agent) {
                subscribers.push(agent.clone());
            }
        })
    }

    /// Ends subscriptions; returns all that are left.
    pub fn unsubscribe(&self, agent: &AgentName, events: &[EventName]) -> Result<Vec<EventName>> {
        self.change_subscriptions(agent, events, |subscribers| subscribers.retain(|name| name != agent))
    }

    /// Refuses an event that is not portable, unless it is known: somebody is subscribed to it, or it was published.
    fn check_event(&self, event: &EventName, directory: &Directory) -> Result<()> {
        let Err(error) = event.check_portable() else { return Ok(()) };
        let is_it = |message: &Message| matches!(&message.to, Recipient::Subscribers(known) if known == event);
        if directory.subscriptions.contains_key(event) || self.engine.snapshot()?.value.records.iter().any(is_it) {
            return Ok(());
        }
        Err(error.into())
    }

    fn change_subscriptions(
        &self,
        agent: &AgentName,
        events: &[EventName],
        change: impl Fn(&mut Vec<AgentName>),
    ) -> Result<Vec<EventName>> {
        self.directory_with(&[agent])?;
        if events.is_empty() {
            return Err(
                Error::Usage { message: "no event was named".into(), hint: "name one or more events".into() }.into()
            );
        }
        let mut left = Vec::new();
        self.engine.edit_directory(&mut |directory| {
            for event in events {
                change(directory.subscriptions.entry(event.clone()).or_default());
            }
            directory.subscriptions.retain(|_, subscribers| !subscribers.is_empty());
            let all = directory.subscriptions.iter();
            left = all.filter(|(_, names)| names.contains(agent)).map(|(event, _)| event.clone()).collect();
        })?;
        Ok(left)
    }
}
