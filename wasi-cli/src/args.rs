//! The command line: each command says what it takes in a [`Spec`], and one parser and one help page serve them all.
//!
//! Made by hand because the component must stay small: an argument parser for everything weighs a quarter of a megabyte.

mod help;
mod parse;
mod spec;

pub(crate) use help::help;
pub(crate) use parse::{Asked, parse, wants_json};
pub(crate) use spec::{Spec, Take, any, flag, many, maybe, must, needed, option, repeated};

use std::path::PathBuf;

use huddle_core::bus::ErrorKind;
use huddle_core::model::{NameError, Span};

use crate::call::Call;
use crate::failure::Failure;
use crate::files::Reach;
use crate::when;

/// The options that every command has.
pub(crate) const GLOBAL: &[Take] = &[
    option("as", "AGENT", "the agent that acts").env("HUDDLE_AGENT"),
    option("root", "DIR", "the project that has the message bus").env("HUDDLE_ROOT").default("."),
    option("bus", "ADDRESS", "a bus in MongoDB instead: mongodb://HOST/DATABASE").env("HUDDLE_BUS"),
    flag("json", "answer with one JSON document"),
    option("lock-wait", "SECONDS", "how long to wait for what another agent has locked").default("30"),
];

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

impl Global {
    /// Names who acts, for those who have to wait.
    pub(crate) fn owner(&self) -> &str {
        self.agent.as_deref().unwrap_or("huddle")
    }

    /// Reads what every command has.
    pub(crate) fn read(args: &Args) -> Result<Self, Failure> {
        Ok(Self {
            agent: args.text("as").filter(|name| !name.is_empty()).map(str::to_owned),
            root: args.text("root").filter(|dir| !dir.is_empty()).unwrap_or(".").into(),
            bus: args.text("bus").filter(|address| !address.is_empty()).map(str::to_owned),
            json: args.has("json"),
            lock_wait: args.read("lock-wait", when::span)?.unwrap_or_default(),
            reach: Reach::Anywhere,
        })
    }
}

/// What a caller gave to a command, each piece under the name that the command's [`Spec`] has for it. It cannot be shown as a
/// whole: there may be a password in it.
pub(crate) struct Args {
    spec: &'static Spec,
    given: Vec<(&'static str, String)>,
}

impl Args {
    /// Takes what was given to a command, fills in what the environment says, and makes sure that nothing is missing.
    pub(crate) fn complete(spec: &'static Spec, given: Vec<(&'static str, String)>) -> Result<Self, Failure> {
        let mut args = Self { spec, given };
        for take in spec.takes.iter().chain(GLOBAL) {
            let given = args.given.iter().any(|(given, _)| *given == take.name);
            let env = take.env.filter(|_| !given).and_then(|name| std::env::var(name).ok());
            let known = given || env.is_some();
            args.given.extend(env.map(|value| (take.name, value)));
            if take.is_needed() && !known {
                return Err(args.wrong(format!("{} is missing", spec.shown(take.name))));
            }
        }
        Ok(args)
    }

    /// Says whether something was given, or has a default.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.text(name).is_some()
    }

    /// Gives what was given under a name, or its default.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let take = self.spec.takes.iter().chain(GLOBAL).find(|take| take.name == name);
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

    /// Reads a name that the parser has made sure of.
    pub(crate) fn name<T: std::str::FromStr<Err = NameError>>(&self, name: &str) -> Result<T, Failure> {
        Ok(self.need(name).parse()?)
    }

    /// Runs the command that was asked for.
    pub(crate) fn run(&self, call: &mut Call<'_>) -> Result<(), Failure> {
        // Check reports on the directory itself, and the others have none to look at.
        const APART: [&str; 14] = [
            "init", "primer", "skill", "hooks", "mcp", "check", "session", "compress", "expand", "history", "timeline",
            "search", "export", "view",
        ];
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
