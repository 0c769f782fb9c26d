//! A project put together: its files, what works on them, and the bus.

use std::path::Path;

use huddle_core::Host;
use huddle_core::bus::{Bus, Settings};
use huddle_core::compress::Expansions;
use huddle_core::engine::files::FilesEngine;
use huddle_core::model::Span;
use huddle_core::session::Sessions;
use huddle_core::state::State;

use crate::std_fs::StdFs;

/// The directory of the bus within the project.
pub(crate) const BUS_DIR: &str = huddle_core::wire::mailbox::layout::ROOT;

/// The directory of the orchestrator within the project.
const ORCHESTRATOR_DIR: &str = ".claude";

/// The directories that a project keeps things in.
pub(crate) struct Places {
    bus: StdFs,
    beside: StdFs,
}

impl Places {
    /// Takes the places of the project in a directory; none of them need be there.
    pub(crate) fn of(root: &Path) -> Self {
        Self { bus: StdFs::new(root.join(BUS_DIR)), beside: StdFs::new(root.join(ORCHESTRATOR_DIR)) }
    }
}

/// What works on the files of a project, for as long as one likes.
pub(crate) struct Project<'a> {
    host: &'a dyn Host,
    patience: Span,
    engine: FilesEngine<&'a StdFs, &'a dyn Host>,
    /// The orchestrator's files.
    pub(crate) state: State<&'a StdFs, &'a dyn Host>,
    /// The sessions.
    pub(crate) sessions: Sessions<&'a StdFs, &'a dyn Host>,
    /// The saved originals of what was compressed.
    pub(crate) expansions: Expansions<&'a StdFs, &'a dyn Host>,
}

impl<'a> Project<'a> {
    /// Opens a project for somebody who waits so long for what another has locked.
    pub(crate) fn open(places: &'a Places, host: &'a dyn Host, owner: &str, patience: Span) -> Self {
        let Places { bus, beside } = places;
        Self {
            host,
            patience,
            engine: FilesEngine::new(bus, host).with_owner(owner).with_patience(patience),
            state: State::new(beside, host).with_owner(owner).with_patience(patience),
            sessions: Sessions::new(beside, host).with_owner(owner).with_patience(patience),
            expansions: Expansions::new(beside, host),
        }
    }

    /// Names who acts from now on, for those who have to wait.
    #[cfg(all(not(feature = "tools"), any(test, all(target_os = "wasi", target_env = "p2"))))]
    pub(crate) fn act_for(&self, owner: &str) {
        self.engine.act_for(owner);
        self.state.act_for(owner);
        self.sessions.act_for(owner);
    }

    /// Gives the bus, with no findings yet.
    pub(crate) fn bus(&self) -> Bus<'_> {
        let settings = Settings { patience: self.patience, ..Settings::default() };
        Bus::new(&self.engine, self.host).with_settings(settings).with_orchestrator(&self.state)
    }
}
