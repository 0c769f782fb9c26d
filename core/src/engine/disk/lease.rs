//! Leases without file locks.
//!
//! A lease's directory holds one file for each fencing number, made by an exclusive link, so that only one process can
//! have a number. The highest number is the current lease: free when its file says so, when its time is up, or when it
//! cannot be read (nobody lives who was interrupted while writing it). Taking over means making the next number.

use super::{Disk, LEASES};
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::engine::{Error, Lease, Result};
use crate::model::{Json, LeaseName, Span, Timestamp};
use crate::order;
use crate::wire::mailbox::parse_object;

/// How long a process may take for what it does under a disk's own lease; it takes milliseconds.
pub(crate) const TTL: Span = Span::from_seconds(5);

/// What the file of a lease says that was given back.
const RELEASED: &str = r#"{"released":true}"#;

const FIRST_PAUSE: Span = Span::from_millis(2);
const LONGEST_PAUSE: Span = Span::from_millis(40);

impl<F: FileSystem, H: Host> Disk<F, H> {
    /// Takes a lease for a moment, waiting as long as this disk's patience.
    pub(crate) fn hold(&self, name: &LeaseName) -> Result<Lease> {
        self.wait_for_lease(name, &self.owner.borrow(), TTL, self.patience)
    }

    pub(crate) fn wait_for_lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        let began = self.host.now();
        let mut pause = FIRST_PAUSE;
        loop {
            let holder = match self.try_lease(name, owner, ttl)? {
                Ok(lease) => return Ok(lease),
                Err(holder) => holder,
            };
            let waited = self.host.now().since(began);
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
            && let Ok(lease) = self.take_after(freed.fence, name, owner, ttl)?
        {
            return Ok(Ok(lease));
        }
        let newest = self.fences(name)?.pop().unwrap_or_default();
        match self.holder(name, newest)? {
            Some(holder) => Ok(Err(holder)),
            None => self.take_after(newest, name, owner, ttl),
        }
    }

    /// Takes the number after one that is free, or says who was faster.
    fn take_after(&self, free: u64, name: &LeaseName, owner: &str, ttl: Span) -> Result<Result<Lease, String>> {
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
            return Ok(Err(self.holder(name, newest)?.unwrap_or_else(|| "another agent".to_owned())));
        }
        // From the oldest on: whoever still has its number when the next is gone was not passed over.
        for old in older {
            self.remove(&lease_path(name, old))?;
        }
        Ok(Ok(lease))
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
        let holder = self.holder(&lease.name, newest)?.filter(|_| newest != lease.fence);
        Err(Error::Locked {
            what: lease.name.to_string(),
            holder: holder.unwrap_or_else(|| "nobody: the time was up".to_owned()),
            waited: Span::default(),
        }
        .into())
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
    fn fences(&self, name: &LeaseName) -> Result<Vec<u64>> {
        let entries = self.list(&format!("{}/{name}", LEASES))?;
        let mut numbers: Vec<u64> = entries.iter().filter_map(|entry| entry.name.parse().ok()).collect();
        order::sort(&mut numbers);
        Ok(numbers)
    }

    /// Reads who holds a number, unless it is free.
    fn holder(&self, name: &LeaseName, fence: u64) -> Result<Option<String>> {
        let bytes = self.read(&lease_path(name, fence))?.unwrap_or_default();
        Ok(parse_object(&bytes).ok().and_then(|record| {
            let expires = record.get("expires_at").and_then(Json::as_str).and_then(Timestamp::parse)?;
            let owner = record.get("owner").and_then(Json::as_str)?;
            let held = record.get("released") == Some(&Json::Bool(false)) && self.host.now() < expires;
            held.then(|| format!("{owner} until {}", expires.clock()))
        }))
    }
}

fn lease_path(name: &LeaseName, fence: u64) -> String {
    format!("{}/{name}/{fence:012}", LEASES)
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
        let disk = || Disk::new(&fs, &host, "test");
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
