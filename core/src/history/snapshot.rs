//! The messages of a history as an engine would list them: for what needs whole messages.

use std::io;

use huddle_scan::{NO_TIME, clean};

use super::record::ByteSource;
use super::{CopyLocation, History, MailCopy, MailboxFolder};
use crate::engine::MailSnapshot;
use crate::engine::files::damaged;
use crate::model::{AgentName, Delivery, Message, Place, Receipt, Timestamp, WithDiagnostics};
use crate::wire::mailbox::message;

impl History {
    /// Reads all messages of a mailbox. What is no message is a finding.
    pub fn snapshot(&self, root: usize, from: &mut dyn ByteSource) -> io::Result<WithDiagnostics<MailSnapshot>> {
        let mut found = WithDiagnostics::clean(MailSnapshot::default());
        for mailed in &self.mailbox_rows {
            let file = &self.files[self.table.row(mailed.row).file as usize];
            if file.root != Some(root) {
                continue;
            }
            let bytes = self.bytes(mailed.row, from)?;
            match message::decode(&clean(&bytes)) {
                Ok(message) => self.add(&mut found.value, message, mailed.entry, &mailed.place),
                Err(fault) => found.findings.push(damaged(&self.place(mailed.row), &fault)),
            }
        }
        Ok(found)
    }

    fn add(&self, snapshot: &mut MailSnapshot, message: Message, entry: u32, place: &MailboxFolder) {
        let (MailboxFolder::Inbox(owner)
        | MailboxFolder::Archive(owner)
        | MailboxFolder::DeadLetters(owner)
        | MailboxFolder::Outbox(owner)) = place
        else {
            snapshot.records.push(message);
            return;
        };
        // A directory that cannot be an agent's is told of when files are recognised.
        let Ok(recipient) = AgentName::new(owner.as_str()) else { return };
        if let MailboxFolder::Outbox(_) = place {
            snapshot.sent.push((message, recipient));
            return;
        }
        let Some(copy) = self.copy_of(entry, owner) else { return };
        let (receipt, place) = (receipt(copy), self.placed(copy));
        snapshot.deliveries.push(Delivery { recipient, message, receipt, place });
    }

    fn copy_of(&self, entry: u32, owner: &str) -> Option<&MailCopy> {
        let first = self.copies.partition_point(|copy| copy.entry < entry);
        let copies = self.copies[first..].iter().take_while(|copy| copy.entry == entry);
        copies.into_iter().find(|copy| self.table.text(copy.recipient) == owner)
    }

    fn placed(&self, copy: &MailCopy) -> Place {
        match copy.place {
            CopyLocation::Inbox | CopyLocation::Nowhere => Place::Inbox,
            CopyLocation::Archive => Place::Archive,
            CopyLocation::DeadLetters => Place::DeadLetters {
                reason: self.table.text(copy.reason).to_owned(),
                at: time(copy.dead_at).unwrap_or_default(),
            },
        }
    }
}

fn receipt(copy: &MailCopy) -> Receipt {
    Receipt {
        offered_at: time(copy.offered_at),
        seen_at: time(copy.seen_at),
        redelivered: copy.redelivered,
        redelivered_at: time(copy.redelivered_at),
    }
}

/// Returns a time of a column, if there is one.
pub fn time(micros: i64) -> Option<Timestamp> {
    (micros != NO_TIME).then(|| Timestamp::from_micros(micros))
}
