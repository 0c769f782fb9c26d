//! Sweeping: what got no sign is offered anew, then given up on; what is old is put away.
//!
//! Anyone may sweep at any time. Each step leaves the bus in a state that the next sweep goes on from: a message is first
//! buried and then reported, and a report that a kill prevented is made by the next sweep, because the dead letter is still
//! there and no report of it is.

use std::collections::BTreeMap;

use super::dead_letters::{DeadLetter, dead_letters_in};
use super::limits::one_line;
use super::trace::{Signs, every_copy};
use super::{Bus, Draft, Result};
use crate::engine::{self, Change, Lease, Post, SendKey, Survey};
use crate::model::{
    AgentName, Delivery, Directory, Json, LeaseName, Message, MessageId, MessageType, Place, Priority, Recipient, Span,
    Timestamp,
};

/// How patient a sweep is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SweepRules {
    /// How long a message that needs an answer may go without a sign; a deadline of its own comes first.
    pub timeout: Span,
    /// How often a message is offered anew before it is given up on.
    pub attempts: u32,
    /// How long read messages stay in the inbox; by default as long as the directory says.
    pub retention: Option<Span>,
}

impl Default for SweepRules {
    fn default() -> Self {
        Self { timeout: Span::from_hours(1), attempts: 3, retention: None }
    }
}

/// What a sweep did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Swept {
    /// Copies that were offered anew, by time sent.
    pub redelivered: Vec<(AgentName, MessageId)>,
    /// Copies that were given up on, by time sent.
    pub dead: Vec<(AgentName, MessageId)>,
    /// How many copies were put away.
    pub archived: usize,
    /// How many archived copies were removed, because they are older than the archive keeps.
    pub pruned: usize,
}

/// Shorter than the default patience: whoever comes after a sweeper that died waits for this to run out, and sweeps. A bus
/// that takes longer is swept so far, and further the next time.
const LEASE: Span = Span::from_seconds(20);

impl Bus<'_> {
    /// Offers anew what got no sign in time, gives up on what was offered often enough, and puts away what is old.
    ///
    /// The senders of what was given up on are told, by `by` or else in their own name.
    pub fn sweep(&self, by: Option<&AgentName>, rules: &SweepRules) -> Result<Swept> {
        let directory = self.directory_with(by.as_slice())?;
        let name = LeaseName::new("sweep").expect("a plain word is a valid name");
        let owner = by.map_or("a sweep", AgentName::as_str);
        let lease = self.engine.lease(&name, owner, LEASE, self.settings.patience)?;
        let swept = self.sweep_alone(by, rules, &directory, &lease);
        let released = self.engine.release(&lease);
        let swept = swept?;
        released?;
        Ok(swept)
    }

    /// Puts away what was sent before a time, by default what is past the directory's retention; returns how many inbox
    /// copies that were.
    pub fn archive(&self, before: Option<Timestamp>, unread_too: bool) -> Result<usize> {
        let before = match before {
            Some(before) => before,
            None => self.now().minus(retention(&self.directory()?)),
        };
        let archived = self.engine.archive(before, unread_too)?;
        self.count_usage(&self.directory()?)?;
        Ok(archived)
    }

    fn sweep_alone(
        &self,
        by: Option<&AgentName>,
        rules: &SweepRules,
        directory: &Directory,
        lease: &Lease,
    ) -> Result<Swept> {
        let mut swept = Swept::default();
        let now = self.now();
        let mut survey = self.engine.survey()?.value;
        for (copy, fate) in due(&survey, rules, now) {
            if self.is_over(lease) {
                return Ok(swept);
            }
            match self.meet(copy, fate, now, &mut swept) {
                // Something stands in the way of this copy, and `check` reports it. The others are swept all the same.
                Err(error) if matches!(*error, engine::Error::Incomplete { .. }) => {}
                met => met?,
            }
        }
        if !swept.dead.is_empty() {
            // What was just buried is among the dead letters only now.
            survey = self.engine.survey()?.value;
        }
        for letter in unreported(&survey, directory) {
            if self.is_over(lease) {
                return Ok(swept);
            }
            self.report_failure(by, &letter)?;
        }
        // Before others are archived: what was read late stays in the archive until the next sweep at least.
        swept.pruned = self.prune_old(directory)?;
        swept.archived = self.make_room(&survey, directory)?;
        swept.archived += self.archive(rules.retention.map(|kept| self.now().minus(kept)), false)?;
        Ok(swept)
    }

    /// Says whether another may have begun to sweep: then it goes on from here, and this one stops.
    fn is_over(&self, lease: &Lease) -> bool {
        self.host.now() >= lease.expires_at
    }

    /// Does to a copy what was due when it was looked at, at `now`.
    fn meet(&self, copy: &Delivery, fate: Fate, now: Timestamp, swept: &mut Swept) -> engine::Result<()> {
        let (agent, id) = (&copy.recipient, &copy.message.id);
        match fate {
            Fate::Redeliver => match self.engine.redeliver(agent, id, now) {
                Ok(count) if count > copy.receipt.redelivered => swept.redelivered.push((agent.clone(), id.clone())),
                // It was read or put away meanwhile.
                Ok(_) => {}
                Err(error) if matches!(*error, engine::Error::NoSuchMessage { .. }) => {}
                Err(error) => return Err(error),
            },
            Fate::Bury => {
                let sent = now.since(copy.message.sent_at);
                let times = match copy.receipt.redelivered {
                    1 => "1 redelivery".to_owned(),
                    times => format!("{times} redeliveries"),
                };
                let reason = format!("no sign from {agent} after {times}, {sent} after it was sent");
                if self.engine.bury(agent, id, &reason, now)? {
                    swept.dead.push((agent.clone(), id.clone()));
                }
            }
        }
        Ok(())
    }

    /// Tells the sender of a dead letter, once.
    fn report_failure(&self, by: Option<&AgentName>, letter: &DeadLetter) -> Result<()> {
        let DeadLetter { delivery: Delivery { recipient, message: lost, .. }, reason, at } = letter;
        let from = by.unwrap_or(&lost.from);
        let draft = Draft {
            kind: Some(MessageType::new(MessageType::DELIVERY_FAILED)),
            body: object!({
                "message_id": lost.id.as_str(),
                "recipient": recipient.as_str(),
                "reason": reason,
            }),
            priority: Priority::High,
            thread: lost.thread.clone(),
            large: true,
            ..Draft::to(&lost.from, format!("Not delivered: {}", one_line(&lost.subject)))
        };
        let message = self.compose(from, &draft, "msg", Recipient::Agents(draft.to.clone()))?;
        let message = Message { in_reply_to: Some(lost.id.clone()), ..message };
        // A letter that was tried again and died again is news again, so its time is part of the key.
        let key = format!("dead:{recipient}:{}:{at}", lost.id);
        let key = Some(SendKey { key, fingerprint: MessageType::DELIVERY_FAILED.to_owned() });
        self.post(Change { key, ..Change::post(Post { message, recipients: draft.to }) })?;
        Ok(())
    }
}

/// What is to be done with a copy that got no sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Redeliver,
    Bury,
}

/// Lists the copies that got no sign in time, and what is to be done with each.
fn due<'a>(survey: &'a Survey, rules: &SweepRules, now: Timestamp) -> Vec<(&'a Delivery, Fate)> {
    let signs = Signs::of(survey);
    let waits = |copy: &&Delivery| copy.place == Place::Inbox && copy.message.requires_response;
    let late = |copy: &&Delivery| expires_at(copy, rules) <= now;
    let silent = |copy: &&Delivery| signs.first(&copy.message, &copy.recipient).is_none();
    let copies = survey.deliveries.iter().filter(waits).filter(late).filter(silent);
    let fate = |copy: &Delivery| if copy.receipt.redelivered < rules.attempts { Fate::Redeliver } else { Fate::Bury };
    copies.map(|copy| (copy, fate(copy))).collect()
}

/// Tells until when a copy may go without a sign.
fn expires_at(copy: &Delivery, rules: &SweepRules) -> Timestamp {
    let Delivery { message, receipt, .. } = copy;
    match receipt.redelivered_at {
        Some(at) => at.plus(rules.timeout),
        None => message.deadline.unwrap_or_else(|| message.sent_at.plus(rules.timeout)),
    }
}

/// Lists the dead letters whose senders are there to be told and have not been.
fn unreported(survey: &Survey, directory: &Directory) -> Vec<DeadLetter> {
    let mut told: BTreeMap<(&MessageId, &str), Timestamp> = BTreeMap::new();
    for notice in every_copy(survey).filter(|message| message.kind.as_str() == MessageType::DELIVERY_FAILED) {
        if let (Some(lost), Some(recipient)) =
            (&notice.in_reply_to, notice.body.get("recipient").and_then(Json::as_str))
        {
            let last = told.entry((lost, recipient)).or_insert(notice.sent_at);
            *last = notice.sent_at.max(*last);
        }
    }
    let is_told = |letter: &DeadLetter| {
        let Delivery { recipient, message, .. } = &letter.delivery;
        told.get(&(&message.id, recipient.as_str())).is_some_and(|last| *last >= letter.at)
    };
    let mut letters = dead_letters_in(survey);
    letters.retain(|letter| directory.agents.contains_key(&letter.delivery.message.from) && !is_told(letter));
    letters
}

fn retention(directory: &Directory) -> Span {
    Span::from_hours(i64::from(directory.retention_hours))
}

#[cfg(test)]
mod tests;
