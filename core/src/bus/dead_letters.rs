//! Dead letters: messages that were given up on, kept for another try.

use super::{Bus, Error, Result};
use crate::engine::MailSnapshot;
use crate::model::{AgentName, Delivery, MessageId, Place, Timestamp, WithDiagnostics};

/// A dead-lettered copy of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct DeadLetter {
    /// The copy.
    pub delivery: Delivery,
    /// Why it was dead-lettered.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

impl Bus<'_> {
    /// Lists the dead letters, oldest first.
    pub fn dead_letters(&self) -> Result<WithDiagnostics<Vec<DeadLetter>>> {
        let WithDiagnostics { value: snapshot, findings } = self.engine.snapshot()?;
        Ok(WithDiagnostics { value: dead_letters_in(&snapshot), findings })
    }

    /// Writes a message back into the inbox of everybody whose copy was given up on; returns who they are.
    pub fn retry_dead_letter(&self, id: &MessageId) -> Result<Vec<AgentName>> {
        let mut requeued = Vec::new();
        for letter in self.dead_letters()?.value {
            let Delivery { recipient, message, .. } = letter.delivery;
            // Another may have been quicker: then it is back all the same, and not our doing.
            if message.id == *id && self.engine.requeue(&recipient, id)? {
                requeued.push(recipient);
            }
        }
        if requeued.is_empty() {
            return Err(Error::UnknownMessage { id: id.clone() }.into());
        }
        requeued.sort();
        Ok(requeued)
    }
}

/// Lists what was given up on in a snapshot, the latest last.
pub fn dead_letters_in(snapshot: &MailSnapshot) -> Vec<DeadLetter> {
    let dead = snapshot.deliveries.iter().filter_map(|delivery| match &delivery.place {
        Place::DeadLetters { reason, at } => {
            Some(DeadLetter { delivery: delivery.clone(), reason: reason.clone(), at: *at })
        }
        Place::Inbox | Place::Archive => None,
    });
    let mut dead: Vec<DeadLetter> = dead.collect();
    dead.sort_by_key(|letter| letter.at);
    dead
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::{Draft, NewAgent};
    use crate::engine::Engine;
    use crate::engine::memory::MemoryEngine;
    use crate::host::FixedHost;

    #[test]
    fn a_retry_puts_every_dead_copy_back_once() {
        let host = FixedHost::at("2025-11-29T14:30:00Z");
        let engine = MemoryEngine::new(&host);
        let bus = Bus::new(&engine, &host);
        bus.init().unwrap();
        let [ann, bob, cat]: [AgentName; 3] = ["ann", "bob", "cat"].map(|name| name.parse().unwrap());
        for name in [&ann, &bob, &cat] {
            bus.register(name, &NewAgent::with_role("builder")).unwrap();
        }
        let draft = Draft { to: vec![cat.clone(), bob.clone()], ..Draft::new("Hello?") };
        let id = bus.send(&ann, &draft).unwrap().id;
        assert!(matches!(*bus.retry_dead_letter(&id).unwrap_err(), Error::UnknownMessage { .. }));
        engine.dead_letter(&cat, &id, "no sign", bus.now()).unwrap();
        engine.dead_letter(&bob, &id, "no sign", bus.now()).unwrap();
        let dead = bus.dead_letters().unwrap().value;
        assert_eq!(dead.iter().map(|letter| letter.reason.as_str()).collect::<Vec<_>>(), ["no sign", "no sign"]);
        assert_eq!(bus.retry_dead_letter(&id).unwrap(), [bob.clone(), cat]);
        assert_eq!(engine.unread(&bob).unwrap().count, 1);
        assert_eq!(bus.dead_letters().unwrap().value, []);
        assert!(matches!(*bus.retry_dead_letter(&id).unwrap_err(), Error::UnknownMessage { .. }));
    }
}
