//! Executing requests, and what comes up on the way.

use std::cell::RefCell;

use huddle_api::{Context, Request, document};
use huddle_core::model::{Diagnostic, ErrorKind, Json, Remedy};
use huddle_core::wire::answer;
use serde::de::DeserializeOwned;

use super::bindings::exports::huddle::bus::project::{Finding, Guest, Initialized};
use super::bindings::exports::huddle::bus::types::{Error, Failure as WitFailure};
use super::convert::record;
use super::{Component, global, project};
use crate::failure::{Failure, Told};

thread_local! {
    /// The diagnostics of the last call.
    static DIAGNOSTICS: RefCell<Vec<Diagnostic>> = const { RefCell::new(Vec::new()) };
}

/// Executes a request on the project that is open.
pub(super) fn execute<T: DeserializeOwned>(
    agent: impl Into<Option<String>>,
    request: impl Into<Request>,
) -> Result<T, Error> {
    Ok(record(execute_request(agent.into(), request.into())?)?)
}

/// Executes a request whose response lists something.
pub(super) fn execute_list<T: DeserializeOwned>(
    agent: impl Into<Option<String>>,
    request: impl Into<Request>,
    field: &str,
) -> Result<Vec<T>, Error> {
    let mut response = execute_request(agent.into(), request.into())?;
    Ok(record(response[field].take())?)
}

#[inline(never)]
fn execute_request(agent: Option<String>, request: Request) -> Result<Json, Failure> {
    start();
    let global = global(agent);
    let mut context = Context::new(project()?, global.agent.clone()).without_directory_check();
    let result = huddle_api::execute(&mut context, request);
    keep(context.take_diagnostics());
    let failure = |error| {
        let failure = Failure::from(error);
        failure.out_of_reach(&global).unwrap_or(failure)
    };
    Ok(document(&result.map_err(failure)?))
}

/// Starts a call, which has no diagnostics yet.
pub(super) fn start() {
    DIAGNOSTICS.take();
}

/// Keeps diagnostics for a host that asks for them.
pub(super) fn keep(diagnostics: Vec<Diagnostic>) {
    DIAGNOSTICS.with_borrow_mut(|kept| kept.extend(diagnostics));
}

impl From<Failure> for Error {
    #[inline(never)]
    fn from(failure: Failure) -> Self {
        let Told { kind, message, remedy, .. } = &*failure;
        let failure = WitFailure { message: message.clone(), hint: remedy.to_string() };
        match kind {
            ErrorKind::Failed => Self::Failed(failure),
            ErrorKind::Usage => Self::Usage(failure),
            ErrorKind::NotFound => Self::NotFound(failure),
            ErrorKind::TimedOut => Self::TimedOut(failure),
            ErrorKind::Conflict => Self::Conflict(failure),
            ErrorKind::Invalid => Self::Invalid(failure),
        }
    }
}

impl Guest for Component {
    fn init_bus() -> Result<Initialized, Error> {
        execute(None, huddle_api::InitBus {})
    }

    /// Calls do not look for what is wrong with the directory, so this does.
    fn last_findings() -> Vec<Finding> {
        let mut diagnostics = DIAGNOSTICS.take();
        // A bus that cannot be read at all is for the call itself to report.
        let findings = project().ok().and_then(|project| project.bus().directory_findings().ok());
        diagnostics.extend(findings.unwrap_or_default());
        record(answer::findings(&diagnostics, &Remedy::to_string)).unwrap_or_default()
    }
}
