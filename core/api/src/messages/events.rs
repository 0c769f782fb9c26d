//! Events, and the agents that hear of them.

use huddle_core::model::{AgentName, EventName};
use serde::{Deserialize, Serialize};

use super::MessageSent;
use crate::response::texts;
use crate::{Body, Context, Error, Operation};

/// Publishes an event: it is kept, and each of its subscribers gets a copy.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publish {
    /// The event.
    pub event: String,
    /// What happened.
    #[serde(default)]
    pub data: Body,
    /// Whether data of more than 10 KB may pass.
    #[serde(default)]
    pub large: bool,
}

impl Operation for Publish {
    type Response = MessageSent;

    fn run(self, context: &mut Context<'_>) -> Result<MessageSent, Error> {
        let from = context.actor()?;
        let event = EventName::new(self.event)?;
        let data = self.data.into_json(context);
        Ok(context.bus().publish(&from, &event, data, self.large)?.into())
    }
}

/// Subscribes the acting agent to events.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subscribe {
    /// The events.
    pub events: Vec<String>,
}

/// Ends subscriptions of the acting agent.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsubscribe {
    /// The events.
    pub events: Vec<String>,
}

/// The subscriptions of an agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subscriptions {
    /// The agent.
    pub name: String,
    /// The events.
    pub events: Vec<String>,
}

impl Subscriptions {
    fn new(agent: &AgentName, events: &[EventName]) -> Self {
        Self { name: agent.to_string(), events: texts(events) }
    }
}

impl Operation for Subscribe {
    type Response = Subscriptions;

    fn run(self, context: &mut Context<'_>) -> Result<Subscriptions, Error> {
        let agent = context.actor()?;
        let events = context.bus().subscribe(&agent, &names(self.events)?)?;
        Ok(Subscriptions::new(&agent, &events))
    }
}

impl Operation for Unsubscribe {
    type Response = Subscriptions;

    fn run(self, context: &mut Context<'_>) -> Result<Subscriptions, Error> {
        let agent = context.actor()?;
        let events = context.bus().unsubscribe(&agent, &names(self.events)?)?;
        Ok(Subscriptions::new(&agent, &events))
    }
}

fn names(events: Vec<String>) -> Result<Vec<EventName>, Error> {
    Ok(events.into_iter().map(EventName::new).collect::<Result<_, _>>()?)
}
