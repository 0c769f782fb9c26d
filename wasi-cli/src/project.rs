//! A project put together: its files, what works on them, and the bus.

use std::path::Path;

use huddle_core::Host;
use huddle_core::bus::{self, Bus, Settings};
use huddle_core::compress::Expansions;
use huddle_core::engine::files::FilesEngine;
use huddle_core::engine::{Engine, LockOwner};
use huddle_core::model::Span;
use huddle_core::session::Sessions;
use huddle_core::state::State;

use crate::args::Global;
use crate::failure::Failure;
use crate::std_fs::StdFs;

/// The directory of the bus within the project.
pub(crate) const BUS_DIR: &str = huddle_core::wire::mailbox::layout::ROOT;

/// The directory of the orchestrator within the project.
const ORCHESTRATOR_DIR: &str = ".claude";

/// Makes sure that a project's directory is there, for whoever found nothing in it: what a host has not opened looks empty.
pub(crate) fn reach(root: &Path) -> Result<(), Failure> {
    if root.metadata().is_ok() {
        return Ok(());
    }
    let what = format!("directory {}", root.display());
    Err(Box::new(bus::Error::NotFound { what, hint: "name the project's directory: --root DIR".to_owned() }).into())
}

/// Where a project keeps things.
pub(crate) struct Places {
    bus: Address,
    shown: String,
    beside: StdFs,
}

impl Places {
    /// Takes the places of the project that was named; none of them need be there.
    pub(crate) fn of(global: &Global) -> Result<Self, Failure> {
        let (bus, shown) = match &global.bus {
            Some(address) => Address::parse(address)?,
            None => {
                let path = global.root.join(BUS_DIR);
                (Address::Files(StdFs::beneath(&global.root, BUS_DIR)), path.display().to_string())
            }
        };
        Ok(Self { bus, shown, beside: StdFs::beneath(&global.root, ORCHESTRATOR_DIR) })
    }
}

/// Where a bus is.
pub(crate) enum Address {
    /// In a directory.
    Files(StdFs),
    /// On a server.
    #[cfg(feature = "mongodb")]
    MongoDb(huddle_mongodb::Address),
}

impl Address {
    /// Reads the address of a bus on a server, and gives how it may be shown.
    #[cfg(feature = "mongodb")]
    fn parse(text: &str) -> Result<(Self, String), Failure> {
        let address = huddle_mongodb::Address::parse(text).map_err(Box::<huddle_core::bus::Error>::from)?;
        let shown = address.to_string();
        Ok((Self::MongoDb(address), shown))
    }

    /// Says why there is no way to a bus on a server.
    #[cfg(not(feature = "mongodb"))]
    fn parse(_: &str) -> Result<(Self, String), Failure> {
        let message =
            "this huddle is built without MongoDB, and has no network: --bus and HUDDLE_BUS are of no use to it";
        let hint =
            "use huddle-mongodb.wasm or the native command, or leave them out for the bus in the project's files";
        Err(Failure::new(huddle_core::bus::ErrorKind::Usage, message, hint))
    }

    /// Opens the bus for somebody who waits so long for what another has locked.
    fn open<'a>(&'a self, host: &'a dyn Host, lock_timeout: Span) -> Store<'a> {
        match self {
            Self::Files(files) => Store::Files(FilesEngine::new(files, host).with_lock_timeout(lock_timeout)),
            #[cfg(feature = "mongodb")]
            Self::MongoDb(address) => Store::MongoDb(Box::new(huddle_mongodb::MongoEngine::new(address.clone(), host))),
        }
    }
}

/// A bus that is open, wherever it is.
enum Store<'a> {
    Files(FilesEngine<&'a StdFs, &'a dyn Host>),
    #[cfg(feature = "mongodb")]
    MongoDb(Box<huddle_mongodb::MongoEngine<&'a dyn Host>>),
}

impl Store<'_> {
    fn engine(&self) -> &dyn Engine {
        match self {
            Self::Files(engine) => engine,
            #[cfg(feature = "mongodb")]
            Self::MongoDb(engine) => &**engine,
        }
    }

    /// Names who acts from now on, where others may have to wait for it.
    fn set_lock_owner(&self, owner: &str) {
        match self {
            Self::Files(engine) => engine.set_lock_owner(owner),
            // Nobody waits there: what one agent changes, the server changes at once.
            #[cfg(feature = "mongodb")]
            Self::MongoDb(_) => {}
        }
    }
}

/// What works on the files of a project, for as long as one likes.
pub(crate) struct Project<'a> {
    /// The clock.
    pub(crate) host: &'a dyn Host,
    lock_timeout: Span,
    /// Where the bus is, as it may be shown.
    pub(crate) bus_place: &'a str,
    store: Store<'a>,
    /// The orchestrator's files.
    pub(crate) state: State<&'a StdFs, &'a dyn Host>,
    /// The sessions.
    pub(crate) sessions: Sessions<&'a StdFs, &'a dyn Host>,
    /// The saved originals of what was compressed.
    pub(crate) expansions: Expansions<&'a StdFs, &'a dyn Host>,
}

impl<'a> Project<'a> {
    /// Opens a project for somebody who waits so long for what another has locked.
    pub(crate) fn open(places: &'a Places, host: &'a dyn Host, lock_timeout: Span) -> Self {
        let Places { bus, shown, beside } = places;
        Self {
            host,
            lock_timeout,
            bus_place: shown,
            store: bus.open(host, lock_timeout),
            state: State::new(beside, host).with_lock_timeout(lock_timeout),
            sessions: Sessions::new(beside, host).with_lock_timeout(lock_timeout),
            expansions: Expansions::new(beside, host),
        }
    }

    /// Names who acts from now on, for those who have to wait.
    pub(crate) fn set_lock_owner(&self, owner: &str) {
        self.store.set_lock_owner(owner);
        self.state.set_lock_owner(owner);
        self.sessions.set_lock_owner(owner);
    }

    /// Gives what keeps the bus, for what is done with all of it.
    pub(crate) fn engine(&self) -> &dyn Engine {
        self.store.engine()
    }

    /// Gives the bus, with no findings yet.
    pub(crate) fn bus(&self) -> Bus<'_> {
        let settings = Settings { lock_timeout: self.lock_timeout, ..Settings::default() };
        Bus::new(self.store.engine(), self.host).with_settings(settings).with_orchestrator(&self.state)
    }
}
