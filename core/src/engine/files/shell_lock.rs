//! The locks beside shared contexts, by which agents on shell snippets keep each other from writing.

use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::engine::journal::unreadable;
use crate::engine::{Error, Result};
use crate::host::WaitTimer;
use crate::model::{ContextLock, ContextName, Span, Timestamp, WithDiagnostics};
use crate::wire::mailbox::lock;

/// A shell snippet holds the protocol's lock for a moment; one that is older was left by an agent that died.
const LEFT_AFTER: Span = Span::from_seconds(60);

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Waits while a shell agent holds the lock of a shared context, for as long as any lock is waited for.
    pub(super) fn wait_for_shell(&self, name: &ContextName, waiting: &mut WaitTimer) -> Result<()> {
        let mut pause = Span::from_millis(10);
        while let Some(held) = self.shell_lock(name)?.filter(|held| !held.is_left) {
            let waited = waiting.so_far(&self.journal.host);
            if waited >= self.journal.locks.timeout() {
                let since = held.since.map(|at| format!(" since {}", at.floor())).unwrap_or_default();
                let holder = format!("{}{since}", held.holder);
                return Err(Error::Locked { what: format!("shared context {name}"), holder, waited }.into());
            }
            pause = self.journal.pause(pause);
        }
        Ok(())
    }

    /// Sets the protocol's lock, so that shell snippets wait; `false` while one of them holds it.
    pub(super) fn lock_for_shell(&self, name: &ContextName) -> Result<bool> {
        if self.shell_lock(name)?.is_some_and(|held| !held.is_left) {
            return Ok(false);
        }
        let held = lock::held(&self.journal.locks.owner(), self.journal.host.now());
        self.journal.put_scratch(&layout::context_lock(name), &held)?;
        Ok(true)
    }

    /// Reads the lock that a shell agent holds, dead or alive. Our own leases keep agents of ours apart: a lock that one of
    /// them set was left by a killed process. What cannot be read is no lock that a snippet set; it is replaced.
    fn shell_lock(&self, name: &ContextName) -> Result<Option<ContextLock>> {
        let path = layout::context_lock(name);
        let Some(holder) = lock::holder(&self.read_note(&path)).filter(|holder| !holder.is_huddle) else {
            return Ok(None);
        };
        let now = self.journal.host.now();
        // One that is yet to come is no time to count from.
        let said = holder.since.filter(|at| *at <= now.plus(LEFT_AFTER));
        let since = match said {
            Some(at) => Some(at),
            None => self.journal.modified(&path)?.map(from_nanos),
        };
        let is_left = since.is_none_or(|at| now.since(at) >= LEFT_AFTER);
        Ok(Some(ContextLock { context: name.clone(), holder: holder.agent, since, is_left }))
    }

    pub(super) fn list_context_locks(&self) -> WithDiagnostics<Vec<ContextLock>> {
        let mut locks = WithDiagnostics::clean(Vec::new());
        for entry in self.journal.list_or_report(layout::CONTEXTS, &mut locks.findings) {
            let stem = entry.name.strip_suffix(".md.lock").and_then(|stem| ContextName::new(stem).ok());
            let Some(name) = stem else { continue };
            match self.shell_lock(&name) {
                Ok(held) => locks.value.extend(held),
                Err(error) => locks.findings.push(unreadable(&layout::context_lock(&name), &error)),
            }
        }
        locks
    }

    pub(super) fn free_shell_lock(&self, name: &ContextName) -> Result<bool> {
        let is_held = self.shell_lock(name)?.is_some();
        if is_held {
            self.journal.put_scratch(&layout::context_lock(name), &lock::free())?;
        }
        Ok(is_held)
    }
}

fn from_nanos(nanos: u128) -> Timestamp {
    Timestamp::from_micros(i64::try_from(nanos / 1000).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::{Bus, NewAgent, Settings};
    use crate::engine::LockOwner;
    use crate::engine::files::FilesEngine;
    use crate::engine::fs::memory::MemoryFs;
    use crate::host::FixedHost;
    use crate::model::AgentName;
    use crate::model::ErrorKind;

    const LOCK: &str = "shared-context/api.md.lock";
    const NOW: i64 = 1_764_426_600;

    /// A host on which a shell agent frees its lock after so many seconds.
    struct FreeingHost<'a> {
        host: &'a FixedHost,
        fs: &'a MemoryFs,
        free_at: Timestamp,
    }

    impl Host for FreeingHost<'_> {
        fn now(&self) -> Timestamp {
            self.host.now()
        }
        fn random(&self) -> u128 {
            self.host.random()
        }
        fn sleep(&self, span: Span) {
            self.host.sleep(span);
            if self.host.now() >= self.free_at {
                plant(self.fs, &lock::free());
            }
        }
    }

    fn plant(fs: &MemoryFs, text: &str) {
        fs.remove(LOCK).unwrap();
        fs.write_new(LOCK, text.as_bytes()).unwrap();
    }

    /// Updates a context whose lock a shell agent frees after so many seconds.
    fn update(text: &str, free_after: i64, patience: i64) -> (Result<(), ErrorKind>, Span) {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:00Z"));
        let bus_host = FreeingHost { host: &host, fs: &fs, free_at: host.now().plus(Span::from_seconds(free_after)) };
        let patience = Span::from_seconds(patience);
        let engine = FilesEngine::new(&fs, &bus_host).with_lock_timeout(patience);
        let bus =
            Bus::new(&engine, &bus_host).with_settings(Settings { lock_timeout: patience, ..Settings::default() });
        bus.init().unwrap();
        let ann: AgentName = "ann".parse().unwrap();
        bus.register(&ann, &NewAgent::with_role("builder")).unwrap();
        let api: ContextName = "api".parse().unwrap();
        bus.create_context(&ann, &api, "# API").unwrap();
        fs.set_clock(u128::try_from(NOW).unwrap() * 1_000_000_000);
        plant(&fs, text);
        assert_eq!(bus.context_locks().unwrap().len(), 1, "{text}");
        let updated = bus.update_context(&ann, &api, "more", None).map(drop).map_err(|error| error.kind());
        let waited = host.now().since(Timestamp::from_seconds(NOW));
        assert_eq!(bus.context(&api).unwrap().version, if updated.is_ok() { 2 } else { 1 }, "{text}");
        (updated, waited)
    }

    #[test]
    fn a_shell_agents_lock_is_waited_for_as_long_as_any() {
        let held = r#"{"locked":true,"locked_by":"builder-2","locked_at":"2025-11-29T14:30:00Z"}"#;
        for (free_after, patience) in [(3, 30), (8, 30), (20, 30), (35, 60)] {
            let (updated, waited) = update(held, free_after, patience);
            assert_eq!(updated, Ok(()), "{free_after}");
            assert!((free_after..free_after + 2).contains(&waited.seconds()), "{free_after}: {waited}");
        }
        let (updated, waited) = update(held, 50, 30);
        assert_eq!((updated, waited.seconds()), (Err(ErrorKind::Conflict), 30));
        let (updated, waited) = update(held, 500, 70);
        assert_eq!((updated, waited.seconds()), (Ok(()), 60), "its holder is dead");
    }

    #[test]
    fn a_lock_without_a_usable_time_counts_from_its_files() {
        for at in ["null", "1764426600", "\"2025-11-29 14:30:00\"", "\"soon\"", "\"2099-01-01T00:00:00Z\""] {
            let (updated, waited) = update(&format!(r#"{{"locked":true,"locked_by":"b","locked_at":{at}}}"#), 8, 30);
            assert_eq!(updated, Ok(()), "{at}");
            assert!(waited.seconds() >= 8, "{at}: {waited}");
        }
    }

    #[test]
    fn a_directory_that_cannot_be_listed_is_a_finding() {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:00Z"));
        let engine = FilesEngine::new(&fs, &host);
        let bus = Bus::new(&engine, &host);
        bus.init().unwrap();
        fs.remove_dir(layout::CONTEXTS).unwrap();
        fs.write_new(layout::CONTEXTS, b"no directory").unwrap();
        assert_eq!(bus.context_locks().unwrap(), []);
        let found = bus.check().unwrap().findings;
        let about: Vec<&str> = found.iter().filter(|one| one.place == layout::CONTEXTS).map(|one| one.code).collect();
        assert_eq!(about, ["unreadable-file"], "{found:?}");
    }

    #[test]
    fn locks_are_listed_and_freed() {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:00Z"));
        let engine = FilesEngine::new(&fs, &host);
        let bus = Bus::new(&engine, &host);
        bus.init().unwrap();
        let api: ContextName = "api".parse().unwrap();
        assert_eq!(bus.context_locks().unwrap(), []);
        fs.set_clock(u128::try_from(NOW).unwrap() * 1_000_000_000);
        plant(&fs, r#"{"locked":true,"locked_by":"builder-2"}"#);
        let locks = bus.context_locks().unwrap();
        assert_eq!((locks[0].holder.as_str(), locks[0].is_left), ("builder-2", false));
        assert_eq!(bus.unlock_context(&api, false).unwrap_err().kind(), ErrorKind::Conflict);
        assert_eq!(bus.unlock_context(&api, true).unwrap().map(|lock| lock.holder), Some("builder-2".to_owned()));
        assert_eq!(bus.unlock_context(&api, true).unwrap(), None);
        plant(&fs, r#"{"locked":true,"locked_by":"builder-2"}"#);
        host.advance(Span::from_seconds(90));
        let found = bus.check().unwrap().findings;
        assert!(found.iter().any(|one| one.code == "left-lock" && one.message.contains("builder-2")), "{found:?}");
        assert!(bus.unlock_context(&api, false).unwrap().is_some(), "its holder is dead");
    }
}
