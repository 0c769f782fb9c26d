//! A project put together: its files, what works on them, and the bus.

use std::path::Path;

use huddle_api::{Project, Storage};
use huddle_core::Host;
use huddle_core::bus;
use huddle_core::engine::files::FilesEngine;
use huddle_core::engine::{Engine, LockOwner};
use huddle_core::model::Span;

use crate::failure::Failure;
use crate::global::Global;
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
    Err(Box::new(bus::Error::NotFound { what, remedy: "name the project's directory: --root DIR".into() }).into())
}

/// Where a project keeps things.
pub(crate) struct Places {
    bus: Address,
    shown: String,
    root: String,
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
        let root = global.root.display().to_string();
        Ok(Self { bus, shown, root, beside: StdFs::beneath(&global.root, ORCHESTRATOR_DIR) })
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
        Err(Failure::new(huddle_core::model::ErrorKind::Usage, message, hint))
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

impl Storage for Store<'_> {
    fn engine(&self) -> &dyn Engine {
        match self {
            Self::Files(engine) => engine,
            #[cfg(feature = "mongodb")]
            Self::MongoDb(engine) => &**engine,
        }
    }

    fn set_lock_owner(&self, owner: &str) {
        match self {
            Self::Files(engine) => engine.set_lock_owner(owner),
            // Nobody waits there: what one agent changes, the server changes at once.
            #[cfg(feature = "mongodb")]
            Self::MongoDb(_) => {}
        }
    }
}

/// Opens a project for somebody who waits so long for what another has locked.
pub(crate) fn open<'a>(places: &'a Places, host: &'a dyn Host, lock_timeout: Span) -> Project<'a> {
    let Places { bus, shown, root, beside } = places;
    let storage = Box::new(bus.open(host, lock_timeout));
    Project::new(host, storage, shown, beside).with_path(root).with_lock_timeout(lock_timeout)
}
