//! Sweeping: what got no sign is offered anew, then given up on; what is old is put away.
//!
//! Anyone may sweep at any time. Each step leaves the bus in a state that the next sweep goes on from: a message is first
//! buried and then reported, and a report that a kill prevented is made by the next sweep, because the dead letter is still
//! there and no report of it is.

use std::collections::BTreeMap;

use super::dead_letters::{DeadLetter, dead_letters_in};
use super::limits::one_line;
use super::trace::{ReplyIndex, all_copies};
use super::{Bus, Draft, Result};
use crate::engine::{self, Envelope, Lease, MailSnapshot, SendKey, Transaction};
use crate::model::{
    AgentName, Delivery, Directory, Json, LeaseName, Message, MessageId, MessageType, Place, Priority, Recipient, Span,
    Timestamp,
};

/// The time-outs of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SweepRules {
    /// How long a message that needs an answer may stay unacknowledged; its own deadline comes first.
    pub timeout: Span,
    /// Redeliveries before a message is dead-lettered.
    pub attempts: u32,
    /// How long read messages stay in the inbox; by default as long as the directory says.
    pub retention: Option<Span>,
}

impl Default for SweepRules {
    fn default() -> Self {
        Self { timeout: Span::from_hours(1), attempts: 3, retention: None }
    }
}

/// The result of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SweepReport {
    /// Redelivered copies, by time sent.
    pub redelivered: Vec<(AgentName, MessageId)>,
    /// Dead-lettered copies, by time sent.
    pub dead: Vec<(AgentName, MessageId)>,
    /// The number of archived copies.
    pub archived: usize,
    /// How many archived copies were removed, because they are older than the archive keeps.
    pub pruned: usize,
}

/// Shorter than the default patience: whoever comes after a sweeper that died waits for this to run out, and sweeps. A bus
/// that takes longer is swept so far, and further the next time.
const LEASE: Span = Span::from_seconds(20);

impl Bus<'_> {
    /// Redelivers unacknowledged messages, dead-letters those redelivered too often, and archives old ones.
    ///
    /// The senders of what was given up on are told, by `by` or else in their own name.
    pub fn sweep(&self, by: Option<&AgentName>, rules: &SweepRules) -> Result<SweepReport> {
        let directory = self.directory_with(by.as_slice())?;
        let name = LeaseName::new("sweep").expect("a plain word is a valid name");
        let owner = by.map_or("a sweep", AgentName::as_str);
        let lease = self.engine.lease(&name, owner, LEASE, self.settings.lock_timeout)?;
        let swept = self.sweep_locked(by, rules, &directory, &lease);
        let released = self.engine.release(&lease);
        let swept = swept?;
        released?;
        Ok(swept)
    }

    /// Archives what was sent before a time, by default what is past the directory's retention; returns how many inbox
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

    fn sweep_locked(
        &self,
        by: Option<&AgentName>,
        rules: &SweepRules,
        directory: &Directory,
        lease: &Lease,
    ) -> Result<SweepReport> {
        let mut swept = SweepReport::default();
        let now = self.now();
        let mut snapshot = self.engine.snapshot()?.value;
        for (copy, action) in due(&snapshot, rules, now) {
            if self.is_expired(lease) {
                return Ok(swept);
            }
            match self.apply(copy, action, now, &mut swept) {
                // Something stands in the way of this copy, and `check` reports it. The others are swept all the same.
                Err(error) if matches!(*error, engine::Error::Incomplete { .. }) => {}
                applied => applied?,
            }
        }
        if !swept.dead.is_empty() {
            // What was just buried is among the dead letters only now.
            snapshot = self.engine.snapshot()?.value;
        }
        for letter in unreported(&snapshot, directory) {
            if self.is_expired(lease) {
                return Ok(swept);
            }
            self.report_failure(by, &letter)?;
        }
        // Before others are archived: what was read late stays in the archive until the next sweep at least.
        swept.pruned = self.prune_old(directory)?;
        swept.archived = self.archive_over_quota(&snapshot, directory)?;
        swept.archived += self.archive(rules.retention.map(|kept| self.now().minus(kept)), false)?;
        Ok(swept)
    }

    /// Returns whether another may have begun to sweep: then it goes on from here, and this one stops.
    fn is_expired(&self, lease: &Lease) -> bool {
        self.host.now() >= lease.expires_at
    }

    /// Applies an action to a copy.
    fn apply(
        &self,
        copy: &Delivery,
        action: SweepAction,
        now: Timestamp,
        swept: &mut SweepReport,
    ) -> engine::Result<()> {
        let (agent, id) = (&copy.recipient, &copy.message.id);
        match action {
            SweepAction::Redeliver => match self.engine.redeliver(agent, id, now) {
                Ok(count) if count > copy.receipt.redelivered => swept.redelivered.push((agent.clone(), id.clone())),
                // It was read or put away meanwhile.
                Ok(_) => {}
                Err(error) if matches!(*error, engine::Error::NoSuchMessage { .. }) => {}
                Err(error) => return Err(error),
            },
            SweepAction::DeadLetter => {
                let sent = now.since(copy.message.sent_at);
                let times = match copy.receipt.redelivered {
                    1 => "1 redelivery".to_owned(),
                    times => format!("{times} redeliveries"),
                };
                let reason = format!("no sign from {agent} after {times}, {sent} after it was sent");
                if self.engine.dead_letter(agent, id, &reason, now)? {
                    swept.dead.push((agent.clone(), id.clone()));
                }
            }
        }
        Ok(())
    }

    /// Notifies the sender of a dead letter, once.
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
            allow_large: true,
            ..Draft::to(&lost.from, format!("Not delivered: {}", one_line(&lost.subject)))
        };
        let message = self.compose(from, &draft, "msg", Recipient::Agents(draft.to.clone()))?;
        let message = Message { in_reply_to: Some(lost.id.clone()), ..message };
        // A letter that was tried again and died again is news again, so its time is part of the key.
        let key = format!("dead:{recipient}:{}:{at}", lost.id);
        let key = Some(SendKey { key, fingerprint: MessageType::DELIVERY_FAILED.to_owned() });
        self.post(Transaction { key, ..Transaction::deliver(Envelope { message, recipients: draft.to }) })?;
        Ok(())
    }
}

/// The action for an unacknowledged copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SweepAction {
    Redeliver,
    DeadLetter,
}

/// Lists the copies that got no sign in time, and what is to be done with each.
fn due<'a>(snapshot: &'a MailSnapshot, rules: &SweepRules, now: Timestamp) -> Vec<(&'a Delivery, SweepAction)> {
    let replies = ReplyIndex::of(snapshot);
    let waits = |copy: &&Delivery| copy.place == Place::Inbox && copy.message.requires_response;
    let late = |copy: &&Delivery| expires_at(copy, rules) <= now;
    let silent = |copy: &&Delivery| replies.first(&copy.message, &copy.recipient).is_none();
    let copies = snapshot.deliveries.iter().filter(waits).filter(late).filter(silent);
    let action = |copy: &Delivery| {
        if copy.receipt.redelivered < rules.attempts { SweepAction::Redeliver } else { SweepAction::DeadLetter }
    };
    copies.map(|copy| (copy, action(copy))).collect()
}

/// Returns until when a copy may go without a sign.
fn expires_at(copy: &Delivery, rules: &SweepRules) -> Timestamp {
    let Delivery { message, receipt, .. } = copy;
    match receipt.redelivered_at {
        Some(at) => at.plus(rules.timeout),
        None => message.deadline.unwrap_or_else(|| message.sent_at.plus(rules.timeout)),
    }
}

/// Lists the dead letters whose senders are there to be told and have not been.
fn unreported(snapshot: &MailSnapshot, directory: &Directory) -> Vec<DeadLetter> {
    let mut told: BTreeMap<(&MessageId, &str), Timestamp> = BTreeMap::new();
    for notice in all_copies(snapshot).filter(|message| message.kind.as_str() == MessageType::DELIVERY_FAILED) {
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
    let mut letters = dead_letters_in(snapshot);
    letters.retain(|letter| directory.agents.contains_key(&letter.delivery.message.from) && !is_told(letter));
    letters
}

fn retention(directory: &Directory) -> Span {
    Span::from_hours(i64::from(directory.retention_hours))
}

#[cfg(test)]
mod tests;
