//! Leases without file locks.
//!
//! A lease's directory holds one file for each fencing number, made by an exclusive link, so that only one process can
//! have a number. The highest number is the current lease: free when its file says so, when its time is up, or when it
//! cannot be read (nobody lives who was interrupted while writing it). Taking over means making the next number.

use super::{Disk, LEASES, QUARANTINE, WORK};
use crate::Host;
use crate::engine::fs::{DirEntry, EntryKind, FileSystem};
use crate::engine::{Error, Lease, Result};
use crate::host::Waiting;
use crate::model::{Finding, Json, LeaseName, Severity, Span, Timestamp};
use crate::wire::mailbox::parse_object;

/// How long a process may take for what it does under a disk's own lease; it takes milliseconds.
pub(crate) const TTL: Span = Span::from_seconds(5);

/// No lease lasts longer. One that says so was taken by a clock that is wrong, or forged.
const MAX_TTL: Span = Span::from_seconds(120);
/// Fencing numbers stay below this. A file with a higher number was not written by us.
const MAX_FENCE: u64 = 100_000_000_000;
/// Numbers from here on were forged as well: no lease is taken that often.
const FORGED: u64 = MAX_FENCE / 2;

/// What the file of a lease says that was given back.
const RELEASED: &str = r#"{"released":true}"#;

const FIRST_PAUSE: Span = Span::from_millis(2);
const LONGEST_PAUSE: Span = Span::from_millis(40);

/// What the newest file of a lease says.
enum State {
    /// The holder, for those who have to wait.
    Held(String),
    /// Nobody holds the lease, and whoever did has finished.
    Released,
    /// The holder's time is up, or its file cannot be read: the holder may be dead or suspended.
    Lapsed,
}

impl<F: FileSystem, H: Host> Disk<F, H> {
    /// Takes a lease for a moment, waiting as long as this disk's patience.
    pub(crate) fn hold(&self, name: &LeaseName) -> Result<Lease> {
        self.wait_for_lease(name, &self.owner.borrow(), TTL, self.patience)
    }

    pub(crate) fn wait_for_lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        let mut waiting = Waiting::begin(&self.host);
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

    /// Waits a little, and gives how long to wait the next time: longer, and not in step with others.
    pub(crate) fn pause(&self, pause: Span) -> Span {
        self.host.sleep(pause);
        let jitter = (self.host.random() % 1000) as i64;
        LONGEST_PAUSE.min(Span::from_millis(pause.millis() + 1 + pause.millis() * jitter / 1000))
    }

    /// Takes the lease, or says who holds it.
    pub(crate) fn try_lease(&self, name: &LeaseName, owner: &str, ttl: Span) -> Result<Result<Lease, String>> {
        // What we gave back stays free, and mostly it is still the newest: then nobody has to look.
        if let Some(freed) = self.freed.take().filter(|freed| freed.name == *name)
            && let Ok(lease) = self.take_after(freed.fence, &State::Released, name, owner, ttl)?
        {
            return Ok(Ok(lease));
        }
        let newest = self.fences(name)?.pop().unwrap_or_default();
        match self.state(name, newest) {
            State::Held(holder) => Ok(Err(holder)),
            free => self.take_after(newest, &free, name, owner, ttl),
        }
    }

    /// Takes the number after one that is free, or says who was faster.
    fn take_after(
        &self,
        free: u64,
        state: &State,
        name: &LeaseName,
        owner: &str,
        ttl: Span,
    ) -> Result<Result<Lease, String>> {
        if free + 1 >= MAX_FENCE {
            self.forget_forged_numbers(name)?;
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
            let holder = self.holder(name, newest).unwrap_or_else(|| "another agent".to_owned());
            return Ok(Err(holder));
        }
        if matches!(state, State::Lapsed) {
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
    fn forget_forged_numbers(&self, name: &LeaseName) -> Result<()> {
        let forged = self.fences(name)?.into_iter().filter(|fence| *fence >= FORGED);
        forged.into_iter().try_for_each(|fence| self.remove(&lease_path(name, fence)))
    }

    /// Makes sure that a lease is still held, before a change that depends on it.
    pub(crate) fn still_held(&self, lease: &Lease) -> Result<()> {
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

    /// Makes sure that a former holder, which may only be suspended, commits nothing any more under its number.
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

    /// Gives back a lease that was held for a moment. That this fails does not undo what was done under it, and a lease that
    /// was not given back runs out by itself.
    pub(crate) fn let_go(&self, lease: &Lease) {
        if self.give_back(lease).is_ok() {
            self.freed.replace(Some(lease.clone()));
        }
    }

    pub(crate) fn give_back(&self, lease: &Lease) -> Result<()> {
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
    pub(super) fn foreign_leases(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for lease in self.list_or_report(LEASES, &mut findings) {
            let dir = format!("{LEASES}/{}", lease.name);
            let files = if lease.is_dir() { self.list_or_report(&dir, &mut findings) } else { Vec::new() };
            let is_lease = |file: &DirEntry| fence_of(file).is_some_and(|fence| fence < MAX_FENCE);
            let foreign = files.iter().filter(|file| file.kind != EntryKind::File || !is_lease(file));
            let places = foreign.map(|file| format!("{dir}/{}", file.name));
            let places: Vec<String> = if lease.is_dir() { places.collect() } else { vec![dir.clone()] };
            findings.extend(places.into_iter().map(|place| Finding {
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
    fn holder(&self, name: &LeaseName, fence: u64) -> Option<String> {
        match self.state(name, fence) {
            State::Held(holder) => Some(holder),
            State::Released | State::Lapsed => None,
        }
    }

    /// Reads the file of a number. One that cannot be read belongs to nobody who could be waited for.
    fn state(&self, name: &LeaseName, fence: u64) -> State {
        let Ok(bytes) = self.read_document(&lease_path(name, fence)) else { return State::Lapsed };
        let Some(bytes) = bytes else { return State::Released };
        let held = parse_object(&bytes).ok().and_then(|record| {
            if record.get("released") == Some(&Json::Bool(true)) {
                return Some(State::Released);
            }
            let expires = record.get("expires_at").and_then(Json::as_str).and_then(Timestamp::parse)?;
            let owner = record.get("owner").and_then(Json::as_str)?;
            let now = self.host.now();
            let is_held = now < expires && expires.since(now) <= MAX_TTL;
            is_held.then(|| State::Held(format!("{owner} until {}", expires.clock())))
        });
        held.unwrap_or(State::Lapsed)
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
    let (taken_at, expires_at) = (taken_at.to_string(), lease.expires_at.to_string());
    object!({"owner": lease.owner, "taken_at": taken_at, "expires_at": expires_at, "released": false}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fs::memory::MemoryFs;
    use crate::host::FixedHost;

    type TestDisk<'a> = Disk<&'a MemoryFs, &'a FixedHost>;

    /// Has two processes act on one tree.
    fn with_two(act: impl FnOnce(&MemoryFs, &TestDisk<'_>, &TestDisk<'_>)) {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
        let disk = || Disk::new(&fs, &host, "test", |_| true);
        act(&fs, &disk(), &disk());
    }

    fn try_it(disk: &TestDisk<'_>) -> Result<Lease, String> {
        disk.try_lease(&name(), "somebody", TTL).expect("the disk works")
    }

    fn hold_for_a_moment(disk: &TestDisk<'_>) -> u64 {
        let lease = try_it(disk).expect("it is free");
        disk.let_go(&lease);
        lease.fence
    }

    fn name() -> LeaseName {
        "work".parse().expect("a valid name")
    }

    #[test]
    fn who_gave_it_back_takes_the_next_number_whoever_had_it_meanwhile() {
        with_two(|_, one, two| {
            let fences = [one, one, two, two, two, one, two, one].map(hold_for_a_moment);
            assert!(fences.is_sorted_by(|a, b| a < b), "{fences:?}");
        });
    }

    #[test]
    fn who_gave_it_back_is_told_who_has_it() {
        with_two(|fs, one, two| {
            hold_for_a_moment(one);
            let held = try_it(two).expect("it is free");
            assert!(try_it(one).is_err_and(|holder| holder.contains("somebody")));
            two.still_held(&held).expect("nobody took it away");
            assert_eq!(fs.files(), [lease_path(&name(), held.fence)], "nothing is left of the try");
        });
    }

    #[test]
    fn numbers_that_begin_anew_are_not_passed_over() {
        with_two(|fs, one, two| {
            let last = (0..3).map(|_| hold_for_a_moment(one)).last().expect("three times");
            fs.remove(&lease_path(&name(), last)).expect("somebody made the whole bus anew");
            let held = try_it(two).expect("it is free");
            assert!(held.fence < last);
            assert!(try_it(one).is_err(), "the other has it, under a lower number");
        });
    }
}
