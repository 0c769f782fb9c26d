//! The options of every command, read.

use std::path::PathBuf;

use huddle_api::{Context, Project};
use huddle_core::model::Span;

use crate::cli::GlobalOptions;
use crate::files::{Files, Reach};

/// What every command has, read. It cannot be shown as a whole: there may be a password in it.
#[derive(Clone)]
pub(crate) struct Global {
    /// Who acts, if the caller said so. An empty variable is as good as none.
    pub(crate) agent: Option<String>,
    /// The project that has the bus.
    pub(crate) root: PathBuf,
    /// Where the bus is, if not in the project's files.
    pub(crate) bus: Option<String>,
    /// Whether a program is listening.
    pub(crate) json: bool,
    /// How long to wait for what another has locked.
    pub(crate) lock_wait: Span,
    /// Where the paths that a command is given may lead.
    pub(crate) reach: Reach,
}

impl From<GlobalOptions> for Global {
    fn from(GlobalOptions { agent, root, bus, json, lock_wait }: GlobalOptions) -> Self {
        let given = |text: &String| !text.is_empty();
        Self {
            agent: agent.filter(given),
            root: Some(root).filter(given).unwrap_or_else(|| ".".to_owned()).into(),
            bus: bus.filter(given),
            json,
            lock_wait,
            reach: Reach::Anywhere,
        }
    }
}

impl Global {
    /// Creates the context of operations: the acting agent, the files within its reach, and the session that the
    /// environment names.
    pub(crate) fn context<'a>(&self, project: &'a Project<'a>, files: &'a Files) -> Context<'a> {
        let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        // The second is the name that the session protocol itself has for the variable.
        let session = given("HUDDLE_SESSION").or_else(|| given("CLAUDE_SESSION_ID"));
        Context::new(project, self.agent.clone()).with_files(files).with_session(session)
    }
}
