//! The connection: made when it is first needed, and the one way to run anything on it.

use std::cell::OnceCell;
use std::time::Duration;

use bson::{Document, doc};
use huddle_core::engine::{Error, Result};
use mongodb::error::Result as DriverResult;
use mongodb::options::{ClientOptions, ReadConcern, WriteConcern};
use mongodb::{Client, ClientSession, Collection, Database};
use tokio::runtime::{Builder, Runtime};

use crate::Address;
use crate::errors::{is_transient, told};

/// How long a server is looked for: long enough for a replica set to elect another primary.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often what failed for a moment is tried.
const TRIES: u32 = 4;

/// The way to a database.
pub(crate) struct Link {
    address: Address,
    open: OnceCell<Open>,
}

struct Open {
    // Declared first, so that it is gone before the tasks are that end its connections.
    store: Store,
    runtime: Runtime,
}

/// What runs on the server.
pub(crate) struct Store {
    pub(crate) client: Client,
    pub(crate) database: Database,
    pub(crate) messages: Collection<Document>,
    /// The agents, and the bus itself.
    pub(crate) agents: Collection<Document>,
    pub(crate) contexts: Collection<Document>,
    pub(crate) handoffs: Collection<Document>,
    /// The files of handoffs, in pieces.
    pub(crate) handoff_files: Collection<Document>,
    pub(crate) leases: Collection<Document>,
    /// Whether the server is one of a set, which has transactions and change streams.
    pub(crate) is_replicated: bool,
}

impl Link {
    pub(crate) fn new(address: Address) -> Self {
        Self { address, open: OnceCell::new() }
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Runs something on the server, and tells what was being done when it fails.
    pub(crate) fn run<T>(&self, doing: &'static str, work: impl AsyncFnOnce(&Store) -> DriverResult<T>) -> Result<T> {
        self.try_run(work)?.map_err(|error| told(&self.address, doing, &error))
    }

    /// Runs something on the server whose failure the caller looks at.
    pub(crate) fn try_run<T>(&self, work: impl AsyncFnOnce(&Store) -> DriverResult<T>) -> Result<DriverResult<T>> {
        let open = self.open()?;
        Ok(open.runtime.block_on(work(&open.store)))
    }

    /// Runs something that may be repeated as often as one likes, and is while its failures are said to pass.
    pub(crate) fn repeat<T>(
        &self,
        doing: &'static str,
        mut work: impl AsyncFnMut(&Store) -> DriverResult<T>,
    ) -> Result<T> {
        self.run(doing, async |store| {
            let mut tries = 1;
            loop {
                match work(store).await {
                    Err(error) if is_transient(&error) && tries < TRIES => tries += 1,
                    done => return done,
                }
            }
        })
    }

    /// Does something where tasks can be started, though it does not wait for any.
    pub(crate) fn within(&self, work: impl FnOnce()) {
        match self.open.get() {
            Some(open) => {
                let _guard = open.runtime.enter();
                work();
            }
            None => work(),
        }
    }

    fn open(&self) -> Result<&Open> {
        if let Some(open) = self.open.get() {
            return Ok(open);
        }
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|source| {
            Box::new(Error::Io { doing: "starting the connection", path: self.address.to_string(), source })
        })?;
        let store = runtime.block_on(connect(&self.address));
        let store = store.map_err(|error| told(&self.address, "connecting", &error))?;
        Ok(self.open.get_or_init(|| Open { store, runtime }))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(Open { store, runtime }) = self.open.take() {
            let guard = runtime.enter();
            drop(store);
            drop(guard);
        }
    }
}

async fn connect(address: &Address) -> DriverResult<Store> {
    let mut options = ClientOptions::parse(address.url()).await?;
    #[cfg(target_os = "wasi")]
    {
        options.hosts = crate::resolve::resolved(options.hosts)
            .map_err(|fault| mongodb::error::Error::from(std::io::Error::new(std::io::ErrorKind::NotFound, fault)))?;
    }
    options.app_name.get_or_insert_with(|| "huddle".to_owned());
    options.server_selection_timeout.get_or_insert(PATIENCE);
    // A confirmed message outlasts the loss of a server, whatever the address says.
    options.write_concern = Some(WriteConcern::majority());
    options.read_concern.get_or_insert_with(ReadConcern::local);
    let client = Client::with_options(options)?;
    let database = client.database(address.database());
    let hello = database.run_command(doc! { "hello": 1 }).await?;
    let is_replicated = hello.contains_key("setName") || hello.get_str("msg").is_ok_and(|msg| msg == "isdbgrid");
    let collection = |name: &str| database.collection(name);
    Ok(Store {
        messages: collection("messages"),
        agents: collection("agents"),
        contexts: collection("contexts"),
        handoffs: collection("handoffs"),
        handoff_files: collection("handoff_files"),
        leases: collection("leases"),
        client,
        database: database.clone(),
        is_replicated,
    })
}

impl Store {
    /// Does several things as one, where the server can; otherwise one after the other. It may run more than once.
    pub(crate) async fn together<T>(
        &self,
        mut work: impl AsyncFnMut(&mut ClientSession) -> DriverResult<T>,
    ) -> DriverResult<T> {
        let mut session = self.client.start_session().await?;
        if self.is_replicated {
            session.start_transaction().write_concern(WriteConcern::majority()).and_run2(work).await
        } else {
            work(&mut session).await
        }
    }
}
