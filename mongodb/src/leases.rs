//! Leases: one holder at a time, by the clock of the server, which all machines share.

use bson::{Bson, DateTime, Document, doc};
use huddle_core::Host;
use huddle_core::engine::{Error, Lease, Result};
use huddle_core::model::{LeaseName, Span, Timestamp};
use mongodb::error::Result as DriverResult;
use mongodb::options::ReturnDocument;

use crate::MongoEngine;
use crate::connection::Collections;
use crate::errors::is_duplicate;

/// How often a lease that another holds is asked for.
const POLL: Span = Span::from_millis(25);

impl<H: Host> MongoEngine<H> {
    pub(crate) fn wait_for_lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        let began = self.host.now();
        loop {
            if let Some(taken) = self.try_lease(name, owner, ttl)? {
                return Ok(taken);
            }
            let waited = self.host.now().since(began);
            if waited >= wait {
                let holder = self.holder(name)?;
                return Err(Error::Locked { what: name.to_string(), holder, waited }.into());
            }
            self.host.sleep(POLL);
        }
    }

    fn try_lease(&self, name: &LeaseName, owner: &str, ttl: Span) -> Result<Option<Lease>> {
        // One that was taken by this very call, whose answer was lost, may be taken again.
        let call = format!("{:032x}", self.host.random());
        let mut asked = self.host.now();
        let taken = self.connection.retry("taking a lease", async |collections| {
            asked = self.host.now();
            let taken = try_acquire(collections, name, owner, ttl, &call).await?;
            if taken.is_some() || !insert_released(collections, name).await? {
                return Ok(taken);
            }
            try_acquire(collections, name, owner, ttl, &call).await
        })?;
        Ok(taken.map(|taken| Lease {
            name: name.clone(),
            owner: owner.to_owned(),
            fence: fence(&taken),
            // By the holder's own clock, which may differ from the server's, and rather too early.
            expires_at: asked.plus(ttl),
        }))
    }

    fn holder(&self, name: &LeaseName) -> Result<String> {
        let held = self.connection.retry("looking at a lease", async |collections| {
            collections.leases.find_one(doc! { "_id": name.as_str() }).await
        })?;
        Ok(held.and_then(|held| held.get_str("owner").map(str::to_owned).ok()).unwrap_or_default())
    }

    pub(crate) fn release_lease(&self, lease: &Lease) -> Result<()> {
        let fence = i64::try_from(lease.fence).unwrap_or(i64::MAX);
        let filter = doc! { "_id": lease.name.as_str(), "fence": fence };
        self.connection.retry("giving back a lease", async |collections| {
            collections.leases.update_one(filter.clone(), doc! { "$set": { "released": true } }).await
        })?;
        Ok(())
    }
}

/// Acquires a lease that is free, or whose time is up by the server's clock, or that the same call has taken.
async fn try_acquire(
    collections: &Collections,
    name: &LeaseName,
    owner: &str,
    ttl: Span,
    call: &str,
) -> DriverResult<Option<Document>> {
    let is_free = doc! { "$or": ["$released", { "$lte": ["$expiresAt", "$$NOW"] }, { "$eq": ["$call", call] }] };
    let taken = doc! {
        "owner": { "$literal": owner },
        "call": call,
        "fence": { "$add": ["$fence", 1_i64] },
        "expiresAt": { "$add": ["$$NOW", ttl.millis()] },
        "released": false,
    };
    let update = vec![doc! { "$set": taken }];
    let filter = doc! { "_id": name.as_str(), "$expr": is_free };
    collections.leases.find_one_and_update(filter, update).return_document(ReturnDocument::After).await
}

/// Creates a lease that nobody has asked for yet; `false` when somebody has.
async fn insert_released(collections: &Collections, name: &LeaseName) -> DriverResult<bool> {
    let free = doc! {
        "_id": name.as_str(),
        "owner": "",
        "fence": 0_i64,
        "expiresAt": DateTime::from_millis(Timestamp::default().micros()),
        "released": true,
    };
    match collections.leases.insert_one(free).await {
        Ok(_) => Ok(true),
        Err(error) if is_duplicate(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

fn fence(lease: &Document) -> u64 {
    lease.get("fence").and_then(Bson::as_i64).and_then(|fence| u64::try_from(fence).ok()).unwrap_or_default()
}
