//! The context of operations: a project, the acting agent, and the diagnostics that come up.

use std::collections::BTreeSet;

use huddle_core::bus::Bus;
use huddle_core::model::{AgentName, Diagnostic, Remedy, SessionId, Timestamp, WithDiagnostics};
use serde::Serialize;

use crate::files::NoFiles;
use crate::{Error, FileReader, HistoryFiles, HistorySource, LoadedHistory, Project};

/// One request, which can be run.
pub trait Operation {
    /// The response, which serializes to the document that programs read.
    type Response: Serialize;

    /// Whether problems of the agent directory concern whoever runs it.
    const READS_DIRECTORY: bool = true;

    /// Runs the operation.
    fn run(self, context: &mut Context<'_>) -> Result<Self::Response, Error>;
}

/// The project that operations run on, and the agent that acts.
pub struct Context<'a> {
    project: &'a Project<'a>,
    bus: Bus<'a>,
    agent: Option<String>,
    /// The session of requests that name none.
    session: Option<String>,
    files: &'a dyn FileReader,
    histories: Option<&'a dyn HistorySource>,
    /// Whether problems of the directory are still to be collected.
    checks_directory: bool,
    diagnostics: Diagnostics,
}

/// Diagnostics, each once, in the order they came in.
#[derive(Default)]
struct Diagnostics {
    all: Vec<Diagnostic>,
    known: BTreeSet<Diagnostic>,
}

impl<'a> Context<'a> {
    /// Creates a context for an agent, whose name is validated when an operation needs it.
    pub fn new(project: &'a Project<'a>, agent: Option<String>) -> Self {
        project.set_lock_owner(agent.as_deref().unwrap_or("huddle"));
        let agent = agent.filter(|name| !name.is_empty());
        Self {
            project,
            bus: project.bus(),
            agent,
            session: None,
            files: &NoFiles,
            histories: None,
            checks_directory: true,
            diagnostics: Diagnostics::default(),
        }
    }

    /// Sets the session of requests that name none.
    #[must_use]
    pub fn with_session(mut self, session: Option<String>) -> Self {
        self.session = session;
        self
    }

    /// Sets where histories are read from.
    #[must_use]
    pub fn with_histories(mut self, histories: &'a dyn HistorySource) -> Self {
        self.histories = Some(histories);
        self
    }

    /// Sets what reads the files that requests name.
    #[must_use]
    pub fn with_files(mut self, files: &'a dyn FileReader) -> Self {
        self.files = files;
        self
    }

    /// Leaves the agent directory to callers that check it themselves.
    #[must_use]
    pub fn without_directory_check(mut self) -> Self {
        self.checks_directory = false;
        self
    }

    /// Runs an operation, and collects its diagnostics.
    pub fn execute<O: Operation>(&mut self, operation: O) -> Result<O::Response, Error> {
        if O::READS_DIRECTORY && self.checks_directory {
            self.check_directory();
            self.checks_directory = false;
        }
        let result = operation.run(self);
        self.note(self.bus.take_findings());
        result
    }

    /// Collects the diagnostics of the agent directory: operations use what can be read of it.
    pub fn check_directory(&mut self) {
        // A bus that cannot be read at all fails the operation itself.
        if let Ok(diagnostics) = self.bus.directory_findings() {
            self.note(diagnostics);
        }
    }

    /// Returns the project.
    pub fn project(&self) -> &'a Project<'a> {
        self.project
    }

    /// Returns the bus.
    pub fn bus(&self) -> &Bus<'a> {
        &self.bus
    }

    /// Returns what reads the files that requests name.
    pub fn files(&self) -> &'a dyn FileReader {
        self.files
    }

    /// Opens the files of the history at some paths; without any, of the project.
    pub fn open_history(&self, paths: &[String]) -> Result<Box<dyn HistoryFiles>, Error> {
        let none = || Error::usage("no histories can be read here", "name a message or a thread of the bus");
        self.histories.ok_or_else(none)?.open(paths)
    }

    /// Loads the history at some paths; without any, of the project.
    pub fn load_history(&self, paths: &[String]) -> Result<LoadedHistory, Error> {
        LoadedHistory::load(&*self.open_history(paths)?, self.now())
    }

    /// Returns the current time.
    pub fn now(&self) -> Timestamp {
        self.project.host().now()
    }

    /// Returns the acting agent, if there is one.
    pub fn agent(&self) -> Result<Option<AgentName>, Error> {
        Ok(self.agent.as_deref().map(AgentName::new).transpose()?)
    }

    /// Returns the acting agent, which the operation needs.
    pub fn actor(&self) -> Result<AgentName, Error> {
        self.agent()?.ok_or_else(Error::no_actor)
    }

    /// Returns the acting agent as the caller named it.
    pub(crate) fn agent_text(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// Returns the session that a request names, or else the one of the context. An empty name is as good as none.
    pub(crate) fn session(&self, named: Option<String>) -> Result<SessionId, Error> {
        let is_given = |id: &String| !id.is_empty();
        let Some(id) = named.filter(is_given).or_else(|| self.session.clone().filter(is_given)) else {
            let sessions = self.project.sessions.list()?.value;
            let newest = sessions.into_iter().rfind(|session| session.closed_at.is_none()).map(|session| session.id);
            let message = "this command needs to know which session is meant";
            return Err(Error::usage(message, Remedy::NameSession(newest)));
        };
        Ok(SessionId::new(id)?)
    }

    /// Adds diagnostics; each is kept once.
    pub fn note(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            if self.diagnostics.known.insert(diagnostic.clone()) {
                self.diagnostics.all.push(diagnostic);
            }
        }
    }

    /// Separates a value from its diagnostics, which are collected.
    pub fn collect<T>(&mut self, found: WithDiagnostics<T>) -> T {
        self.note(found.findings);
        found.value
    }

    /// Takes the diagnostics that have been collected.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics).all
    }
}

#[cfg(test)]
mod tests {
    use huddle_core::engine::fs::memory::MemoryFs;
    use huddle_core::engine::memory::MemoryEngine;
    use huddle_core::host::FixedHost;
    use huddle_core::model::Severity;

    use super::*;

    #[test]
    fn diagnostics_are_kept_once_and_in_order() {
        let (host, files) = (FixedHost::at("2025-11-29T14:30:52Z"), MemoryFs::default());
        let project = Project::new(&host, Box::new(MemoryEngine::new(&host)), "memory", &files);
        let mut context = Context::new(&project, None);
        let diagnostic = |place: &str| Diagnostic {
            severity: Severity::Warning,
            code: "foreign-file",
            place: place.to_owned(),
            message: String::new(),
            remedy: Default::default(),
        };
        context.note(["b", "a", "b"].map(diagnostic));
        context.note(["a", "c"].map(diagnostic));
        let places: Vec<_> = context.take_diagnostics().into_iter().map(|diagnostic| diagnostic.place).collect();
        assert_eq!(places, ["b", "a", "c"]);
        assert!(context.take_diagnostics().is_empty());
    }
}
