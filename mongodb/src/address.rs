//! Addresses: where a bus is, and how it may be spoken of.

use std::fmt;

use huddle_core::engine::{Error, Result};
use mongodb::options::ConnectionString;

/// The database where the address names none.
const DATABASE: &str = "huddle";
const SCHEME: &str = "mongodb://";

/// The address of a bus. Shown, it has no user, no password and no options.
#[derive(Clone)]
pub struct Address {
    url: String,
    shown: String,
    database: String,
}

impl Address {
    /// Reads an address, `mongodb://[USER:PASSWORD@]HOST[:PORT][,…][/DATABASE][?OPTIONS]`.
    pub fn parse(url: &str) -> Result<Self> {
        let Some(rest) = url.strip_prefix(SCHEME) else {
            let fault = match url.starts_with("mongodb+srv://") {
                true => "names that stand for a list of servers (mongodb+srv) are not looked up",
                false => "the address of a bus begins with mongodb://",
            };
            return Err(wrong(without_secrets(url), fault.to_owned()));
        };
        let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
        let place = rest.split('?').next().unwrap_or_default();
        let (hosts, database) = place.split_once('/').unwrap_or((place, ""));
        let database = if database.is_empty() { DATABASE } else { database };
        let shown = format!("{SCHEME}{hosts}/{database}");
        let address = Self { url: url.to_owned(), shown: shown.clone(), database: database.to_owned() };
        match ConnectionString::parse(url) {
            Ok(_) => Ok(address),
            Err(error) => Err(wrong(shown, address.redact(&error.to_string()))),
        }
    }

    /// Gives what only the driver may know.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Gives the name of the database.
    pub(crate) fn database(&self) -> &str {
        &self.database
    }

    /// Takes user and password out of what the driver said.
    pub(crate) fn redact(&self, text: &str) -> String {
        let Some(secret) = self.secret() else { return text.to_owned() };
        let mut redacted = text.replace(secret, "…");
        if let Some((_, password)) = secret.split_once(':').filter(|(_, password)| !password.is_empty()) {
            redacted = redacted.replace(password, "…").replace(&decoded(password), "…");
        }
        redacted
    }

    fn secret(&self) -> Option<&str> {
        self.url.strip_prefix(SCHEME)?.rsplit_once('@').map(|(secret, _)| secret)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Address").field(&self.shown).finish()
    }
}

/// Leaves out what stands before the host in anything that looks like an address.
fn without_secrets(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        (None, Some((_, rest))) => rest.to_owned(),
        _ => url.to_owned(),
    }
}

/// Reads the escapes of a password.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = tail.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => (bytes, rest) = ([bytes, vec![byte]].concat(), &tail[2..]),
            None => (bytes, rest) = ([bytes, vec![*first]].concat(), tail),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn wrong(address: String, fault: String) -> Box<Error> {
    let hint =
        "write it as mongodb://HOST:PORT/DATABASE, with user and password escaped as in a web address".to_owned();
    Error::Server { doing: "reading the address", address, fault, hint }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_what_is_secret() {
        let check = |url: &str, shown: &str, database: &str| {
            let address = Address::parse(url).unwrap();
            assert_eq!((address.to_string().as_str(), address.database()), (shown, database), "{url}");
            assert!(!format!("{address:?}").contains("s3"), "{address:?}");
        };
        check("mongodb://localhost", "mongodb://localhost/huddle", "huddle");
        check("mongodb://ann:s3cret@db:27018/team?tls=true", "mongodb://db:27018/team", "team");
        check("mongodb://a:1,b:2/?replicaSet=rs0", "mongodb://a:1,b:2/huddle", "huddle");
        check("mongodb://ann:s3%40x@[::1]:5/x", "mongodb://[::1]:5/x", "x");
    }

    #[test]
    fn what_is_no_address_is_refused_without_telling_the_password() {
        for url in ["", "db", "ann:s3cret@db", "http://ann:s3cret@db", "mongodb+srv://ann:s3cret@db", "mongodb://"] {
            let error = Address::parse(url).unwrap_err();
            assert!(matches!(*error, Error::Server { .. }), "{url}: {error:?}");
            assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn the_password_is_taken_out_of_what_the_driver_says() {
        let address = Address::parse("mongodb://ann:s3%40x@db").unwrap();
        assert_eq!(address.redact("ann:s3%40x failed, s3@x is wrong"), "… failed, … is wrong");
        assert_eq!(Address::parse("mongodb://db").unwrap().redact("as it was"), "as it was");
    }
}
