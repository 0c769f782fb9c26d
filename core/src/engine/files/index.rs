//! The index of an inbox: what senders and listings note of each message, so that the next listing reads only what it
//! shows, and an answer is found without reading what is no answer.
//!
//! The index is derived from the messages and never decides what is there: names do. A message without a line is read,
//! a line without a message is dropped, and whatever cannot be written here is done without. See ARCHITECTURE.md,
//! "What is found without reading".

use std::collections::BTreeSet;

use super::mail::Folder;
use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::engine::{Envelope, InboxPage, Result};
use crate::model::{AgentName, Delivery, Diagnostic, Message, MessageId, Place, Span, Timestamp, WithDiagnostics};
use crate::wire::mailbox::index::{self, IndexEntry};

/// How many lines an index may have that belong to no message, beside as many as there are messages.
const SPARE_LINES: usize = 256;
/// The modification time of a directory tells what is in it only when it is this old: within one tick of the file
/// system's clock, a directory changes more than once under one time.
const MTIME_RELIABLE_AFTER: Span = Span::from_seconds(2);

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Records what was just delivered in the indexes of its recipients.
    pub(super) fn index_envelopes(&self, envelopes: &[Envelope]) {
        for envelope in envelopes {
            let line = index::line(&envelope.message);
            for recipient in super::commit::distinct(&envelope.recipients) {
                // Done without: the message is read when it is listed.
                drop(self.journal.append(&layout::index(recipient), &line));
            }
        }
    }

    /// Reads the most urgent messages of an inbox.
    pub(super) fn read_page(
        &self,
        agent: &AgentName,
        unread_only: bool,
        limit: usize,
    ) -> Result<WithDiagnostics<InboxPage>> {
        let mut folder = self.open_folder(&layout::inbox(agent))?;
        let log = self.read_note(&layout::index(agent));
        self.trim_index(agent, &folder, &log);
        if unread_only {
            folder.retain_unread();
        }
        let mut findings = std::mem::take(&mut folder.findings);
        let mut ranked = self.rank(agent, &folder, &log, &mut findings);
        ranked.sort_by(|(a, first), (b, second)| (a.priority, a.sent_at, first).cmp(&(b.priority, b.sent_at, second)));
        let mut page = InboxPage { total: ranked.len(), shown: Vec::new() };
        let mut next = ranked.into_iter().map(|(_, id)| id);
        while page.shown.len() < limit {
            folder.ids = next.by_ref().take(limit - page.shown.len()).collect();
            if folder.ids.is_empty() {
                break;
            }
            let found = self.read_folder(agent, &folder, &Place::Inbox)?;
            // One that the index knew and that is gone by now, or damaged, is none of those that wait.
            page.total -= folder.ids.len() - found.value.len();
            page.shown.extend(found.value);
            findings.extend(found.findings);
        }
        page.shown.sort_by(|a, b| rank_of(a).cmp(&rank_of(b)));
        findings.sort();
        findings.dedup();
        Ok(WithDiagnostics { value: page, findings })
    }

    /// Returns what decides where each message of a folder stands in a listing, reading those that the index does not have.
    fn rank(
        &self,
        agent: &AgentName,
        folder: &Folder,
        log: &[u8],
        findings: &mut Vec<Diagnostic>,
    ) -> Vec<(IndexEntry, MessageId)> {
        let known = index::decode(log);
        let (mut ranked, mut fresh) = (Vec::with_capacity(folder.ids.len()), Vec::new());
        for id in &folder.ids {
            if let Some(summary) = known.get(id.as_str()) {
                ranked.push((*summary, id.clone()));
                continue;
            }
            let before = findings.len();
            let Some(message) = self.read_message(agent, folder, id, findings) else { continue };
            ranked.push((IndexEntry::of(&message), id.clone()));
            // What is odd about a message is to be told each time.
            if findings.len() == before {
                fresh.push(index::line(&message));
            }
        }
        drop(self.append_lines(&folder.index(agent), fresh.into_iter()));
        ranked
    }

    /// Drops the lines of messages that are gone, when they are many.
    fn trim_index(&self, agent: &AgentName, folder: &Folder, log: &[u8]) {
        let lines = log.iter().filter(|byte| **byte == b'\n').count();
        if lines <= folder.ids.len() * 2 + SPARE_LINES {
            return;
        }
        let there = BTreeSet::from_iter(folder.ids.iter().map(MessageId::as_str));
        let mut kept: Vec<&str> = index::select(log, |id| there.contains(id));
        kept.sort();
        kept.dedup();
        let text: String = kept.into_iter().flat_map(|line| [line, "\n"]).collect();
        // A line that another appends meanwhile is lost: that message is read once more.
        drop(self.journal.put_scratch(&layout::index(agent), &text));
    }

    /// Copies to the archive's indexes what is known of messages that are about to move there.
    pub(super) fn archive_index(&self, agent: &AgentName, moving: &[(String, MessageId)]) {
        let log = if moving.is_empty() { Vec::new() } else { self.read_note(&layout::index(agent)) };
        let dates = BTreeSet::from_iter(moving.iter().map(|(date, _)| date));
        for date in dates {
            let ids = BTreeSet::from_iter(moving.iter().filter(|(of, _)| of == date).map(|(_, id)| id.as_str()));
            let lines = index::select(&log, |id| ids.contains(id)).into_iter().map(|line| format!("{line}\n"));
            drop(self.append_lines(&layout::archived(date, &layout::index(agent)), lines));
        }
    }

    /// Drops the lines of messages that were put away.
    pub(super) fn trim_archived(&self, agent: &AgentName) -> Result<()> {
        let folder = self.open_folder(&layout::inbox(agent))?;
        self.trim_index(agent, &folder, &self.read_note(&layout::index(agent)));
        Ok(())
    }

    /// Finds the messages in one agent's mail below a base (the bus itself, or one day of its archive) that answer
    /// another.
    ///
    /// The directory is listed only if it was modified since the index was known to have all of it.
    pub(super) fn answers_below(
        &self,
        base: &str,
        agent: &AgentName,
        answered: &Message,
        findings: &mut Vec<Diagnostic>,
    ) -> Result<Vec<Message>> {
        let dir = format!("{base}{}", layout::inbox(agent));
        let Some(modified) = self.journal.modified(&dir)? else { return Ok(Vec::new()) };
        let mut folder = Folder::empty(&dir);
        let mut log = self.read_note(&folder.index(agent));
        let path = format!("{base}{}", layout::index_stamp(agent));
        if !is_whole(&self.read_note(&path), modified, log.len()) {
            folder = self.open_folder(&dir)?;
            let mut odd = Vec::new();
            self.rank(agent, &folder, &log, &mut odd);
            log = self.read_note(&folder.index(agent));
            if odd.is_empty() && self.is_mtime_reliable(modified) {
                drop(self.journal.put_scratch(&path, &stamp(modified, log.len())));
            }
            findings.extend(odd);
        }
        let mut answers = Vec::new();
        for id in index::answers(&log, &answered.id) {
            answers.extend(self.read_message(agent, &folder, &id, findings));
        }
        Ok(answers)
    }

    /// Returns whether whatever happened to a directory since it was looked at shows in its modification time.
    fn is_mtime_reliable(&self, modified: u128) -> bool {
        let micros = i64::try_from(modified / 1000).unwrap_or(i64::MAX);
        self.journal.host.now().since(Timestamp::from_micros(micros)) > MTIME_RELIABLE_AFTER
    }
}

/// Writes when a directory had been modified, and how long its index was, when the index had all of it.
fn stamp(modified: u128, length: usize) -> String {
    format!("{modified} {length}")
}

/// Returns whether nothing has come into a directory, and nothing was cut from its index, since that was stamped.
fn is_whole(noted: &[u8], modified: u128, length: usize) -> bool {
    let noted = std::str::from_utf8(noted).ok().and_then(|text| text.split_once(' '));
    noted.is_some_and(|(then, had)| then.parse() == Ok(modified) && had.parse::<usize>().is_ok_and(|had| had <= length))
}

/// Returns the place of a message in a listing.
fn rank_of(delivery: &Delivery) -> (crate::model::Priority, Timestamp, &MessageId) {
    (delivery.message.priority, delivery.message.sent_at, &delivery.message.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::{Bus, Draft, NewAgent, ReplyDraft};
    use crate::engine::Engine;
    use crate::engine::fs::memory::MemoryFs;
    use crate::host::FixedHost;

    fn name(text: &str) -> AgentName {
        text.parse().unwrap()
    }

    /// Has Ann write three messages to Bob, and returns the ids.
    fn with_mail(act: impl FnOnce(&MemoryFs, &FixedHost, &Bus<'_>, &[MessageId])) {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
        let engine = FilesEngine::new(&fs, &host);
        let bus = Bus::new(&engine, &host);
        bus.init().unwrap();
        for agent in ["ann", "bob"] {
            bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
        }
        let send = |subject: &str| {
            host.advance(Span::from_seconds(1));
            bus.send(&name("ann"), &Draft::to(&name("bob"), subject)).unwrap().id
        };
        let ids = ["one", "two", "three"].map(send);
        act(&fs, &host, &bus, &ids);
    }

    fn plant(fs: &MemoryFs, path: &str, text: &str) {
        fs.remove(path).unwrap();
        fs.write_new(path, text.as_bytes()).unwrap();
    }

    fn page(fs: &MemoryFs, host: &FixedHost, limit: usize) -> (usize, Vec<String>, Vec<Diagnostic>) {
        let WithDiagnostics { value, findings } =
            FilesEngine::new(fs, host).inbox_page(&name("bob"), true, limit).unwrap();
        (value.total, value.shown.iter().map(|one| one.message.subject.clone()).collect(), findings)
    }

    #[test]
    fn only_what_is_shown_is_read() {
        with_mail(|fs, host, _, ids| {
            let last = layout::inbox_message(&name("bob"), &ids[2]);
            plant(fs, &last, "damaged since");
            assert_eq!(page(fs, host, 2), (3, vec!["one".to_owned(), "two".to_owned()], vec![]));
            let (total, shown, findings) = page(fs, host, 3);
            assert_eq!((total, shown.len(), findings[0].code), (2, 2, "damaged-message"));
        });
    }

    #[test]
    fn an_index_that_is_gone_or_forged_changes_nothing_that_is_shown() {
        with_mail(|fs, host, _, ids| {
            let index = layout::index(&name("bob"));
            let three = ["one", "two", "three"].map(str::to_owned).to_vec();
            fs.remove(&index).unwrap();
            assert_eq!(page(fs, host, 3), (3, three.clone(), vec![]));
            for forged in ["c\t\tnobody-has-this\n".to_owned(), format!("c\t\t{}\n", ids[2]), "\u{0}x\n".repeat(9)] {
                plant(fs, &index, &forged);
                assert_eq!(page(fs, host, 3), (3, three.clone(), vec![]), "{forged:?}");
            }
            plant(fs, &index, &"n\t\tmsg_20251129_143052_0gone00001\n".repeat(1000));
            assert_eq!(page(fs, host, 1), (3, three[..1].to_vec(), vec![]));
            assert!(fs.read(&index, 1 << 20).unwrap().unwrap().len() < 1000, "lines of what is gone are dropped");
        });
    }

    #[test]
    fn an_answer_is_found_however_it_came() {
        with_mail(|fs, host, bus, ids| {
            let answered = |id: &MessageId| {
                host.advance(Span::from_seconds(10));
                bus.trace(id).unwrap().value.deliveries[0].answered_at.is_some()
            };
            assert!(!answered(&ids[0]) && !answered(&ids[1]));
            assert!(fs.exists(&layout::index_stamp(&name("ann"))).unwrap(), "the index was found whole");
            // A shell agent answers, and notes nothing.
            let text = format!(
                r#"{{"message_id":"resp_1","timestamp":"2025-11-29T15:00:00Z","from_agent":"bob","to_agent":"ann","in_reply_to":"{}"}}"#,
                ids[0]
            );
            plant(fs, "inbox/ann/resp_1.json", &text);
            assert!(answered(&ids[0]) && !answered(&ids[1]));
            bus.reply(&name("bob"), &ids[1], &ReplyDraft::default()).unwrap();
            assert!(answered(&ids[0]) && answered(&ids[1]) && !answered(&ids[2]));
            fs.remove(&layout::index(&name("ann"))).unwrap();
            assert!(answered(&ids[0]) && answered(&ids[1]), "an index that is gone is made anew");
            host.advance(Span::from_hours(100));
            bus.archive(None, true).unwrap();
            assert!(answered(&ids[0]) && answered(&ids[1]) && !answered(&ids[2]));
        });
    }
}
