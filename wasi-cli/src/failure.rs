//! Failures: the one place that turns an error into a kind, a hint and an exit code.

use std::io;
use std::path::Path;

use huddle_core::bus::{self, Kind};
use huddle_core::compress;
use huddle_core::model::NameError;
use huddle_core::session;

/// Why a command did not do what was asked, and what to do about it.
///
/// It is a pointer: every `?` of every command passes it on, and one word makes less code than eight.
#[derive(Debug)]
pub(crate) struct Failure(Box<Told>);

/// What a failure tells.
#[derive(Debug)]
pub(crate) struct Told {
    /// What a program tells failures apart by: each kind has its exit code.
    pub(crate) kind: Kind,
    /// What went wrong.
    pub(crate) message: String,
    /// What to do; empty when there is nothing to advise.
    pub(crate) hint: String,
    /// Whether it was the project's own files that could not be worked with.
    pub(crate) of_project: bool,
    /// Whether the answer has said it already, so that only the exit code is left to give.
    pub(crate) said: bool,
}

impl Failure {
    /// Makes a failure that is yet to be told.
    pub(crate) fn new(kind: Kind, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self(Box::new(Told { kind, message: message.into(), hint: hint.into(), of_project: false, said: false }))
    }

    /// Makes a failure of the project's own files.
    fn of_project(kind: Kind, message: String, hint: impl Into<String>) -> Self {
        let mut failure = Self::new(kind, message, hint);
        failure.0.of_project = true;
        failure
    }

    /// Gives the failure that explains this one, if the project is out of reach: where a host decides what is in reach,
    /// all else looks as if it were not there.
    pub(crate) fn out_of_reach(&self, root: &Path) -> Option<Self> {
        let denied = cfg!(target_os = "wasi") && self.of_project && root.metadata().is_err();
        denied.then(|| {
            let message =
                format!("the project's directory is not there, or the host has not opened it: {}", root.display());
            Self::new(Kind::Failed, message, "open it: wasmtime run --dir .; in other hosts, as a preopened directory")
        })
    }

    /// Makes a failure that the command's answer has told in full.
    pub(crate) fn said(kind: Kind) -> Self {
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
        Self::of_project(error.kind(), error.to_string(), error.hint())
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
            Kind::Failed,
            format!("writing the answer failed: {error}"),
            "what was asked for was done all the same",
        )
    }
}
