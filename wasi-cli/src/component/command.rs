//! Functions whose operation has no request yet: they run a command.

use huddle_core::model::Json;
use serde::de::DeserializeOwned;

use super::bindings::exports::huddle::bus::types::Error;
use super::convert::record;
use super::execute::{keep, start};
use super::{global, project};
use crate::args::Args;
use crate::failure::Failure;
use crate::tools;

/// A command and what it is given, each piece under the command's own name for it.
pub(super) struct Command {
    words: &'static str,
    given: Vec<(&'static str, String)>,
}

impl Command {
    pub(super) fn new(words: &'static str) -> Self {
        Self { words, given: Vec::new() }
    }

    /// Adds what may have been left out.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Option<String>>) -> Self {
        self.given.extend(value.into().map(|value| (name, value)));
        self
    }

    pub(super) fn all(mut self, name: &'static str, values: Option<Vec<String>>) -> Self {
        self.given.extend(values.into_iter().flatten().map(|value| (name, value)));
        self
    }

    pub(super) fn flag(self, name: &'static str, is_set: Option<bool>) -> Self {
        self.with(name, is_set.unwrap_or_default().then(String::new))
    }

    /// Runs the command and returns its answer.
    pub(super) fn run<T: DeserializeOwned>(self, agent: impl Into<Option<String>>) -> Result<T, Error> {
        Ok(record(self.answer(agent.into())?)?)
    }

    /// Runs a command that lists something.
    pub(super) fn list<T: DeserializeOwned>(self, field: &str) -> Result<Vec<T>, Error> {
        let mut answer = self.answer(None)?;
        Ok(record(answer[field].take())?)
    }

    /// Runs a command whose answer is passed on as JSON.
    pub(super) fn json(self, agent: String) -> Result<String, Error> {
        Ok(self.answer(Some(agent))?.to_string())
    }

    #[inline(never)]
    fn answer(self, agent: Option<String>) -> Result<Json, Failure> {
        start();
        let global = global(agent);
        let args = tools::args(tools::find(self.words), &global, self.given)?;
        let (ended, answer, diagnostics) = tools::follow(project()?, &args, &global, Args::run_alone);
        keep(diagnostics);
        ended.map(|()| answer)
    }
}
