//! Finding one message by its id: every path that it can have is looked at, and no directory of messages is listed.

use std::collections::BTreeSet;

use super::{FilesEngine, layout};
use crate::Host;
use crate::bus::{all_copies, ids};
use crate::engine::fs::{FileSystem, parent};
use crate::engine::{MailSnapshot, Result};
use crate::model::{AgentName, Diagnostic, MessageId, Place, Recipient, Timestamp, WithDiagnostics};

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Reads what is kept of one message, and what answers it.
    pub(super) fn read_about(&self, id: &MessageId) -> Result<WithDiagnostics<MailSnapshot>> {
        let mut all = WithDiagnostics::<MailSnapshot>::default();
        let agents = self.correspondents(&mut all.findings)?;
        self.look_below("", &Place::Inbox, &agents, id, &mut all)?;
        for agent in &agents {
            self.look_for_copy(&layout::dead_letter(agent, id), &self.dead_place(agent, id), agent, id, &mut all)?;
        }
        let days = self.days_since(id, &mut all.findings);
        for day in &days {
            if has_every_copy(&all.value) {
                break;
            }
            self.look_below(day, &Place::Archive, &agents, id, &mut all)?;
        }
        let message = all_copies(&all.value).next().cloned();
        if let Some(message) = message {
            for base in std::iter::once("").chain(days.iter().map(String::as_str)) {
                let answers = self.answers_below(base, &message.from, &message, &mut all.findings)?;
                all.value.records.extend(answers);
            }
        }
        all.value.sort();
        Ok(all)
    }

    /// Lists everybody who has mail, or could have.
    fn correspondents(&self, findings: &mut Vec<Diagnostic>) -> Result<BTreeSet<AgentName>> {
        let mut agents: BTreeSet<AgentName> =
            self.read_registry()?.value.registry.directory.agents.keys().cloned().collect();
        for dir in [layout::INBOX, layout::DEAD_LETTERS] {
            let names = self.journal.list_or_report(dir, findings).into_iter().filter(|entry| entry.is_dir());
            agents.extend(names.filter_map(|entry| AgentName::new(entry.name).ok()));
        }
        Ok(agents)
    }

    /// Lists the days of the archive from the one on that an id carries, as the beginnings of paths.
    fn days_since(&self, id: &MessageId, findings: &mut Vec<Diagnostic>) -> Vec<String> {
        let first = ids::time_in(id.as_str()).map(Timestamp::date).unwrap_or_default();
        let days = self.journal.list_or_report(layout::ARCHIVE, findings).into_iter();
        let days = days.filter(|entry| entry.is_dir() && entry.name >= first);
        days.map(|entry| format!("{}/{}/", layout::ARCHIVE, entry.name)).collect()
    }

    /// Looks for a message everywhere below a base: the bus itself, or one day of its archive.
    fn look_below(
        &self,
        base: &str,
        place: &Place,
        agents: &BTreeSet<AgentName>,
        id: &MessageId,
        all: &mut WithDiagnostics<MailSnapshot>,
    ) -> Result<()> {
        for agent in agents {
            self.look_for_copy(&format!("{base}{}", layout::inbox_message(agent, id)), place, agent, id, all)?;
            let sent = self.read_record(&format!("{base}{}", layout::outbox(id, agent)), &mut all.findings);
            all.value.sent.extend(sent.map(|message| (message, agent.clone())));
        }
        let mut records = vec![format!("{base}{}", layout::broadcast(id))];
        let events = format!("{base}{}", layout::EVENTS);
        let kinds = self.journal.list_or_report(&events, &mut all.findings).into_iter().filter(|entry| entry.is_dir());
        records.extend(kinds.map(|kind| format!("{events}/{}/{id}.json", kind.name)));
        for path in records {
            let record = self.read_record(&path, &mut all.findings);
            all.value.records.extend(record);
        }
        Ok(())
    }

    fn look_for_copy(
        &self,
        path: &str,
        place: &Place,
        agent: &AgentName,
        id: &MessageId,
        all: &mut WithDiagnostics<MailSnapshot>,
    ) -> Result<()> {
        // What cannot be looked into holds no copy that could be read; `check` reports it.
        if self.journal.exists(path).unwrap_or(false) {
            let folder = self.folder_of_one(parent(path), id)?;
            let found = self.read_folder(agent, &folder, place)?;
            all.value.deliveries.extend(found.value);
            all.findings.extend(found.findings);
        }
        Ok(())
    }
}

/// Returns whether nothing more of a message can lie in the archive: all whom it names have their copy.
fn has_every_copy(found: &MailSnapshot) -> bool {
    let has_copy = |name: &AgentName| found.deliveries.iter().any(|copy| copy.recipient == *name);
    let names = all_copies(found).next().map(|message| &message.to);
    let is_recorded = !found.sent.is_empty();
    matches!(names, Some(Recipient::Agents(names)) if is_recorded && names.iter().all(has_copy))
}
