//! A project: its storage and files, opened once for many operations.

use huddle_core::Host;
use huddle_core::bus::{Bus, Settings};
use huddle_core::compress::Expansions;
use huddle_core::engine::fs::FileSystem;
use huddle_core::engine::memory::MemoryEngine;
use huddle_core::engine::{Engine, LockOwner};
use huddle_core::model::Span;
use huddle_core::session::Sessions;
use huddle_core::state::State;

/// The storage of a bus.
pub trait Storage {
    /// Returns the engine.
    fn engine(&self) -> &dyn Engine;

    /// Sets the name that other processes see while they wait for a lock.
    ///
    /// # Behavior
    /// - Nothing, where nobody waits for another.
    fn set_lock_owner(&self, _owner: &str) {}
}

impl<H: Host> Storage for MemoryEngine<H> {
    fn engine(&self) -> &dyn Engine {
        self
    }
}

/// The storage and the files of a project.
pub struct Project<'a> {
    host: &'a dyn Host,
    storage: Box<dyn Storage + 'a>,
    bus_place: &'a str,
    path: &'a str,
    lock_timeout: Span,
    /// The orchestrator's files.
    pub state: State<&'a dyn FileSystem, &'a dyn Host>,
    /// The sessions.
    pub sessions: Sessions<&'a dyn FileSystem, &'a dyn Host>,
    /// The saved originals of compressed texts.
    pub expansions: Expansions<&'a dyn FileSystem, &'a dyn Host>,
}

impl<'a> Project<'a> {
    /// Opens a project: `bus_place` is the displayed place of the bus, `files` the root of the orchestrator's files.
    pub fn new(
        host: &'a dyn Host,
        storage: Box<dyn Storage + 'a>,
        bus_place: &'a str,
        files: &'a dyn FileSystem,
    ) -> Self {
        Self {
            host,
            storage,
            bus_place,
            path: ".",
            lock_timeout: Settings::default().lock_timeout,
            state: State::new(files, host),
            sessions: Sessions::new(files, host),
            expansions: Expansions::new(files, host),
        }
    }

    /// Sets the displayed path of the project.
    #[must_use]
    pub fn with_path(self, path: &'a str) -> Self {
        Self { path, ..self }
    }

    /// Sets how long operations wait for what another agent has locked.
    #[must_use]
    pub fn with_lock_timeout(self, timeout: Span) -> Self {
        Self {
            lock_timeout: timeout,
            state: self.state.with_lock_timeout(timeout),
            sessions: self.sessions.with_lock_timeout(timeout),
            ..self
        }
    }

    /// Sets the name that other processes see while they wait for a lock.
    pub fn set_lock_owner(&self, owner: &str) {
        self.storage.set_lock_owner(owner);
        self.state.set_lock_owner(owner);
        self.sessions.set_lock_owner(owner);
    }

    /// Returns the host.
    pub fn host(&self) -> &'a dyn Host {
        self.host
    }

    /// Returns the displayed place of the bus.
    pub fn bus_place(&self) -> &'a str {
        self.bus_place
    }

    /// Returns the displayed path of the project.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// Returns the engine of the bus.
    pub fn engine(&self) -> &dyn Engine {
        self.storage.engine()
    }

    /// Returns the bus.
    pub fn bus(&self) -> Bus<'_> {
        let settings = Settings { lock_timeout: self.lock_timeout, ..Settings::default() };
        Bus::new(self.engine(), self.host).with_settings(settings).with_orchestrator(&self.state)
    }
}
