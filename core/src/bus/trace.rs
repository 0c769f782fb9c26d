//! Tracing a message: how far each recipient's copy has come, and what it waits for.

mod signs;

pub use signs::Signs;
pub(crate) use signs::{decision_in, every_copy};

use super::{Bus, Error, Result};
use crate::engine::Survey;
use crate::model::{AgentName, Delivery, Directory, Found, Message, MessageId, Place, Timestamp};

/// A message and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The message.
    pub message: Message,
    /// Each recipient's copy, by name; empty for an event that nobody had subscribed to.
    pub deliveries: Vec<TracedDelivery>,
}

/// How far one recipient's copy has come. Agents on shell scripts leave out steps, so an earlier time may be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedDelivery {
    /// Whose copy it is.
    pub recipient: AgentName,
    /// When it was stored.
    pub stored_at: Timestamp,
    /// When an inbox check listed it.
    pub offered_at: Option<Timestamp>,
    /// When it was read.
    pub seen_at: Option<Timestamp>,
    /// When the recipient acknowledged it.
    pub acked_at: Option<Timestamp>,
    /// When the recipient answered it.
    pub answered_at: Option<Timestamp>,
    /// How often it was offered anew because no sign came back.
    pub redelivered: u32,
    /// Where it lies; none when the sender's log has it and the recipient does not.
    pub place: Option<Place>,
    /// The furthest step it has come to.
    pub step: Step,
    /// What has to happen next, in words.
    pub waits_for: String,
}

/// A step on a message's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// It is there to be found.
    Stored,
    /// The recipient was told of it.
    Offered,
    /// The recipient has read it.
    Seen,
    /// The recipient has said so.
    Acked,
    /// The recipient has answered.
    Answered,
    /// It was given up on.
    Dead,
}

impl Step {
    /// Gives the word for the step.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Offered => "offered",
            Self::Seen => "seen",
            Self::Acked => "acked",
            Self::Answered => "answered",
            Self::Dead => "dead",
        }
    }
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl Bus<'_> {
    /// Tells how far a message has come with each of its recipients.
    pub fn trace(&self, id: &MessageId) -> Result<Found<Trace>> {
        let directory = self.directory()?;
        let trace = |survey: &Survey| {
            let trace = trace_in(survey, &directory, id, self.now());
            trace.ok_or_else(|| Error::NowhereFound { id: id.clone() }.into())
        };
        let Found { value: about, findings } = self.engine.survey_message(id)?;
        // A decision is acknowledged by its own id, in messages that do not name the one that announced it.
        if every_copy(&about).any(|message| message.id == *id && decision_in(&message.body).is_some()) {
            return self.derived(trace);
        }
        Ok(Found { value: trace(&about)?, findings })
    }
}

/// Traces a message as of `now`; none when nothing of it is kept.
pub fn trace_in(survey: &Survey, directory: &Directory, id: &MessageId, now: Timestamp) -> Option<Trace> {
    let message = every_copy(survey).find(|message| message.id == *id)?.clone();
    let scene = Scene { signs: Signs::of(survey), directory, now };
    let copies = survey.deliveries.iter().filter(|delivery| delivery.message.id == *id);
    let mut deliveries: Vec<TracedDelivery> = copies.map(|copy| scene.copy(copy)).collect();
    for (_, recipient) in survey.sent.iter().filter(|(sent, _)| sent.id == *id) {
        if !deliveries.iter().any(|traced| traced.recipient == *recipient) {
            deliveries.push(scene.missing(&message, recipient));
        }
    }
    deliveries.sort_by(|a, b| a.recipient.cmp(&b.recipient));
    Some(Trace { message, deliveries })
}

/// What is known when a copy is looked at.
struct Scene<'a> {
    signs: Signs<'a>,
    directory: &'a Directory,
    now: Timestamp,
}

impl Scene<'_> {
    fn copy(&self, copy: &Delivery) -> TracedDelivery {
        let Delivery { recipient, message, receipt, place } = copy;
        let mut traced = TracedDelivery {
            offered_at: receipt.offered_at,
            seen_at: receipt.seen_at,
            redelivered: receipt.redelivered,
            place: Some(place.clone()),
            ..self.missing(message, recipient)
        };
        traced.step = furthest(&traced);
        traced.waits_for = self.waits_for(message, &traced);
        traced
    }

    /// Traces a copy of which only the sender's log, and what came back, bear witness.
    fn missing(&self, message: &Message, recipient: &AgentName) -> TracedDelivery {
        let mut traced = TracedDelivery {
            recipient: recipient.clone(),
            stored_at: message.sent_at,
            offered_at: None,
            seen_at: None,
            acked_at: self.signs.acked(message, recipient),
            answered_at: self.signs.answered(message, recipient),
            redelivered: 0,
            place: None,
            step: Step::Stored,
            waits_for: String::new(),
        };
        traced.step = furthest(&traced);
        traced.waits_for = self.waits_for(message, &traced);
        traced
    }

    fn waits_for(&self, message: &Message, traced: &TracedDelivery) -> String {
        let due = self.due(message);
        let waits = message.requires_response;
        match traced.step {
            Step::Answered => "nothing".to_owned(),
            Step::Dead => dead_words(message, traced),
            Step::Acked | Step::Seen if waits => format!("an answer{due}"),
            Step::Acked => "nothing".to_owned(),
            Step::Seen => "nothing: no answer is needed".to_owned(),
            Step::Offered | Step::Stored => self.unread_words(traced) + &if waits { due } else { String::new() },
        }
    }

    /// Says what an unread copy waits for.
    fn unread_words(&self, traced: &TracedDelivery) -> String {
        let name = &traced.recipient;
        match (&traced.place, self.directory.agents.get(name), traced.offered_at) {
            (None, ..) => format!("a copy for {name}, which is gone: huddle check says more"),
            (Some(Place::Archive), ..) => "nothing: put away unread".to_owned(),
            (_, None, _) => format!("{name} to register: nobody of that name is on the bus"),
            (_, Some(_), Some(at)) => format!("{name} to read it (listed {} ago)", self.now.since(at)),
            (_, Some(agent), None) => {
                let seen = agent.last_seen.map(|at| format!(" (last seen {} ago)", self.now.since(at)));
                format!("{name} to check its inbox{}", seen.unwrap_or_default())
            }
        }
    }

    /// Says how the deadline stands, to be put after what is waited for.
    fn due(&self, message: &Message) -> String {
        match message.deadline {
            Some(deadline) if deadline < self.now => format!(", overdue since {deadline}"),
            Some(deadline) => format!(", due in {}", deadline.since(self.now)),
            None => String::new(),
        }
    }
}

fn furthest(traced: &TracedDelivery) -> Step {
    if traced.answered_at.is_some() {
        Step::Answered
    } else if matches!(traced.place, Some(Place::DeadLetters { .. })) {
        Step::Dead
    } else if traced.acked_at.is_some() {
        Step::Acked
    } else if traced.seen_at.is_some() {
        Step::Seen
    } else if traced.offered_at.is_some() {
        Step::Offered
    } else {
        Step::Stored
    }
}

fn dead_words(message: &Message, traced: &TracedDelivery) -> String {
    match &traced.place {
        Some(Place::DeadLetters { reason, .. }) => {
            format!("somebody to try again: {reason} (huddle dead-letters retry {})", message.id)
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
