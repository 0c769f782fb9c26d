//! What a command works with.

use huddle_api::{Body, Context, Operation, document};
use huddle_core::model::{Timestamp, WithDiagnostics};
use serde::Serialize;

use crate::failure::Failure;
use crate::global::Global;
use crate::input::Input;
use crate::output::Output;
use huddle_api::Project;

/// One call of the command: the bus, who is calling, and where words come from and go to.
pub(crate) struct Call<'a> {
    /// The project that was named.
    pub(crate) project: &'a Project<'a>,
    /// The project for operations, with the acting agent.
    pub(crate) context: Context<'a>,
    /// How the command is used.
    pub(crate) usage: String,
    /// The options that every command has.
    pub(crate) global: &'a Global,
    /// What arguments refer to.
    pub(crate) input: Input<'a>,
    /// The one object that prints.
    pub(crate) output: Output<'a>,
}

impl Call<'_> {
    /// Executes an operation, and notes what came up beside it.
    pub(crate) fn execute<O: Operation>(&mut self, operation: O) -> Result<O::Response, Failure> {
        let result = self.context.execute(operation);
        self.output.found(self.context.take_diagnostics());
        Ok(result?)
    }

    /// Prints a response: for programs as a document, for people as text.
    pub(crate) fn answer<T: Serialize>(
        &mut self,
        response: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<(), Failure> {
        self.output.answer(|| document(response), || text(response))
    }

    /// Reads the body that an argument stands for; none is null.
    pub(crate) fn body(&mut self, argument: Option<&str>) -> Result<Body, Failure> {
        let Some(argument) = argument else { return Ok(Body::default()) };
        let (body, finding) = self.input.body(argument)?;
        self.output.found(finding);
        Ok(body.into())
    }

    /// Makes a failure that shows how the command is used.
    pub(crate) fn wrong(&self, message: &str) -> Failure {
        Failure::usage(message, self.usage.clone())
    }

    /// Takes what was read, and notes what could not be.
    pub(crate) fn value<T>(&mut self, found: WithDiagnostics<T>) -> T {
        self.output.found(found.findings);
        found.value
    }

    /// Tells the time.
    pub(crate) fn now(&self) -> Timestamp {
        self.project.host().now()
    }
}
