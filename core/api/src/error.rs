//! Errors of operations: what a face needs to word them.
//!
//! This is the one place that reads core's errors.

use std::fmt;
use std::ops::Deref;

use huddle_core::bus;
use huddle_core::model::{ErrorKind, NameError, Remedy, Status};
use huddle_core::{compress, session};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// The part of a project that an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The request.
    Request,
    /// The project's own files.
    Project,
    /// The bus, which may be on a server.
    Bus,
}

impl Scope {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Project => "project",
            Self::Bus => "bus",
        }
    }
}

/// An error of an operation. It is a pointer: one word is cheap to pass on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<ErrorDetails>);

/// The details of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorDetails {
    /// What programs tell errors apart by.
    pub kind: ErrorKind,
    /// What was being done, and what was found.
    pub message: String,
    /// What it is about.
    pub scope: Scope,
    /// The advice.
    pub remedy: Remedy,
}

impl Error {
    /// Creates an error of the given kind about the request.
    pub fn new(kind: ErrorKind, message: impl Into<String>, remedy: impl Into<Remedy>) -> Self {
        Self::about(Scope::Request, kind, message.into(), remedy.into())
    }

    /// Creates an error of the given kind about a part of the project.
    pub fn about(scope: Scope, kind: ErrorKind, message: String, remedy: Remedy) -> Self {
        Self(Box::new(ErrorDetails { kind, message, scope, remedy }))
    }

    /// Creates the error of a request without an acting agent.
    pub(crate) fn no_actor() -> Self {
        Self::usage("this command needs to know which agent is acting", Remedy::NameActor)
    }

    /// Creates an error about a request that makes no sense.
    pub fn usage(message: impl Into<String>, remedy: impl Into<Remedy>) -> Self {
        Self::new(ErrorKind::Usage, message, remedy)
    }
}

impl Deref for Error {
    type Target = ErrorDetails;

    fn deref(&self) -> &ErrorDetails {
        &self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.message)
    }
}

impl std::error::Error for Error {}

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Error", 4)?;
        fields.serialize_field("kind", self.kind.as_str())?;
        fields.serialize_field("message", &self.message)?;
        fields.serialize_field("scope", self.scope.as_str())?;
        fields.serialize_field("remedy", &self.remedy.to_string())?;
        fields.end()
    }
}

impl From<Box<bus::Error>> for Error {
    fn from(error: Box<bus::Error>) -> Self {
        Self::about(Scope::Bus, error.kind(), error.to_string(), error.remedy())
    }
}

impl From<Box<session::Error>> for Error {
    fn from(error: Box<session::Error>) -> Self {
        Self::about(Scope::Project, error.kind(), error.to_string(), error.remedy())
    }
}

/// Returns whether an agent could not be moved because it has not started.
pub(crate) fn is_of_waiting_agent(error: &session::Error) -> bool {
    matches!(error, session::Error::IllegalTransition { status, .. } if status == Status::Waiting.as_str())
}

impl From<compress::Error> for Error {
    fn from(error: compress::Error) -> Self {
        Self::new(error.kind(), error.to_string(), error.remedy())
    }
}

impl From<NameError> for Error {
    fn from(error: NameError) -> Self {
        Box::<bus::Error>::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use huddle_core::model::AgentName;

    use super::*;

    #[test]
    fn error_serializes_its_kind_message_scope_and_remedy() {
        let known = vec!["ann".parse().unwrap()];
        let near = Some(AgentName::new("bob").unwrap());
        let error = bus::Error::UnknownAgent { name: "bo".parse().unwrap(), known, near };
        let shown = serde_json::to_string(&Error::from(Box::new(error))).unwrap();
        let expected = concat!(
            r#"{"kind":"not-found","message":"no agent \"bo\" is registered; registered are ann","#,
            r#""scope":"bus","remedy":"did you mean bob?"}"#
        );
        assert_eq!(shown, expected);
    }
}
