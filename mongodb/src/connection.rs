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
use crate::errors::{is_transient, to_engine_error};

/// The timeout of server selection. A server that is up is found at once.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The number of attempts after transient errors, enough for the election of a new primary.
const TRIES: u32 = 6;
/// How long a failed connection attempt is not repeated.
const FAILURE_CACHED_FOR: Duration = Duration::from_secs(2);
/// The default time limit for a majority to acknowledge a write.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// A lazily opened connection to a database.
pub(crate) struct Connection {
    address: Address,
    open: OnceCell<Connected>,
    /// The last failure, so that the operations of one command do not each wait for the timeout.
    failed: RefCell<Option<(Instant, DriverError)>>,
}

struct Connected {
    // Declared first, so that it is gone before the tasks are that end its connections.
    collections: Collections,
    runtime: Runtime,
}

/// The collections of a bus.
pub(crate) struct Collections {
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

impl Connection {
    pub(crate) fn new(address: Address) -> Self {
        Self { address, open: OnceCell::new(), failed: RefCell::new(None) }
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Runs `work`; errors name what was being done.
    pub(crate) fn run<T>(
        &self,
        doing: &'static str,
        work: impl AsyncFnOnce(&Collections) -> DriverResult<T>,
    ) -> Result<T> {
        self.try_run(work)?.map_err(|error| to_engine_error(&self.address, doing, &error))
    }

    /// Runs `work` and returns the driver's own result.
    pub(crate) fn try_run<T>(
        &self,
        work: impl AsyncFnOnce(&Collections) -> DriverResult<T>,
    ) -> Result<DriverResult<T>> {
        let open = self.open()?;
        Ok(open.runtime.block_on(work(&open.collections)))
    }

    /// Runs idempotent work, and retries it after transient errors.
    pub(crate) fn retry<T>(
        &self,
        doing: &'static str,
        mut work: impl AsyncFnMut(&Collections) -> DriverResult<T>,
    ) -> Result<T> {
        self.run(doing, async |collections| with_retries(async |_| work(collections).await).await)
    }

    /// Runs `work` inside the runtime, so that it can spawn tasks.
    pub(crate) fn in_runtime(&self, work: impl FnOnce()) {
        match self.open.get() {
            Some(open) => {
                let _guard = open.runtime.enter();
                work();
            }
            None => work(),
        }
    }

    fn open(&self) -> Result<&Connected> {
        if let Some(open) = self.open.get() {
            return Ok(open);
        }
        if let Some((at, error)) = &*self.failed.borrow()
            && at.elapsed() < FAILURE_CACHED_FOR
        {
            return Err(to_engine_error(&self.address, "connecting", error));
        }
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|source| {
            Box::new(Error::Io { doing: "starting the connection", path: self.address.to_string(), source })
        })?;
        let collections = runtime.block_on(connect(&self.address)).map_err(|error| {
            let failure = to_engine_error(&self.address, "connecting", &error);
            self.failed.replace(Some((Instant::now(), error)));
            failure
        })?;
        Ok(self.open.get_or_init(|| Connected { collections, runtime }))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(Connected { collections, runtime }) = self.open.take() {
            let guard = runtime.enter();
            drop(collections);
            drop(guard);
        }
    }
}

/// Retries `work` after transient errors; its argument is the number of earlier attempts.
pub(crate) async fn with_retries<T>(mut work: impl AsyncFnMut(u32) -> DriverResult<T>) -> DriverResult<T> {
    let mut tried = 0;
    loop {
        match work(tried).await {
            Err(error) if is_transient(&error) && tried + 1 < TRIES => tried += 1,
            done => return done,
        }
    }
}

async fn connect(address: &Address) -> DriverResult<Collections> {
    let mut options = ClientOptions::parse(address.url()).await?;
    options.app_name.get_or_insert_with(|| "huddle".to_owned());
    options.server_selection_timeout.get_or_insert(CONNECT_TIMEOUT);
    // A confirmed message outlasts the loss of a server, whatever the address says.
    options.write_concern = Some(majority_write_concern(options.write_concern.and_then(|concern| concern.w_timeout)));
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
    Ok(Collections {
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

/// Returns the write concern: acknowledged by the majority, within a time limit.
fn majority_write_concern(within: Option<Duration>) -> WriteConcern {
    WriteConcern::builder().w(Acknowledgment::Majority).w_timeout(within.unwrap_or(WRITE_TIMEOUT)).build()
}

impl Collections {
    /// Runs `work` in a transaction if the server supports it, otherwise without one.
    ///
    /// `work` may run more than once: the driver retries transient errors for two minutes.
    pub(crate) async fn in_transaction<T>(
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
