//! What subscriptions look at, looked at once for all of them.
//!
//! A conversation is found by reading the whole bus. Five hundred subscriptions that each do so keep a server busy for
//! minutes, so a poll reads the bus once, and what it saw is also what new subscriptions begin with: a change since then is
//! told with the next poll.

use std::collections::BTreeMap;

use huddle_core::bus::Thread;
use huddle_core::wire::answer;

use super::resources::{self, Address};
use super::{Server, notices};

/// What was seen since the last poll began; each part is looked at when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Scan {
    threads: Option<Threads>,
    /// Fingerprints of everything else, by address.
    others: BTreeMap<Address, u64>,
}

/// The conversations of a bus.
#[derive(Debug, Default)]
struct Threads {
    /// The newest of them, as the list of resources shows them.
    listed: Vec<String>,
    /// Fingerprints, by every name that a conversation goes by.
    fingerprints: BTreeMap<String, u64>,
}

impl Threads {
    fn of(threads: &[Thread]) -> Self {
        let mut fingerprints = BTreeMap::new();
        for thread in threads {
            let fingerprint = notices::fingerprint(&answer::thread(thread).to_string());
            for message in &thread.messages {
                fingerprints.entry(message.id.to_string()).or_insert(fingerprint);
            }
        }
        // A conversation's own names come before the ids of messages in others.
        for thread in threads {
            let fingerprint = thread.messages.first().and_then(|first| fingerprints.get(first.id.as_str()).copied());
            let names = thread.messages.iter().filter_map(|message| message.thread.as_ref()).chain([&thread.id]);
            for name in names {
                fingerprints.insert(name.to_string(), fingerprint.unwrap_or_default());
            }
        }
        let listed = threads.iter().take(resources::THREADS);
        let listed = listed.map(|thread| resources::thread_entry(thread.id.as_str(), &thread.subject));
        Self { listed: listed.collect(), fingerprints }
    }
}

impl Server<'_> {
    /// Forgets what was seen, so that the next look is a new one.
    pub(super) fn look_anew(&mut self) {
        self.scan = Scan::default();
    }

    /// Returns a number that differs when what an address leads to differs.
    pub(super) fn fingerprint_of(&mut self, address: &Address) -> u64 {
        if let Address::Thread(name) = address {
            return self.threads().fingerprints.get(name).copied().unwrap_or_default();
        }
        if let Some(seen) = self.scan.others.get(address) {
            return *seen;
        }
        let seen = notices::fingerprint(&self.state(address));
        self.scan.others.insert(address.clone(), seen);
        seen
    }

    /// Lists the newest conversations.
    pub(super) fn listed_threads(&mut self) -> &[String] {
        &self.threads().listed
    }

    fn threads(&mut self) -> &Threads {
        self.scan.threads.get_or_insert_with(|| {
            #[cfg(test)]
            self.scans.set(self.scans.get() + 1);
            // Before the first agent registers there is no bus, and nothing to list.
            let threads = self.project.bus().threads().map(|found| found.value).unwrap_or_default();
            Threads::of(&threads)
        })
    }
}
