//! Send keys: which message was sent under a key, and whether it is really there.
//!
//! The entry of a keyed change is kept under its key. Anybody can write such a file, so one whose message nobody has, or
//! that cannot be read, counts for nothing: the change is made under the next name of the key. Nothing is removed for that;
//! senders that try at once agree on the name, and one of them gets it.

use super::registry_update::RegistryDelta;
use super::{FilesEngine, layout};
use crate::Host;
use crate::bus::ids;
use crate::engine::fs::FileSystem;
use crate::engine::journal::{self, JournalEntry, LoadedEntry, RedoOp};
use crate::engine::{Error, Result, SendKey};
use crate::model::{AgentName, Diagnostic, MessageId, Severity};
use crate::wire::mailbox::message;

/// How many names a key has.
const NAMES: usize = 3;

/// What is known of a key.
pub(super) enum KeyState {
    /// Nothing was sent under it; this is where the next change that has it is kept.
    Free(String),
    /// This change was made under it, and its message is there.
    Used(JournalEntry),
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Finds the change that was made under a key, and completes it when it was interrupted.
    pub(super) fn find_key(&self, by: &AgentName, key: &SendKey) -> Result<KeyState> {
        let mut free = None;
        for number in 0..NAMES {
            let path = key_path(by, key, number);
            match self.journal.load_entry(&path) {
                LoadedEntry::Absent => free = free.or(Some(path)),
                LoadedEntry::Valid(first) if self.is_completed(&first)? => return Ok(KeyState::Used(first)),
                // Whoever saw this one first has gone on under a later name.
                LoadedEntry::Valid(_) | LoadedEntry::Invalid(_) => free = None,
                LoadedEntry::Unreadable(error) => return Err(error),
            }
        }
        free.map(KeyState::Free).ok_or_else(|| {
            let fault = format!("nobody has a message that was sent under key {:?}", key.key);
            Error::Damaged { path: key_path(by, key, 0), fault }.into()
        })
    }

    fn is_completed(&self, first: &JournalEntry) -> Result<bool> {
        if self.journal.is_pending(first)? {
            // The first try was interrupted, or somebody's inbox could not be written.
            self.execute_committed(first)?;
            return Ok(true);
        }
        self.is_delivered(first)
    }

    /// Returns whether a change is carried out, or will be by whoever comes next.
    fn is_sent(&self, first: &JournalEntry) -> Result<bool> {
        Ok(self.journal.is_pending(first)? || self.is_delivered(first)?)
    }

    /// Returns whether the message of a change is anywhere: in an inbox, in a record, put away or given up on.
    fn is_delivered(&self, entry: &JournalEntry) -> Result<bool> {
        let delta = RegistryDelta::from_entry(entry);
        let Some((by, Ok(id))) = delta.and_then(|delta| Some((delta.by, MessageId::new(delta.message?)))) else {
            return Ok(false);
        };
        let paths: Vec<&str> = entry.steps.iter().filter_map(message_path).collect();
        let is_there = |path: &str| self.journal.exists(path).map(|there| there && self.is_from(path, &by));
        for path in &paths {
            let buried = path.strip_prefix(layout::INBOX).map(|rest| format!("{}{rest}", layout::DEAD_LETTERS));
            if is_there(path)? || buried.map_or(Ok(false), |buried| is_there(&buried))? {
                return Ok(true);
            }
        }
        for date in self.archive_dates(&id)? {
            for path in &paths {
                if is_there(&layout::archived(&date, path))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn is_from(&self, path: &str, by: &str) -> bool {
        message::decode(&self.read_note(path)).is_ok_and(|message| message.from.as_str() == by)
    }

    /// Finds keys that say that something was sent, and nobody has it.
    pub(super) fn check_keys(&self) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for file in self.journal.list_or_report(journal::KEYS, &mut findings) {
            let place = format!("{}/{}", journal::KEYS, file.name);
            let (code, message) = match self.journal.load_entry(&place) {
                LoadedEntry::Absent => continue,
                LoadedEntry::Invalid(fault) => ("damaged-key", format!("a send key cannot be read: {fault}")),
                LoadedEntry::Unreadable(error) => ("damaged-key", format!("a send key cannot be read: {error}")),
                // Where it cannot be looked for, something else is wrong, and reported.
                LoadedEntry::Valid(entry) if self.is_sent(&entry).unwrap_or(true) => continue,
                LoadedEntry::Valid(_) => {
                    ("key-without-message", "nobody has the message that was sent under it".to_owned())
                }
            };
            let hint =
                "it is not believed: send again under the same key; find out where the file came from, and remove it";
            findings.push(Diagnostic { severity: Severity::Error, code, place, message, hint: hint.to_owned() });
        }
        findings
    }
}

/// Returns one of the paths under which the change of a key may be kept.
fn key_path(by: &AgentName, key: &SendKey, number: usize) -> String {
    let number = number.to_string();
    let words = [by.as_str(), &key.key, &number];
    // The first name has no number: it is the only one that is ever needed unless files are forged or damaged.
    let name = ids::fingerprint(if number == "0" { &words[..2] } else { &words });
    format!("{}/{name}.json", journal::KEYS)
}

/// Returns the path at which a step makes a message visible.
fn message_path(step: &RedoOp) -> Option<&str> {
    match step {
        RedoOp::Link { to, .. } if to.ends_with(".json") => Some(to),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::bus::{Bus, Draft, ErrorKind, InboxFilter, NewAgent};
    use crate::engine::fs::memory::MemoryFs;
    use crate::engine::fs::parent;
    use crate::host::FixedHost;
    use crate::model::Span;

    const TX: &str = "019ad00000007000800000000000000a";
    const FORGED: &str = "msg_20251129_143052_forged";

    /// Something that happens to a message, which is given by its id.
    type Move = fn(&Sender, &str);

    struct Sender {
        fs: MemoryFs,
        host: FixedHost,
    }

    fn name(text: &str) -> AgentName {
        text.parse().unwrap()
    }

    /// The message that is sent under a key.
    fn draft() -> Draft {
        Draft { key: Some("k".to_owned()), ..Draft::to(&name("bob"), "Port") }
    }

    fn path(number: usize) -> String {
        key_path(&name("ann"), &SendKey { key: "k".to_owned(), fingerprint: String::new() }, number)
    }

    impl Sender {
        fn new() -> Self {
            let sender = Self { fs: MemoryFs::new(), host: FixedHost::at("2025-11-29T14:30:52Z") };
            sender.bus(|bus| {
                bus.init().unwrap();
                for agent in ["ann", "bob"] {
                    bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
                }
            });
            sender
        }

        fn bus<T>(&self, work: impl FnOnce(&Bus<'_>) -> T) -> T {
            self.host.advance(Span::from_seconds(1));
            work(&Bus::new(&FilesEngine::new(&self.fs, &self.host), &self.host))
        }

        fn send(&self) -> (bool, String) {
            self.bus(|bus| bus.send(&name("ann"), &draft()).map(|sent| (sent.duplicate, sent.id.to_string())).unwrap())
        }

        fn plant(&self, path: &str, content: &str) {
            self.fs.create_dir(parent(path)).unwrap();
            self.fs.remove(path).unwrap();
            self.fs.write_new(path, content.as_bytes()).unwrap();
        }

        fn codes(&self) -> Vec<&'static str> {
            self.bus(|bus| bus.check().unwrap().findings.iter().map(|finding| finding.code).collect())
        }

        /// Sends under the key twice, and makes sure that one message comes of it.
        fn check_sends_once(&self, what: &str) {
            let (duplicate, id) = self.send();
            assert!(!duplicate, "{what}");
            assert_eq!(self.send(), (true, id.clone()), "{what}");
            let inbox = self.bus(|bus| bus.inbox(&name("bob"), &InboxFilter::default()).unwrap());
            let ids: Vec<&str> = inbox.shown.iter().map(|one| one.message.id.as_str()).collect();
            assert_eq!(ids, [id], "{what}");
        }
    }

    /// Writes an entry as if a message had been sent under the key.
    fn forged(number: usize, to: &str) -> String {
        let fingerprint = draft().send_key().unwrap().fingerprint;
        let from = format!("{}/{TX}.0", journal::WORK);
        let note: Value =
            json!({"by": "ann", "at": "2025-11-29T14:30:00Z", "message": FORGED, "messages": 1, "direct": {"bob": 1}});
        let key = json!([path(number), fingerprint]);
        json!({"tx": TX, "contents": 1, "steps": [["link", from, to]], "key": key, "note": note}).to_string()
    }

    #[test]
    fn a_key_without_a_message_is_reported_and_does_not_keep_one_from_being_sent() {
        let sender = Sender::new();
        sender.plant(&path(0), &forged(0, &format!("inbox/bob/{FORGED}.json")));
        assert_eq!(sender.codes(), ["key-without-message"]);
        sender.check_sends_once("a forged key");
        assert_eq!(sender.codes(), ["key-without-message"]);
        // Who removes the forged file, as the finding says, still does not send twice.
        sender.fs.remove(&path(0)).unwrap();
        assert_eq!((sender.send().0, sender.codes()), (true, Vec::new()));
    }

    #[test]
    fn a_key_that_names_a_message_of_another_is_worth_nothing() {
        let sender = Sender::new();
        let other = sender.bus(|bus| bus.send(&name("bob"), &Draft::to(&name("bob"), "Other")).unwrap().id);
        sender.plant(&path(0), &forged(0, &format!("inbox/bob/{other}.json")));
        assert!(!sender.send().0);
        assert!(sender.send().0);
    }

    #[test]
    fn a_key_that_cannot_be_read_does_not_make_a_message_go_out_twice() {
        for content in ["", "{}", "[", &"x".repeat(100_000)] {
            let sender = Sender::new();
            sender.plant(&path(0), content);
            assert_eq!(sender.codes(), ["damaged-key"]);
            sender.check_sends_once(content);
        }
        let sender = Sender::new();
        sender.fs.create_dir(&path(0)).unwrap();
        sender.check_sends_once("a directory");
    }

    #[test]
    fn a_key_of_which_every_name_is_forged_is_an_error() {
        let sender = Sender::new();
        (0..NAMES).for_each(|number| sender.plant(&path(number), "{}"));
        let error = sender.bus(|bus| bus.send(&name("ann"), &draft()).unwrap_err());
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains("nobody has a message that was sent under key \"k\""), "{error}");
    }

    #[test]
    fn a_key_counts_wherever_its_message_went() {
        let moves: [(&str, Move); 4] = [
            ("read", |sender, id| {
                sender.bus(|bus| bus.read(&name("bob"), &id.parse().unwrap()).map(drop).unwrap());
            }),
            ("put away by another agent", |sender, id| {
                let from = format!("inbox/bob/{id}.json");
                sender.fs.create_dir("archive/2025-11-29/inbox/bob").unwrap();
                sender.fs.rename(&from, &format!("archive/2025-11-29/{from}")).unwrap();
                sender.fs.remove(&format!("outbox/{id}_to_bob.json")).unwrap();
            }),
            ("given up on", |sender, id| {
                sender.fs.create_dir("dead-letters/bob").unwrap();
                sender.fs.rename(&format!("inbox/bob/{id}.json"), &format!("dead-letters/bob/{id}.json")).unwrap();
                sender.fs.remove(&format!("outbox/{id}_to_bob.json")).unwrap();
            }),
            ("removed by its reader", |sender, id| sender.fs.remove(&format!("inbox/bob/{id}.json")).unwrap()),
        ];
        for (what, change) in moves {
            let sender = Sender::new();
            let (_, id) = sender.send();
            change(&sender, &id);
            assert_eq!(sender.send(), (true, id), "{what}");
            assert!(!sender.codes().contains(&"key-without-message"), "{what}");
        }
    }
}
