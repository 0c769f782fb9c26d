//! Leases: one holder at a time, for a while.

use super::MemoryEngine;
use super::state::{BusState, HeldLease};
use crate::Host;
use crate::engine::{Error, Lease, Result};
use crate::model::{LeaseName, Span, Timestamp};

const POLL_MILLIS: i64 = 10;

impl<H: Host> MemoryEngine<H> {
    /// Acquires a lease, looking again and again until `wait` is over.
    pub(super) fn wait_for_lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        let start = self.host.now();
        // Looks are counted too: a host whose clock stands still must not wait for ever.
        let mut looks = wait.millis() / POLL_MILLIS + 1;
        loop {
            let now = self.host.now();
            let holder = match try_acquire(&mut *self.write()?, name, owner, now, ttl) {
                Ok(lease) => return Ok(lease),
                Err(holder) => holder,
            };
            let waited = now.since(start);
            looks -= 1;
            if looks < 0 || waited >= wait {
                return Err(Error::Locked { what: name.to_string(), holder, waited }.into());
            }
            self.host.sleep(Span::from_millis(POLL_MILLIS));
        }
    }
}

/// Takes the lease now, or says who holds it.
fn try_acquire(
    state: &mut BusState,
    name: &LeaseName,
    owner: &str,
    now: Timestamp,
    ttl: Span,
) -> Result<Lease, String> {
    let newest = state.leases.get(name);
    if let Some(held) = newest
        && !held.released
        && now < held.lease.expires_at
    {
        return Err(held.lease.owner.clone());
    }
    let fence = newest.map_or(0, |held| held.lease.fence) + 1;
    let lease = Lease { name: name.clone(), owner: owner.to_owned(), fence, expires_at: now.plus(ttl) };
    state.leases.insert(name.clone(), HeldLease { lease: lease.clone(), released: false });
    Ok(lease)
}

/// Releases a lease, unless another has taken it over.
pub(super) fn release(state: &mut BusState, lease: &Lease) {
    if let Some(held) = state.leases.get_mut(&lease.name)
        && held.lease.fence == lease.fence
    {
        held.released = true;
    }
}
