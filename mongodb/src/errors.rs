//! What the driver says, put so that a reader knows what to check.

use huddle_core::engine::Error;
use mongodb::error::{Error as DriverError, ErrorKind, WriteFailure};

use crate::Address;

/// The server's number for a document whose key is taken.
pub(crate) const DUPLICATE_KEY: i32 = 11000;

/// The server's numbers for having ceased to be the primary, and for going down.
const NOT_PRIMARY: [i32; 7] = [91, 189, 10107, 11600, 11602, 13435, 13436];

/// A change that does not fit the state of things, told from within a transaction.
#[derive(Debug, Clone)]
pub(crate) struct Refused {
    pub(crate) what: String,
    pub(crate) expected: String,
    pub(crate) found: String,
}

impl Refused {
    /// Makes the error that ends a transaction.
    pub(crate) fn error(what: String, expected: impl Into<String>, found: impl Into<String>) -> DriverError {
        DriverError::custom(Self { what, expected: expected.into(), found: found.into() })
    }
}

// What to check.
const AWAY: &str = "check that mongod is running, and that host and port in --bus are right and can be reached";
const PRIMARY: &str = "check with rs.status() that a majority of the replica set is up; it elects a primary then";
const PASSWORD: &str = "check user, password and authSource in --bus";
const STRANGER: &str = "check host and port in --bus: something else than MongoDB may be listening there";
const OLD: &str = "use MongoDB 4.4 or newer";
const REACH: &str = "check the address in --bus, and what the host lets the component do";
const CERTIFICATE: &str = "check tlsCAFile in --bus, and that the certificate is for the host that it names";
const OTHER: &str = "see what the server says; huddle init makes what a bus needs";

/// Turns an error of the driver into one of storage.
pub(crate) fn told(address: &Address, doing: &'static str, error: &DriverError) -> Box<Error> {
    if let Some(Refused { what, expected, found }) = error.get_custom::<Refused>().cloned() {
        return Error::Conflict { what, expected, found }.into();
    }
    let (fault, hint) = explained(error);
    let fault = address.redact(&fault);
    Error::Server { doing, address: address.to_string(), fault, hint: hint.to_owned() }.into()
}

/// Says what is wrong, and what to check.
fn explained(error: &DriverError) -> (String, &'static str) {
    match error.kind.as_ref() {
        ErrorKind::Authentication { message, .. } => (format!("the server does not let us in: {message}"), PASSWORD),
        ErrorKind::IncompatibleServer { message, .. } => (format!("the server is too old: {message}"), OLD),
        ErrorKind::InvalidResponse { message, .. } => (format!("what answers is no MongoDB: {message}"), STRANGER),
        ErrorKind::ServerSelection { message, .. } => selection(message),
        // What was found out before the driver was asked says itself what to do.
        ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::Other => (error.to_string(), REACH),
        ErrorKind::Io(error) => (format!("the connection broke: {error}"), AWAY),
        ErrorKind::Command(command) if matches!(command.code, 13 | 18) => {
            (format!("the server does not allow it: {}", command.message), PASSWORD)
        }
        ErrorKind::Command(command) if NOT_PRIMARY.contains(&command.code) => {
            (format!("the server is not the primary any more: {}", command.message), PRIMARY)
        }
        ErrorKind::Command(command) => (command.message.clone(), OTHER),
        _ => (error.to_string(), OTHER),
    }
}

/// Says why no server would do: the driver tells all that it knows of each.
fn selection(message: &str) -> (String, &'static str) {
    let has = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if has_no_primary(message) {
        ("none of the servers is the primary".to_owned(), PRIMARY)
    } else if has(&["certificate", "Certificate"]) {
        let reason = message.split("I/O error: ").nth(1).and_then(|rest| rest.split(", labels").next());
        (format!("the server's certificate is not accepted: {}", reason.unwrap_or(message)), CERTIFICATE)
    } else if has(&["wire version", "incompatible"]) {
        (format!("the server is too old: {message}"), OLD)
    } else if has(&["invalid reply", "Invalid", "invalid", "malformed"]) {
        ("what answers is no MongoDB".to_owned(), STRANGER)
    } else {
        let reason = message.split("I/O error: ").nth(1).and_then(|rest| rest.split([',', '}']).next());
        let reason = reason.map_or(String::new(), |reason| format!(" ({})", reason.trim()));
        (format!("the server is away{reason}"), AWAY)
    }
}

/// Says whether servers of a replica set were found, and none that can be written to.
fn has_no_primary(message: &str) -> bool {
    ["Type: RsSecondary", "Type: RsGhost", "Type: RsOther", "Type: RsArbiter"].iter().any(|kind| message.contains(kind))
}

/// Says whether a key is taken.
pub(crate) fn is_duplicate(error: &DriverError) -> bool {
    match error.kind.as_ref() {
        ErrorKind::Write(WriteFailure::WriteError(error)) => error.code == DUPLICATE_KEY,
        ErrorKind::Command(error) => error.code == DUPLICATE_KEY,
        ErrorKind::InsertMany(error) => error.write_errors.iter().flatten().any(|error| error.code == DUPLICATE_KEY),
        _ => false,
    }
}

/// Says whether the driver takes an error for one that passes.
pub(crate) fn is_transient(error: &DriverError) -> bool {
    let labelled = ["RetryableWriteError", "TransientTransactionError"].iter().any(|label| error.contains_label(label));
    labelled
        || match error.kind.as_ref() {
            ErrorKind::Io(_) | ErrorKind::ConnectionPoolCleared { .. } => true,
            // Some of the set are there, and will elect another.
            ErrorKind::ServerSelection { message, .. } => has_no_primary(message),
            _ => false,
        }
}
