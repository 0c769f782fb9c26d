//! Failures: the one place that turns an error into a kind, a hint and an exit code.

use std::io;

use huddle_core::bus::{self, ErrorKind};
use huddle_core::compress;
use huddle_core::model::NameError;
use huddle_core::session;

use crate::args::Global;

/// Why a command did not do what was asked, and what to do about it.
///
/// It is a pointer: every `?` of every command passes it on, and one word makes less code than eight.
#[derive(Debug)]
pub(crate) struct Failure(Box<Told>);

/// What a failure tells.
#[derive(Debug)]
pub(crate) struct Told {
    /// What a program tells failures apart by: each kind has its exit code.
    pub(crate) kind: ErrorKind,
    /// What went wrong.
    pub(crate) message: String,
    /// What to do; empty when there is nothing to advise.
    pub(crate) hint: String,
    /// Whether it was the project's own files that could not be worked with.
    pub(crate) of_project: bool,
    /// Whether those were the bus's, which may be elsewhere.
    pub(crate) of_bus: bool,
    /// Whether the answer has said it already, so that only the exit code is left to give.
    pub(crate) said: bool,
}

impl Failure {
    /// Makes a failure that is yet to be told. What it repeats of what a caller gave has no password in it.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let (message, hint) = (scrubbed(message.into()), hint.into());
        Self(Box::new(Told { kind, message, hint, of_project: false, of_bus: false, said: false }))
    }

    /// Makes a failure of the project's own files.
    fn of_project(kind: ErrorKind, message: String, hint: impl Into<String>) -> Self {
        let mut failure = Self::new(kind, message, hint);
        failure.0.of_project = true;
        failure
    }

    /// Gives the failure that explains this one, if the project is out of reach: where a host decides what is in reach,
    /// all else looks as if it were not there.
    pub(crate) fn out_of_reach(&self, Global { root, bus, .. }: &Global) -> Option<Self> {
        // One without a network has no bus elsewhere.
        let is_elsewhere = cfg!(feature = "mongodb") && self.of_bus && bus.is_some();
        let denied = cfg!(target_os = "wasi") && self.of_project && !is_elsewhere && root.metadata().is_err();
        denied.then(|| {
            let message =
                format!("the project's directory is not there, or the host has not opened it: {}", root.display());
            Self::new(
                ErrorKind::Failed,
                message,
                "open it: wasmtime run --dir .; in other hosts, as a preopened directory",
            )
        })
    }

    /// Makes a failure that the command's answer has told in full.
    pub(crate) fn said(kind: ErrorKind) -> Self {
        let mut failure = Self::new(kind, "", "");
        failure.0.said = true;
        failure
    }
}

impl std::ops::Deref for Failure {
    type Target = Told;

    fn deref(&self) -> &Told {
        &self.0
    }
}

impl From<Box<bus::Error>> for Failure {
    fn from(error: Box<bus::Error>) -> Self {
        let mut failure = Self::of_project(error.kind(), error.to_string(), error.hint());
        failure.0.of_bus = true;
        failure
    }
}

impl From<Box<session::Error>> for Failure {
    fn from(error: Box<session::Error>) -> Self {
        Self::of_project(error.kind(), error.to_string(), error.hint())
    }
}

impl From<compress::Error> for Failure {
    fn from(error: compress::Error) -> Self {
        Self::new(error.kind(), error.to_string(), error.hint())
    }
}

impl From<NameError> for Failure {
    fn from(error: NameError) -> Self {
        Box::<bus::Error>::from(error).into()
    }
}

/// An answer that could not be written.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::new(
            ErrorKind::Failed,
            format!("writing the answer failed: {error}"),
            "what was asked for was done all the same",
        )
    }
}

/// Takes user and password out of an address in a text: it may stand where a command expects something else, and come back
/// in what is said of it. A password may have any sign in it, so all goes up to the last `@`.
fn scrubbed(text: String) -> String {
    let secret = text.split_once(":/").and_then(|(before, rest)| Some((before, rest.rsplit_once('@')?.1)));
    match secret {
        Some((before, after)) => format!("{before}://…@{after}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_user_and_password() {
        let check = |text: &str, expected: &str| assert_eq!(scrubbed(text.to_owned()), expected);
        check("there is no command x mongodb://ann:s3cret@db/team", "there is no command x mongodb://…@db/team");
        check("no such file: mongodb:/ann:s3 cr@et@db", "no such file: mongodb://…@db");
        check("see https://huddle.example", "see https://huddle.example");
        check("ann@db: mongodb://db/team", "ann@db: mongodb://db/team");
        check("", "");
    }
}
