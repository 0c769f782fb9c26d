//! Translates driver errors into storage errors with a hint what to check.

use std::error::Error as _;

use huddle_core::engine::Error;
use mongodb::error::{Error as DriverError, ErrorKind, WriteConcernError, WriteFailure};

use crate::Address;

/// The server's number for a document whose key is taken.
pub(crate) const DUPLICATE_KEY: i32 = 11000;

/// The server's numbers for having ceased to be the primary, and for going down.
const NOT_PRIMARY: [i32; 7] = [91, 189, 10107, 11600, 11602, 13435, 13436];

/// A conflict found inside a transaction, passed through the driver as a custom error.
#[derive(Debug, Clone)]
pub(crate) struct TransactionConflict {
    pub(crate) what: String,
    pub(crate) expected: String,
    pub(crate) found: String,
}

impl TransactionConflict {
    /// Creates the error that ends a transaction.
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
const SET: &str = "check replicaSet in --bus: rs.status() shows what the servers call it";
const MAJORITY: &str = "check with rs.status() that a majority of the replica set is up; then try again, a send with the \
                        same --key as before";
const OTHER: &str = "see what the server says; huddle init makes what a bus needs";

/// Turns an error of the driver into one of storage.
pub(crate) fn to_engine_error(address: &Address, doing: &'static str, error: &DriverError) -> Box<Error> {
    if let Some(TransactionConflict { what, expected, found }) = error.get_custom::<TransactionConflict>().cloned() {
        return Error::Conflict { what, expected, found }.into();
    }
    let (fault, hint) = explained(error);
    let fault = address.redact(&fault);
    Error::Server { doing, address: address.to_string(), fault, hint: hint.to_owned() }.into()
}

/// Returns the fault and the hint.
fn explained(error: &DriverError) -> (String, &'static str) {
    match error.kind.as_ref() {
        ErrorKind::Authentication { message, .. } => (format!("the server does not let us in: {message}"), PASSWORD),
        ErrorKind::IncompatibleServer { message, .. } => (format!("the server is too old: {message}"), OLD),
        ErrorKind::InvalidResponse { message, .. } => (format!("what answers is no MongoDB: {message}"), STRANGER),
        ErrorKind::ServerSelection { message, .. } => selection(message),
        // What was found out before the driver was asked says itself what to do.
        ErrorKind::Io(error) if cfg!(target_os = "wasi") && error.kind() == std::io::ErrorKind::Other => {
            (error.to_string(), REACH)
        }
        ErrorKind::Io(error) => (format!("the connection broke: {error}"), AWAY),
        ErrorKind::Command(command) if matches!(command.code, 13 | 18) => {
            (format!("the server does not allow it: {}", command.message), PASSWORD)
        }
        ErrorKind::Command(command) if NOT_PRIMARY.contains(&command.code) => {
            (format!("the server is not the primary any more: {}", command.message), PRIMARY)
        }
        ErrorKind::Command(command) => (command.message.clone(), OTHER),
        // The driver has tried for as long as it does; what came of the last time is its source.
        ErrorKind::Transaction { message, .. } => match last(error) {
            Some(last) => explained(last),
            None => (message.clone(), OTHER),
        },
        _ => written(error),
    }
}

/// Returns the error of the last attempt, if the driver reports one.
fn last(error: &DriverError) -> Option<&DriverError> {
    let source = error.source()?;
    source.downcast_ref::<Box<DriverError>>().map(AsRef::as_ref).or_else(|| source.downcast_ref())
}

/// Returns the fault and the hint of a failed write.
fn written(error: &DriverError) -> (String, &'static str) {
    if let Some(concern) = unconfirmed(error) {
        return (format!("written, but not confirmed by a majority: {}", concern.message), MAJORITY);
    }
    let message = match error.kind.as_ref() {
        ErrorKind::Write(WriteFailure::WriteError(error)) => Some(&error.message),
        ErrorKind::InsertMany(failed) => failed.write_errors.iter().flatten().map(|error| &error.message).next(),
        _ => None,
    };
    (message.map_or_else(|| error.kind.to_string(), Clone::clone), OTHER)
}

/// Returns why a write that was made is not confirmed, if that is what is wrong.
pub(crate) fn unconfirmed(error: &DriverError) -> Option<&WriteConcernError> {
    match error.kind.as_ref() {
        ErrorKind::Write(WriteFailure::WriteConcernError(concern)) => Some(concern),
        ErrorKind::InsertMany(failed) => failed.write_concern_error.as_ref(),
        _ => None,
    }
}

/// Returns why no server would do: the driver tells all that it knows of each.
fn selection(message: &str) -> (String, &'static str) {
    // Names of servers stand between what is wrong with them, and may have any of these words in them.
    let faults = faults(message);
    let find = |words: &[&str]| faults.iter().find(|fault| words.iter().any(|word| fault.contains(word)));
    let io = |fault: &str| fault.strip_prefix("I/O error: ").unwrap_or(fault).to_owned();
    if has_no_primary(message) {
        ("none of the servers is the primary".to_owned(), PRIMARY)
    } else if message.contains(" wire version ") {
        (format!("the server is too old: {message}"), OLD)
    } else if let Some(fault) = find(&["certificate", "Certificate"]) {
        (format!("the server's certificate is not accepted: {}", io(fault)), CERTIFICATE)
    } else if let Some(fault) = find(&["replicaSet name"]) {
        let fault = fault.split("Connection string ").last().unwrap_or(fault);
        (format!("the servers are of another replica set: {fault}"), SET)
    } else if message.contains("Set Name: ") && !message.contains("Servers: [") {
        // Those that are of another set, or of none, are struck off the list.
        let set = message.split("Set Name: ").nth(1).and_then(|rest| rest.split([',', ' ']).next()).unwrap_or_default();
        (format!("none of the servers is of the replica set {set:?}"), SET)
    } else if find(&["invalid reply", "Invalid", "invalid", "malformed"]).is_some() {
        ("what answers is no MongoDB".to_owned(), STRANGER)
    } else if let Some(fault) = find(&["lookup address", "DNS resolution"]) {
        (format!("the server's name is not known ({})", io(fault)), AWAY)
    } else {
        let reason = faults.iter().find_map(|fault| fault.strip_prefix("I/O error: "));
        let reason = reason.map_or(String::new(), |reason| format!(" ({})", reason.trim()));
        (format!("the server is away{reason}"), AWAY)
    }
}

/// Lists what is wrong with each server, as the driver has it.
fn faults(message: &str) -> Vec<&str> {
    message.split("Error: Kind: ").skip(1).map(|rest| rest.split(", labels: ").next().unwrap_or(rest)).collect()
}

/// Returns whether servers of a replica set were found, and none that can be written to.
fn has_no_primary(message: &str) -> bool {
    ["Type: RsSecondary", "Type: RsGhost", "Type: RsOther", "Type: RsArbiter"].iter().any(|kind| message.contains(kind))
}

/// Returns whether a key is taken.
pub(crate) fn is_duplicate(error: &DriverError) -> bool {
    match error.kind.as_ref() {
        ErrorKind::Write(WriteFailure::WriteError(error)) => error.code == DUPLICATE_KEY,
        ErrorKind::Command(error) => error.code == DUPLICATE_KEY,
        ErrorKind::InsertMany(error) => error.write_errors.iter().flatten().any(|error| error.code == DUPLICATE_KEY),
        _ => false,
    }
}

/// Returns whether the driver takes an error for one that passes.
pub(crate) fn is_transient(error: &DriverError) -> bool {
    let labelled = ["RetryableWriteError", "TransientTransactionError"].iter().any(|label| error.contains_label(label));
    labelled
        || match error.kind.as_ref() {
            ErrorKind::Io(_) | ErrorKind::ConnectionPoolCleared { .. } => true,
            // Reads bear no label.
            ErrorKind::Command(command) => NOT_PRIMARY.contains(&command.code),
            // Some of the set are there, and will elect another.
            ErrorKind::ServerSelection { message, .. } => has_no_primary(message),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the driver says when it finds no server.
    fn topology(kind: &str, servers: &str) -> String {
        format!("Server selection timeout: No available servers. Topology: {{ Type: {kind}{servers} }}")
    }

    fn server(name: &str, fault: &str) -> String {
        let rest = "labels: {}, source: None, server response: None }";
        format!(", Servers: [ {{ Address: {name}, Type: Unknown, Error: Kind: {fault}, {rest} ]")
    }

    #[test]
    fn the_name_of_a_server_is_not_taken_for_what_is_wrong_with_it() {
        let check = |message: &str, fault: &str, hint: &str| {
            let (found, advice) = selection(message);
            assert!(found.contains(fault) && advice == hint, "{message}: {found} ({advice})");
        };
        let refused = "I/O error: Connection refused (os error 111)";
        check(&topology("Unknown", &server("db.invalid:27017", refused)), "away (Connection refused", AWAY);
        check(&topology("Unknown", &server("certificate.example:27017", refused)), "away", AWAY);
        let unknown = "I/O error: failed to lookup address information: Name or service not known";
        check(&topology("Unknown", &server("db.invalid:27017", unknown)), "name is not known", AWAY);
        let garbage = "The server returned an invalid reply to a database operation: garbage";
        check(&topology("Unknown", &server("db:27017", garbage)), "no MongoDB", STRANGER);
        let other = "An invalid argument was provided: Connection string replicaSet name \"x\" does not match actual name \"rs0\"";
        check(&topology("Single", &server("db:27017", other)), "\"x\" does not match", SET);
        check(&topology("ReplicaSetNoPrimary, Set Name: x", ""), "the replica set \"x\"", SET);
    }
}
