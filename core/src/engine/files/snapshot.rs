//! Reads all mail that is stored.

use std::collections::BTreeMap;

use super::mail::{Folder, damaged};
use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::engine::journal;
use crate::engine::{MailSnapshot, Result};
use crate::model::{AgentName, Delivery, Diagnostic, Message, MessageId, Place, Severity, WithDiagnostics};
use crate::wire::mailbox::message;

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn read_all(&self) -> Result<WithDiagnostics<MailSnapshot>> {
        let mut all =
            WithDiagnostics::<MailSnapshot> { findings: self.journal.stuck_entries(), ..WithDiagnostics::default() };
        self.collect_mailboxes(layout::INBOX, &Place::Inbox, &mut all)?;
        self.collect_dead_letters(&mut all)?;
        self.collect_records("", &mut all)?;
        for date in
            self.journal.list_or_report(layout::ARCHIVE, &mut all.findings).into_iter().filter(|entry| entry.is_dir())
        {
            let base = format!("{}/{}/", layout::ARCHIVE, date.name);
            self.collect_mailboxes(&format!("{base}{}", layout::INBOX), &Place::Archive, &mut all)?;
            self.collect_records(&base, &mut all)?;
        }
        all.value.sort();
        all.findings.sort();
        Ok(all)
    }

    /// Reads one directory of mailboxes: a folder an agent.
    fn collect_mailboxes(&self, dir: &str, place: &Place, all: &mut WithDiagnostics<MailSnapshot>) -> Result<()> {
        for entry in self.journal.list_or_report(dir, &mut all.findings) {
            let path = format!("{dir}/{}", entry.name);
            match AgentName::new(&entry.name) {
                Ok(agent) if entry.is_dir() => match self.open_folder(&path) {
                    Ok(folder) => self.collect_folder(&agent, &folder, place, all)?,
                    Err(error) => all.findings.push(journal::unreadable(&path, &error)),
                },
                _ => all.findings.push(Diagnostic {
                    severity: Severity::Warning,
                    code: "foreign-file",
                    place: path,
                    message: "this is no agent's mailbox".into(),
                    hint: "move it away; it is left alone".into(),
                }),
            }
        }
        Ok(())
    }

    fn collect_folder(
        &self,
        agent: &AgentName,
        folder: &Folder,
        place: &Place,
        all: &mut WithDiagnostics<MailSnapshot>,
    ) -> Result<()> {
        let found = self.read_folder(agent, folder, place)?;
        all.value.deliveries.extend(found.value);
        all.findings.extend(found.findings);
        Ok(())
    }

    fn collect_dead_letters(&self, all: &mut WithDiagnostics<MailSnapshot>) -> Result<()> {
        let before = all.value.deliveries.len();
        let placeholder = Place::DeadLetters { reason: String::new(), at: crate::model::Timestamp::default() };
        self.collect_mailboxes(layout::DEAD_LETTERS, &placeholder, all)?;
        for delivery in &mut all.value.deliveries[before..] {
            delivery.place = self.dead_place(&delivery.recipient, &delivery.message.id);
        }
        Ok(())
    }

    /// Reads the bus's own records below a base: the bus itself, or one day of its archive.
    fn collect_records(&self, base: &str, all: &mut WithDiagnostics<MailSnapshot>) -> Result<()> {
        let records = self.read_records(&format!("{base}{}", layout::BROADCASTS), &mut all.findings)?;
        all.value.records.extend(records);
        let events = format!("{base}{}", layout::EVENTS);
        for kind in self.journal.list_or_report(&events, &mut all.findings).into_iter().filter(|entry| entry.is_dir()) {
            let records = self.read_records(&format!("{events}/{}", kind.name), &mut all.findings)?;
            all.value.records.extend(records);
        }
        self.collect_outbox(base, all);
        Ok(())
    }

    /// Reads the senders' log. A line that is another name of the recipient's copy says the same, and is not read again.
    fn collect_outbox(&self, base: &str, all: &mut WithDiagnostics<MailSnapshot>) {
        let outbox = format!("{base}{}", layout::OUTBOX);
        let files = self.journal.list_or_report(&outbox, &mut all.findings).into_iter();
        let names = files.filter(|entry| !entry.is_dir()).map(|entry| entry.name);
        let copies =
            BTreeMap::from_iter(all.value.deliveries.iter().map(|copy| ((&copy.message.id, &copy.recipient), copy)));
        let (mut sent, mut findings) = (Vec::new(), Vec::new());
        for name in names.filter(|name| name.ends_with(".json")) {
            let path = format!("{outbox}/{name}");
            let named = name.trim_end_matches(".json").rsplit_once("_to_");
            let named = named.and_then(|(id, to)| Some((MessageId::new(id).ok()?, AgentName::new(to).ok()?)));
            let copy = named.as_ref().and_then(|(id, to)| copies.get(&(id, to)));
            let is_same = |copy: &&&Delivery| {
                let inbox = layout::inbox_message(&copy.recipient, &copy.message.id);
                self.journal.is_same(&path, &format!("{base}{inbox}")) || self.journal.is_same(&path, &inbox)
            };
            let message = match copy.filter(is_same) {
                Some(copy) => Some(copy.message.clone()),
                None => self.read_record(&path, &mut findings),
            };
            let to = named.map(|(_, to)| to);
            sent.extend(message.zip(to));
        }
        all.value.sent.extend(sent);
        all.findings.extend(findings);
    }

    fn read_records(&self, dir: &str, findings: &mut Vec<Diagnostic>) -> Result<Vec<Message>> {
        let mut records = Vec::new();
        let files = self.journal.list_or_report(dir, findings).into_iter();
        for entry in files.filter(|entry| !entry.is_dir() && entry.name.ends_with(".json")) {
            records.extend(self.read_record(&format!("{dir}/{}", entry.name), findings));
        }
        Ok(records)
    }

    /// Reads one of the bus's own records; what cannot be read is a finding.
    pub(super) fn read_record(&self, path: &str, findings: &mut Vec<Diagnostic>) -> Option<Message> {
        let bytes = self.journal.read_or_report(path, findings)?;
        message::decode(&bytes).map_err(|fault| findings.push(damaged(path, &fault))).ok()
    }
}
