//! One server for all tests that only need one, and a database on it for each.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use huddle_core::model::AgentName;
use huddle_mongod::ReplicaSet;
use huddle_mongodb::MongoEngine;
use mongodb::bson::Document;
use mongodb::{Client, Collection};
use tokio::runtime::{Builder, Runtime};

use crate::clock::Clock;

/// Returns the address of a new database on a replica set of one member.
pub(crate) fn new_database() -> String {
    // Never dropped: it ends with this process.
    static SET: OnceLock<ReplicaSet> = OnceLock::new();
    static DATABASES: AtomicU32 = AtomicU32::new(0);
    let set = SET.get_or_init(|| ReplicaSet::start(1).unwrap());
    set.url(&format!("test-{}", DATABASES.fetch_add(1, Ordering::Relaxed)))
}

pub(crate) fn open(address: &str) -> MongoEngine<Clock> {
    MongoEngine::open(address, Clock).unwrap()
}

pub(crate) fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

/// A plain driver at the messages of a bus, as an agent has it that knows the protocol alone.
pub(crate) struct Plain {
    // Declared first, so that they are gone before the tasks are that end their connections.
    pub(crate) messages: Collection<Document>,
    runtime: Runtime,
}

impl Plain {
    pub(crate) fn at(address: &str) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let client = runtime.block_on(Client::with_uri_str(address)).unwrap();
        Self { messages: client.default_database().unwrap().collection("messages"), runtime }
    }

    /// Has the driver do something, and waits until it has.
    pub(crate) fn wait<T>(&self, work: impl Future<Output = mongodb::error::Result<T>>) -> T {
        self.runtime.block_on(work).unwrap()
    }
}
