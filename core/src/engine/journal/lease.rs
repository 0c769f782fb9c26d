//! Leases without file locks.
//!
//! A lease's directory holds one file for each fencing number, made by an exclusive link, so that only one process can
//! have a number. The highest number is the current lease: free when its file says so, when its time is up, or when it
//! cannot be read (nobody lives who was interrupted while writing it). Taking over means making the next number.

use serde::{Deserialize, Serialize};

use super::{Journal, LEASES, QUARANTINE, WORK};
use crate::Host;
use crate::engine::fs::{DirEntry, EntryKind, FileSystem};
use crate::engine::{Error, Lease, Result};
use crate::host::WaitTimer;
use crate::model::{Diagnostic, LeaseName, Severity, Span, Timestamp};

/// The lifetime of the journal's own leases. They are held for milliseconds.
pub(crate) const TTL: Span = Span::from_seconds(5);

/// How far apart clocks may be. A lease of a name is always taken for the same time, so one that outlasts that time by more
/// was taken by a clock that is wrong, or forged.
const MAX_SKEW: Span = Span::from_seconds(5);
/// Fencing numbers stay below this. A file with a higher number was not written by us.
const MAX_FENCE: u64 = 100_000_000_000;
/// Numbers from here on were forged as well: no lease is taken that often.
const FORGED: u64 = MAX_FENCE / 2;

/// The content of a released lease file.
const RELEASED: &str = r#"{"released":true}"#;

const FIRST_PAUSE: Span = Span::from_millis(2);
const LONGEST_PAUSE: Span = Span::from_millis(40);

/// The file of a lease. One that was given back says only [`RELEASED`].
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Record {
    owner: Option<String>,
    /// For people who look.
    #[serde(skip_deserializing)]
    taken_at: String,
    expires_at: Option<String>,
    released: bool,
}

/// What the newest file of a lease says.
enum LeaseState {
    /// The holder, for those who have to wait.
    Held(String),
    /// Nobody holds the lease, and whoever did has finished.
    Released,
    /// The holder's time is up, or its file cannot be read: the holder may be dead or suspended.
    Expired,
}

impl<F: FileSystem, H: Host> Journal<F, H> {
    /// Acquires a lease, waiting for at most the lock timeout.
    pub(crate) fn acquire(&self, name: &LeaseName) -> Result<Lease> {
        self.wait_for_lease(name, &self.locks.owner(), TTL, self.locks.timeout())
    }

    pub(crate) fn wait_for_lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        let mut waiting = WaitTimer::begin(&self.host);
        let mut pause = FIRST_PAUSE;
        loop {
            let holder = match self.try_lease(name, owner, ttl)? {
                Ok(lease) => return Ok(lease),
                Err(holder) => holder,
            };
            let waited = waiting.so_far(&self.host);
            if waited >= wait {
                return Err(Error::Locked { what: name.to_string(), holder, waited }.into());
            }
            pause = self.pause(pause);
        }
    }

    /// Sleeps, and returns the next pause: longer, with jitter.
    pub(crate) fn pause(&self, pause: Span) -> Span {
        self.host.sleep(pause);
        let jitter = (self.host.random() % 1000) as i64;
        LONGEST_PAUSE.min(Span::from_millis(pause.millis() + 1 + pause.millis() * jitter / 1000))
    }

    /// Acquires the lease, or returns its holder.
    pub(crate) fn try_lease(&self, name: &LeaseName, owner: &str, ttl: Span) -> Result<Result<Lease, String>> {
        // What we gave back stays free, and mostly it is still the newest: then nobody has to look.
        if let Some(last_released) = self.last_released.take().filter(|last_released| last_released.name == *name)
            && let Ok(lease) = self.acquire_after(last_released.fence, &LeaseState::Released, name, owner, ttl)?
        {
            return Ok(Ok(lease));
        }
        let newest = self.fences(name)?.pop().unwrap_or_default();
        match self.state(name, newest, ttl) {
            LeaseState::Held(holder) => Ok(Err(holder)),
            free => self.acquire_after(newest, &free, name, owner, ttl),
        }
    }

    /// Acquires the number after a free one, or returns the holder that was faster.
    fn acquire_after(
        &self,
        free: u64,
        state: &LeaseState,
        name: &LeaseName,
        owner: &str,
        ttl: Span,
    ) -> Result<Result<Lease, String>> {
        if free + 1 >= MAX_FENCE {
            self.remove_forged_fences(name)?;
            return Ok(Err("a forged lease".to_owned()));
        }
        let now = self.host.now();
        let lease = Lease { name: name.clone(), owner: owner.into(), fence: free + 1, expires_at: now.plus(ttl) };
        let scratch = self.scratch_path("lease");
        self.write_scratch(&scratch, record(&lease, now).as_bytes())?;
        let won = self.link(&scratch, &lease_path(name, lease.fence))?;
        self.remove(&scratch)?;
        // The number may have been used, given back and swept away between looking and linking: then a higher one is there,
        // and the one that was free is gone.
        let mut older = self.fences(name)?;
        let newest = older.pop().unwrap_or_default();
        if !won || newest != lease.fence || older.last().copied().unwrap_or_default() != free {
            if won {
                self.remove(&lease_path(name, lease.fence))?;
            }
            let holder = self.holder(name, newest, ttl).unwrap_or_else(|| "another agent".to_owned());
            return Ok(Err(holder));
        }
        if matches!(state, LeaseState::Expired) {
            self.fence_off(&lease)?;
        }
        // From the oldest on: whoever still has its number when the next is gone was not passed over.
        for old in older {
            // What is no file stays: it has a number that nobody uses again.
            drop(self.remove(&lease_path(name, old)));
        }
        Ok(Ok(lease))
    }

    /// Removes numbers that no lease ever reaches. Who holds one of them is fenced off.
    fn remove_forged_fences(&self, name: &LeaseName) -> Result<()> {
        let forged = self.fences(name)?.into_iter().filter(|fence| *fence >= FORGED);
        forged.into_iter().try_for_each(|fence| self.remove(&lease_path(name, fence)))
    }

    /// Fails with [`Error::Fenced`] unless the lease is still held.
    pub(crate) fn ensure_held(&self, lease: &Lease) -> Result<()> {
        // Looking at two names is cheaper than listing all. One who takes over makes the next number, and removes ours
        // before anybody removes that one.
        let exists = |fence: u64| self.exists(&lease_path(&lease.name, fence));
        if !exists(lease.fence + 1)? && exists(lease.fence)? && self.host.now() < lease.expires_at {
            return Ok(());
        }
        let newest = self.fences(&lease.name)?.pop().unwrap_or_default();
        let is_ours = newest == lease.fence && self.host.now() < lease.expires_at;
        if is_ours { Ok(()) } else { Err(fenced(&lease.name)) }
    }

    /// Ensures that a former holder, which may only be suspended, commits nothing any more under its number.
    ///
    /// A holder writes its change to a file that names the lease, looks whether it still holds the lease, and then
    /// renames the file. If it looked before we took over, the file was there before we looked here: either the rename
    /// came first, and we read what it committed, or the rename finds no file and fails.
    fn fence_off(&self, lease: &Lease) -> Result<()> {
        let prefix = part_prefix(&lease.name);
        for file in self.list(WORK)?.into_iter().filter(|file| file.name.ends_with(PART)) {
            let numbers = file.name.trim_end_matches(PART).split('.').filter_map(|word| word.strip_prefix(&prefix));
            // What is a directory was not written by a holder, and cannot be renamed to an entry.
            let is_older = numbers.filter_map(|number| number.parse::<u64>().ok()).any(|number| number < lease.fence);
            if is_older && !file.is_dir() {
                self.remove(&format!("{WORK}/{}", file.name))?;
            }
        }
        Ok(())
    }

    /// Releases a lease and ignores failures: a lease that was not released expires by itself.
    pub(crate) fn release_quietly(&self, lease: &Lease) {
        if self.release(lease).is_ok() {
            self.last_released.replace(Some(lease.clone()));
        }
    }

    pub(crate) fn release(&self, lease: &Lease) -> Result<()> {
        // The file is ours even if we were passed over: the next holder has one of its own, and sweeps older ones away.
        self.put_scratch(&lease_path(&lease.name, lease.fence), RELEASED)
    }

    /// Lists the numbers of a lease that are there; the last is the current one.
    ///
    /// Only names that a holder can have written count: nothing else is found, read or removed under its number. A
    /// directory in place of a number that no lease reaches cannot be removed, and does not count either.
    fn fences(&self, name: &LeaseName) -> Result<Vec<u64>> {
        let is_possible = |fence: &u64, entry: &DirEntry| *fence < if entry.is_dir() { FORGED } else { MAX_FENCE };
        let entries = self.list_lease(name)?;
        let numbers = entries.iter().filter_map(|entry| fence_of(entry).filter(|fence| is_possible(fence, entry)));
        let mut numbers: Vec<u64> = numbers.collect();
        numbers.sort();
        Ok(numbers)
    }

    /// Finds what no process of ours wrote among the leases. It holds nobody up.
    pub(super) fn foreign_leases(&self) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for lease in self.list_or_report(LEASES, &mut findings) {
            let dir = format!("{LEASES}/{}", lease.name);
            let files = if lease.is_dir() { self.list_or_report(&dir, &mut findings) } else { Vec::new() };
            let is_lease = |file: &DirEntry| fence_of(file).is_some_and(|fence| fence < MAX_FENCE);
            let foreign = files.iter().filter(|file| file.kind != EntryKind::File || !is_lease(file));
            let places = foreign.map(|file| format!("{dir}/{}", file.name));
            let places: Vec<String> = if lease.is_dir() { places.collect() } else { vec![dir.clone()] };
            findings.extend(places.into_iter().map(|place| Diagnostic {
                severity: Severity::Warning,
                code: "foreign-lease",
                place,
                message: "no process of Huddle's made this; it holds nobody up".into(),
                hint: "move it away: huddle check --mend".into(),
            }));
        }
        findings
    }

    /// Lists the files of a lease. What stands in place of its directory is moved away first.
    fn list_lease(&self, name: &LeaseName) -> Result<Vec<DirEntry>> {
        let dir = format!("{LEASES}/{name}");
        self.list(&dir).or_else(|error| {
            let is_obstacle = |entry: &DirEntry| entry.name == name.as_str() && !entry.is_dir();
            if !self.list(LEASES)?.iter().any(is_obstacle) {
                return Err(error);
            }
            self.rename(&dir, &format!("{QUARANTINE}/lease-{name}"))?;
            self.list(&dir)
        })
    }

    /// Returns who holds a number, unless it is free.
    fn holder(&self, name: &LeaseName, fence: u64, ttl: Span) -> Option<String> {
        match self.state(name, fence, ttl) {
            LeaseState::Held(holder) => Some(holder),
            LeaseState::Released | LeaseState::Expired => None,
        }
    }

    /// Reads the file of a number, as one who would hold it for `ttl`. One that cannot be read belongs to nobody who could be
    /// waited for.
    fn state(&self, name: &LeaseName, fence: u64, ttl: Span) -> LeaseState {
        let Ok(bytes) = self.read_document(&lease_path(name, fence)) else { return LeaseState::Expired };
        let Some(bytes) = bytes else { return LeaseState::Released };
        let held = serde_json::from_slice(&bytes).ok().and_then(|record: Record| {
            if record.released {
                return Some(LeaseState::Released);
            }
            let (owner, expires) = (record.owner?, Timestamp::parse(&record.expires_at?)?);
            let now = self.host.now();
            let is_held = now < expires && expires <= now.plus(ttl).plus(MAX_SKEW);
            is_held.then(|| LeaseState::Held(format!("{owner} until {}", expires.clock())))
        });
        held.unwrap_or(LeaseState::Expired)
    }
}

/// The ending of what is written under a lease and not yet committed.
pub(super) const PART: &str = ".part";

/// Returns the part of a file name that says under which leases the file was written.
pub(super) fn part_words(leases: &[Lease]) -> String {
    leases.iter().map(|lease| format!(".{}{}", part_prefix(&lease.name), lease.fence)).collect()
}

fn part_prefix(name: &LeaseName) -> String {
    format!("{}-", crate::bus::ids::fingerprint(&[name.as_str()]))
}

fn fenced(name: &LeaseName) -> Box<Error> {
    Error::Fenced { what: name.to_string() }.into()
}

fn lease_path(name: &LeaseName, fence: u64) -> String {
    format!("{LEASES}/{name}/{}", file_name(fence))
}

/// Returns the number of a lease's file; nothing for a name that no holder writes.
fn fence_of(file: &DirEntry) -> Option<u64> {
    file.name.parse().ok().filter(|fence| file_name(*fence) == file.name)
}

fn file_name(fence: u64) -> String {
    format!("{fence:012}")
}

fn record(lease: &Lease, taken_at: Timestamp) -> String {
    let record = Record {
        owner: Some(lease.owner.clone()),
        taken_at: taken_at.to_string(),
        expires_at: Some(lease.expires_at.to_string()),
        released: false,
    };
    serde_json::to_string(&record).expect("a record has only texts for keys")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fs::memory::MemoryFs;
    use crate::host::FixedHost;

    type TestJournal<'a> = Journal<&'a MemoryFs, &'a FixedHost>;

    /// Has two processes act on one tree.
    fn with_two(act: impl FnOnce(&MemoryFs, &TestJournal<'_>, &TestJournal<'_>)) {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
        let journal = || Journal::new(&fs, &host, "test", |_| true);
        act(&fs, &journal(), &journal());
    }

    fn try_it(journal: &TestJournal<'_>) -> Result<Lease, String> {
        journal.try_lease(&name(), "somebody", TTL).expect("the file system works")
    }

    fn acquire_and_release(journal: &TestJournal<'_>) -> u64 {
        let lease = try_it(journal).expect("it is free");
        journal.release_quietly(&lease);
        lease.fence
    }

    fn name() -> LeaseName {
        "work".parse().expect("a valid name")
    }

    #[test]
    fn a_lease_is_written_to_the_byte_as_other_versions_do() {
        with_two(|fs, one, _| {
            let lease = try_it(one).expect("it is free");
            let path = lease_path(&name(), lease.fence);
            let text = || String::from_utf8(fs.read(&path, 1000).expect("it can be read").expect("it is there"));
            let held = r#"{"owner":"somebody","taken_at":"2025-11-29T14:30:52Z","expires_at":"2025-11-29T14:30:57Z","released":false}"#;
            assert_eq!(text().as_deref(), Ok(held));
            one.release_quietly(&lease);
            assert_eq!(text().as_deref(), Ok(RELEASED));
        });
    }

    #[test]
    fn only_what_a_holder_writes_holds_a_lease() {
        with_two(|fs, one, _| {
            let path = lease_path(&name(), 7);
            fs.create_dir(&format!("{LEASES}/{}", name())).expect("it can be made");
            let check = |text: &str, held: bool, released: bool| {
                fs.remove(&path).expect("it can be removed");
                fs.write_new(&path, text.as_bytes()).expect("it can be written");
                let state = one.state(&name(), 7, TTL);
                assert_eq!(matches!(state, LeaseState::Held(_)), held, "{text}");
                assert_eq!(matches!(state, LeaseState::Released), released, "{text}");
            };
            let held = r#"{"owner":"ann","taken_at":7,"expires_at":"2025-11-29T14:30:57Z","released":false,"more":1}"#;
            check(held, true, false);
            check(&held.replace(r#","released":false"#, ""), true, false);
            check(RELEASED, false, true);
            for bad in [
                "",
                "[]",
                "{}",
                &held[..held.len() - 1],
                &held.replace("\"ann\"", "7"),
                &held.replace("\"ann\"", "null"),
                &held.replace("57Z", "52Z"),
                &held.replace("2025-11-29T14:30:57Z", "soon"),
                &held.replace("14:30:57Z", "15:30:57Z"),
            ] {
                check(bad, false, false);
            }
        });
    }

    #[test]
    fn who_gave_it_back_takes_the_next_number_whoever_had_it_meanwhile() {
        with_two(|_, one, two| {
            let fences = [one, one, two, two, two, one, two, one].map(acquire_and_release);
            assert!(fences.is_sorted_by(|a, b| a < b), "{fences:?}");
        });
    }

    #[test]
    fn who_gave_it_back_is_told_who_has_it() {
        with_two(|fs, one, two| {
            acquire_and_release(one);
            let held = try_it(two).expect("it is free");
            assert!(try_it(one).is_err_and(|holder| holder.contains("somebody")));
            two.ensure_held(&held).expect("nobody took it away");
            assert_eq!(fs.files(), [lease_path(&name(), held.fence)], "nothing is left of the try");
        });
    }

    #[test]
    fn a_lease_that_nobody_takes_for_so_long_is_not_waited_for() {
        let expiries = [(TTL, false), (Span::from_seconds(9), false), (Span::from_seconds(11), true)];
        for (left, is_free) in expiries {
            with_two(|_, one, two| {
                let held = one.try_lease(&name(), "mallory", left).expect("the disk works").expect("it is free");
                assert_eq!(try_it(two).is_ok(), is_free, "{left}");
                assert_eq!(one.ensure_held(&held).is_err(), is_free, "{left}");
            });
        }
    }

    #[test]
    fn numbers_that_begin_anew_are_not_passed_over() {
        with_two(|fs, one, two| {
            let last = (0..3).map(|_| acquire_and_release(one)).last().expect("three times");
            fs.remove(&lease_path(&name(), last)).expect("somebody made the whole bus anew");
            let held = try_it(two).expect("it is free");
            assert!(held.fence < last);
            assert!(try_it(one).is_err(), "the other has it, under a lower number");
        });
    }
}
