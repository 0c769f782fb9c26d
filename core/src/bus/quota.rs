//! Quotas: how much the inboxes of a bus may hold.
//!
//! Counting takes a look at every inbox, so it is done by those who look at everything anyway: sweep and archive. They
//! note the result in the directory, and senders add what was delivered since, which the directory counts. A send looks
//! at two numbers. What the directory does not count (responses, and what is removed by hand) shows at the next count.

use super::{Bus, Error, Result};
use crate::engine::MailSnapshot;
use crate::model::{Delivery, Diagnostic, Directory, Limits, Place, Severity, Span, Timestamp, Usage, WhenFull};

/// From how many messages on an archive is large: scans take half a second for so many.
const LARGE_ARCHIVE: usize = 10_000;

impl Bus<'_> {
    /// Refuses what nobody waits for when the inboxes hold as much as they may.
    ///
    /// Answers and acknowledgments are never refused: without them nobody could end a conversation and make room.
    pub(super) fn ensure_quota(&self, directory: &Directory) -> Result<()> {
        let limits = &directory.limits;
        if !limits.has_quota() || limits.when_full == WhenFull::Archive {
            return Ok(());
        }
        let usage = match directory.usage {
            Some(counted) => counted.grown_to(delivered(directory)),
            None => self.count_usage(directory)?.unwrap_or_default(),
        };
        match limits.reached(&usage) {
            Some((what, held, most)) => Err(Error::Full { what, held, most }.into()),
            None => Ok(()),
        }
    }

    /// Counts what the inboxes hold and notes it for senders; none without a quota.
    pub(super) fn count_usage(&self, directory: &Directory) -> Result<Option<Usage>> {
        if !directory.limits.has_quota() {
            return Ok(None);
        }
        let usage = Usage { delivered: delivered(directory), ..self.engine.usage()? };
        self.engine.edit_directory(&mut |directory| directory.usage = Some(usage))?;
        Ok(Some(usage))
    }

    /// Notes copies that the directory does not count: those of broadcasts and events.
    pub(super) fn count_other_copies(&self, directory: &Directory, copies: usize) {
        if !directory.limits.has_quota() {
            return;
        }
        // What was sent is sent, noted or not; the next count sees it.
        drop(self.engine.edit_directory(&mut |directory| {
            let delivered = delivered(directory);
            directory.usage = directory.usage.map(|usage| {
                let grown = usage.grown_to(delivered).grown_to(delivered.saturating_add(copies as u64));
                Usage { delivered, ..grown }
            });
        }));
    }

    /// Archives the oldest messages, where that is what happens to a bus that is full; returns how many.
    pub(super) fn archive_over_quota(&self, snapshot: &MailSnapshot, directory: &Directory) -> Result<usize> {
        if !directory.limits.has_quota() || directory.limits.when_full != WhenFull::Archive {
            return Ok(0);
        }
        let usage = self.engine.usage()?;
        match archive_cutoff(snapshot, &directory.limits, &usage) {
            Some(kept) => Ok(self.engine.archive(kept, true)?),
            None => Ok(0),
        }
    }

    /// Removes from the archive what was sent on a day that ended before a time; returns how many copies that were.
    pub fn prune(&self, before: Timestamp) -> Result<usize> {
        Ok(self.engine.prune(before)?)
    }

    /// Removes from the archive what is older than the directory allows.
    pub(super) fn prune_old(&self, directory: &Directory) -> Result<usize> {
        let age = directory.limits.max_age_hours.map(|hours| Span::from_hours(i64::from(hours)));
        age.map_or(Ok(0), |age| self.prune(self.now().minus(age)))
    }

    /// Suggests a limit for an archive that is large and has none.
    pub(super) fn check_archive(snapshot: &MailSnapshot, limits: &Limits) -> Option<Diagnostic> {
        let archived = snapshot.deliveries.iter().filter(|copy| copy.place == Place::Archive).count();
        (archived >= LARGE_ARCHIVE && limits.max_age_hours.is_none()).then(|| Diagnostic {
            severity: Severity::Info,
            code: "large-archive",
            place: "the archive".to_owned(),
            message: format!(
                "it holds {archived} messages, and nothing removes any: scans of the bus read all of them"
            ),
            hint: "have huddle sweep remove what is older than 90 days: \"huddle_limits\": {\"maxAgeHours\": 2160} in \
                registry.json; or remove it once: huddle archive --prune 90d"
                .into(),
        })
    }

    /// Says that the inboxes hold more than they may.
    pub(super) fn check_quota(&self, directory: &Directory) -> Result<Option<Diagnostic>> {
        if !directory.limits.has_quota() {
            return Ok(None);
        }
        let reached = directory.limits.reached(&self.engine.usage()?);
        Ok(reached.filter(|(_, held, most)| held > most).map(|(what, held, most)| Diagnostic {
            severity: Severity::Warning,
            code: "quota-exceeded",
            place: "the inboxes".to_owned(),
            message: format!("they hold {held} {what}, and may hold {most}"),
            hint: "archive what is read: huddle archive --before 0s; huddle sweep does what the quota's policy says"
                .into(),
        }))
    }
}

/// Sums up how many messages all agents have been delivered.
fn delivered(directory: &Directory) -> u64 {
    directory.agents.values().fold(0, |sum, agent| sum.saturating_add(agent.message_count))
}

/// Returns the time before which everything has to go so that the quota holds; none when it does.
fn archive_cutoff(snapshot: &MailSnapshot, limits: &Limits, usage: &Usage) -> Option<Timestamp> {
    let by_bytes =
        limits.max_bytes.map(|most| most.saturating_mul(usage.messages).checked_div(usage.bytes).unwrap_or(u64::MAX));
    let most = limits.max_messages.into_iter().chain(by_bytes).min()?;
    let kept = usize::try_from(most).unwrap_or(usize::MAX);
    let in_inbox = |copy: &&Delivery| copy.place == Place::Inbox;
    let surplus = snapshot.deliveries.iter().filter(in_inbox).count().saturating_sub(kept);
    // They are in the order of time sent, which is to the second.
    let last = snapshot.deliveries.iter().filter(in_inbox).nth(surplus.checked_sub(1)?)?;
    Some(last.message.sent_at.floor().plus(Span::from_seconds(1)))
}

#[cfg(test)]
mod tests;
