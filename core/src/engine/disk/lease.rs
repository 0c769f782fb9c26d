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

const FIRST_PAUSE: Span = Span::from_millis(2);
const LONGEST_PAUSE: Span = Span::from_millis(40);

/// What a lease's directory says.
struct State {
    fence: u64,
    /// Who holds it, unless it is free.
    holder: Option<String>,
    older: Vec<u64>,
}

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
        let state = self.lease_state(name)?;
        if let Some(holder) = state.holder {
            return Ok(Err(holder));
        }
        let now = self.host.now();
        let lease =
            Lease { name: name.clone(), owner: owner.into(), fence: state.fence + 1, expires_at: now.plus(ttl) };
        let scratch = self.scratch_path("lease");
        self.write_scratch(&scratch, record(&lease, now, false).as_bytes())?;
        let won = self.link(&scratch, &lease_path(name, lease.fence))?;
        self.remove(&scratch)?;
        // The number may have been used, given back and swept away between looking and linking: then a higher one is there.
        let current = self.lease_state(name)?;
        if !won || current.fence != lease.fence {
            if won {
                self.remove(&lease_path(name, lease.fence))?;
            }
            return Ok(Err(current.holder.unwrap_or_else(|| "another agent".to_owned())));
        }
        for old in current.older {
            self.remove(&lease_path(name, old))?;
        }
        Ok(Ok(lease))
    }

    /// Makes sure that a lease is still held, before a change that depends on it.
    pub(crate) fn still_held(&self, lease: &Lease) -> Result<()> {
        let current = self.lease_state(&lease.name)?;
        if current.fence == lease.fence && self.host.now() < lease.expires_at {
            return Ok(());
        }
        Err(Error::Locked {
            what: lease.name.to_string(),
            holder: current.holder.unwrap_or_else(|| "nobody: the time was up".to_owned()),
            waited: Span::default(),
        }
        .into())
    }

    /// Gives back a lease that was held for a moment. That this fails does not undo what was done under it, and a lease that
    /// was not given back runs out by itself.
    pub(crate) fn let_go(&self, lease: &Lease) {
        drop(self.give_back(lease));
    }

    pub(crate) fn give_back(&self, lease: &Lease) -> Result<()> {
        // One who was passed over must not touch what the next holder has.
        if self.lease_state(&lease.name)?.fence != lease.fence {
            return Ok(());
        }
        self.put_scratch(&lease_path(&lease.name, lease.fence), &record(lease, self.host.now(), true))
    }

    fn lease_state(&self, name: &LeaseName) -> Result<State> {
        let entries = self.list(&format!("{}/{name}", LEASES))?;
        let mut numbers: Vec<u64> = entries.iter().filter_map(|entry| entry.name.parse().ok()).collect();
        order::sort(&mut numbers);
        let Some(fence) = numbers.pop() else {
            return Ok(State { fence: 0, holder: None, older: Vec::new() });
        };
        let bytes = self.read(&lease_path(name, fence))?.unwrap_or_default();
        let holder = parse_object(&bytes).ok().and_then(|record| {
            let expires = record.get("expires_at").and_then(Json::as_str).and_then(Timestamp::parse)?;
            let owner = record.get("owner").and_then(Json::as_str)?;
            let held = record.get("released") == Some(&Json::Bool(false)) && self.host.now() < expires;
            held.then(|| format!("{owner} until {}", expires.clock()))
        });
        Ok(State { fence, holder, older: numbers })
    }
}

fn lease_path(name: &LeaseName, fence: u64) -> String {
    format!("{}/{name}/{fence:012}", LEASES)
}

fn record(lease: &Lease, taken_at: Timestamp, released: bool) -> String {
    let (taken_at, expires_at) = (taken_at.to_string(), lease.expires_at.to_string());
    object!({"owner": lease.owner, "taken_at": taken_at, "expires_at": expires_at, "released": released}).to_string()
}
