//! The connection: made when it is first needed, and the one way to run anything on it.

use std::cell::{OnceCell, RefCell};
use std::time::{Duration, Instant};

use bson::{Document, doc};
use huddle_core::engine::{Error, Result};
use mongodb::error::{Error as DriverError, Result as DriverResult};
use mongodb::options::{Acknowledgment, ClientOptions, ReadConcern, ReadPreference, SelectionCriteria, WriteConcern};
use mongodb::{Client, ClientSession, Collection, Database};
use tokio::runtime::{Builder, Runtime};

use crate::Address;
use crate::errors::{is_transient, told};

/// How long a server is looked for; one that is there is found at once.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often what failed for a moment is tried: together, a replica set has time to elect another primary.
const TRIES: u32 = 6;
/// How long a failed connection is remembered: long enough for all that one command asks.
const RECENTLY: Duration = Duration::from_secs(2);
/// How long a majority of servers has to confirm a write, where the address does not say.
const CONFIRMED: Duration = Duration::from_secs(30);

/// The way to a database.
pub(crate) struct Link {
    address: Address,
    open: OnceCell<Open>,
    /// Why there was no connection, and when: a command asks several times, and is not to wait each time.
    failed: RefCell<Option<(Instant, DriverError)>>,
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
        Self { address, open: OnceCell::new(), failed: RefCell::new(None) }
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
        self.run(doing, async |store| persist(async |_| work(store).await).await)
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
        if let Some((at, error)) = &*self.failed.borrow()
            && at.elapsed() < RECENTLY
        {
            return Err(told(&self.address, "connecting", error));
        }
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|source| {
            Box::new(Error::Io { doing: "starting the connection", path: self.address.to_string(), source })
        })?;
        let store = runtime.block_on(connect(&self.address)).map_err(|error| {
            let told = told(&self.address, "connecting", &error);
            self.failed.replace(Some((Instant::now(), error)));
            told
        })?;
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

/// Does something again while its failures are said to pass; it is told how often it was tried before.
pub(crate) async fn persist<T>(mut work: impl AsyncFnMut(u32) -> DriverResult<T>) -> DriverResult<T> {
    let mut tried = 0;
    loop {
        match work(tried).await {
            Err(error) if is_transient(&error) && tried + 1 < TRIES => tried += 1,
            done => return done,
        }
    }
}

async fn connect(address: &Address) -> DriverResult<Store> {
    let mut options = ClientOptions::parse(address.url()).await?;
    options.app_name.get_or_insert_with(|| "huddle".to_owned());
    options.server_selection_timeout.get_or_insert(PATIENCE);
    // A confirmed message outlasts the loss of a server, whatever the address says.
    options.write_concern = Some(confirmed(options.write_concern.and_then(|concern| concern.w_timeout)));
    // Others may lag behind: a message would be read twice, a key not be found.
    options.selection_criteria = Some(SelectionCriteria::ReadPreference(ReadPreference::Primary));
    options.read_concern.get_or_insert_with(ReadConcern::local);
    #[cfg(target_os = "wasi")]
    let options = crate::resolve::reachable(options).await?;
    let client = Client::with_options(options)?;
    let database = client.database(address.database());
    // Any server will do for this: without a primary, it is for what comes next to say so.
    let any = SelectionCriteria::ReadPreference(ReadPreference::Nearest { options: Default::default() });
    let hello = database.run_command(doc! { "hello": 1 }).selection_criteria(any).await?;
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

/// Has writes confirmed by the majority, or an error after so long.
fn confirmed(within: Option<Duration>) -> WriteConcern {
    WriteConcern::builder().w(Acknowledgment::Majority).w_timeout(within.unwrap_or(CONFIRMED)).build()
}

impl Store {
    /// Does several things as one, where the server can; otherwise one after the other. It may run more than once, never
    /// after it may have been done: the driver itself tries again what can be, for two minutes.
    pub(crate) async fn together<T>(
        &self,
        mut work: impl AsyncFnMut(&mut ClientSession) -> DriverResult<T>,
    ) -> DriverResult<T> {
        if !self.is_replicated {
            return work(&mut self.client.start_session().await?).await;
        }
        let mut session = self.client.start_session().await?;
        // Without words of its own, a transaction has the client's: the majority, and within a time.
        session.start_transaction().and_run2(async |session| work(session).await).await
    }
}
