//! Commands that a table describes: each says what it takes in a [`Spec`].

mod spec;

pub(crate) use spec::{Spec, Take, any, must, option};

use std::path::PathBuf;

use huddle_api::{Context, Project};
use huddle_core::model::ErrorKind;
use huddle_core::model::Span;

use crate::call::Call;
use crate::cli::GlobalOptions;
use crate::failure::Failure;
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

/// What a caller gave to a command, each piece under the name that the command's [`Spec`] has for it. It cannot be shown as a
/// whole: there may be a password in it.
#[derive(Debug)]
pub(crate) struct Args {
    spec: &'static Spec,
    given: Vec<(&'static str, String)>,
}

impl Args {
    /// Takes what a parser has found to be complete.
    pub(crate) fn given(spec: &'static Spec, given: Vec<(&'static str, String)>) -> Self {
        Self { spec, given }
    }

    /// Takes what was given to a command, and makes sure that nothing is missing.
    pub(crate) fn complete(spec: &'static Spec, given: Vec<(&'static str, String)>) -> Result<Self, Failure> {
        let args = Self { spec, given };
        for take in spec.takes.iter() {
            let is_given = args.given.iter().any(|(given, _)| *given == take.name);
            if take.is_needed() && !is_given {
                return Err(args.wrong(format!("{} is missing", spec.shown(take.name))));
            }
        }
        Ok(args)
    }

    /// Gives what was given under a name, or its default.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let take = self.spec.takes.iter().find(|take| take.name == name);
        debug_assert!(take.is_some(), "{} has no {name}", self.spec.name);
        let given = self.given.iter().find(|(given, _)| *given == name).map(|(_, value)| value.as_str());
        given.or(take.and_then(|take| take.default))
    }

    /// Gives what was given under a name that the parser has made sure of.
    pub(crate) fn need(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    /// Gives all that was given under a name.
    pub(crate) fn all(&self, name: &str) -> Vec<String> {
        self.given.iter().filter(|(given, _)| *given == name).map(|(_, value)| value.clone()).collect()
    }

    /// Reads what was given under a name.
    pub(crate) fn read<T>(
        &self,
        name: &str,
        reader: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match reader(text) {
            Ok(value) => Ok(Some(value)),
            Err(fault) => Err(self.wrong(format!("{text:?} is no good for {}: {fault}", self.spec.shown(name)))),
        }
    }

    /// Reads a number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Failure> {
        self.read(name, |text| text.parse().map_err(|_| "give a whole number".to_owned()))
    }

    /// Runs the command that was asked for.
    pub(crate) fn run(&self, call: &mut Call<'_>) -> Result<(), Failure> {
        // Check reports on the directory itself, and the others have none to look at.
        const APART: [&str; 1] = ["search"];
        let word = self.spec.name.split(' ').nth(1).unwrap_or_default();
        let elsewhere = self.given.iter().any(|(given, _)| *given == "PATH");
        if !APART.contains(&word) && !elsewhere {
            call.look_over();
        }
        self.run_alone(call)
    }

    /// Runs the command without a look at the directory.
    pub(crate) fn run_alone(&self, call: &mut Call<'_>) -> Result<(), Failure> {
        let done = self.spec.run.map_or(Ok(()), |run| run(self, call));
        done.map_err(|failure| failure.out_of_reach(call.global).unwrap_or(failure))
    }

    /// Makes a failure that shows how the command is used.
    pub(crate) fn wrong(&self, message: impl Into<String>) -> Failure {
        Failure::new(ErrorKind::Usage, message, self.spec.usage())
    }
}
