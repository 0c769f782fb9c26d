//! Mending: what nobody can read or carry out is moved out of the way.

use std::collections::BTreeSet;

use super::{CheckReport, mail};
use crate::bus::{Bus, Result};
use crate::engine::MailSnapshot;
use crate::model::{Delivery, Diagnostic, Message, Place, Receipt};
use crate::wire::mailbox::stored;

/// A file that was moved out of the way, both paths as the bus sees them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mended {
    /// Where it was.
    pub from: String,
    /// Where it is now.
    pub to: String,
}

/// The findings whose place is a file that nobody can read or carry out.
const UNUSABLE: [&str; 5] = ["unreadable-file", "damaged-message", "damaged-change", "foreign-file", "foreign-lease"];
const DAMAGED_REGISTRY: &str = "damaged-registry";

impl Bus<'_> {
    /// Moves what nobody can read or carry out to the quarantine, replaces a damaged registry, restores lost and changed
    /// copies of messages, and checks what is left.
    ///
    /// Nothing is removed: a changed copy goes to the quarantine, too. What cannot be moved is among the findings, as without mending.
    pub fn mend(&self) -> Result<CheckReport> {
        let found = self.check()?.findings;
        let is_damaged = |finding: &Diagnostic| finding.code == DAMAGED_REGISTRY;
        let unusable = found.iter().filter(|one| UNUSABLE.contains(&one.code) || is_damaged(one));
        let mut mended = Vec::new();
        for from in BTreeSet::from_iter(unusable.map(|finding| finding.place.clone())) {
            // One that cannot be moved keeps no other from being moved, and stays a finding.
            let moved = self.engine.quarantine_file(&from).unwrap_or_default();
            mended.extend(moved.map(|to| Mended { from, to }));
        }
        if found.iter().any(is_damaged) {
            // Writes the registry anew, from what can be made out.
            self.engine.edit_directory(&mut |_| {})?;
        }
        mended.extend(self.restore_copies()?);
        Ok(CheckReport { mended, ..self.check()? })
    }

    /// Gives recipients again what they were sent, from what the bus recorded; returns which files gave way.
    fn restore_copies(&self) -> Result<Vec<Mended>> {
        let snapshot = self.engine.snapshot()?.value;
        let mut moved = Vec::new();
        let mut restored = MailSnapshot::default();
        for (copy, original) in mail::changed_copies(&snapshot) {
            let from = stored::copy(copy).path;
            let Some(to) = self.engine.quarantine_file(&from).unwrap_or_default() else { continue };
            moved.push(Mended { from, to });
            restored.deliveries.push(Delivery { message: without_record(original), ..copy.clone() });
        }
        for (original, recipient) in mail::without_copy(&snapshot) {
            if matches!(self.engine.delivery(&recipient, &original.id), Ok(None)) {
                let (message, receipt) = (without_record(original), Receipt::default());
                restored.deliveries.push(Delivery { recipient, message, receipt, place: Place::Inbox });
            }
        }
        if !restored.deliveries.is_empty() {
            self.engine.import_snapshot(&restored)?;
        }
        Ok(moved)
    }
}

/// Returns a message as its recipients got it.
fn without_record(record: &Message) -> Message {
    let mut message = record.clone();
    message.extra.shift_remove(Message::DELIVERED_TO);
    message
}
