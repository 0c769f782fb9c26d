//! Addresses: where a bus is, and how it may be spoken of.

use std::fmt;

use huddle_core::engine::{Error, Result};
use mongodb::options::{ConnectionString, HostInfo, ServerAddress};

/// The database where the address names none.
const DATABASE: &str = "huddle";
const SCHEME: &str = "mongodb://";

/// The address of a bus. Shown, it has no user, no password and no options.
#[derive(Clone)]
pub struct Address {
    url: String,
    shown: String,
    database: String,
    /// What must not be shown, the longest first: the password, and it with its user.
    secrets: Vec<String>,
}

impl Address {
    /// Reads an address, `mongodb://[USER:PASSWORD@]HOST[:PORT][,…][/DATABASE][?OPTIONS]`.
    ///
    /// What the driver says of one that cannot be read is not passed on: a password that is not escaped looks like a port or
    /// an option, and would be in it. For the same reason nothing of the address is shown then.
    pub fn parse(url: &str) -> Result<Self> {
        if !url.starts_with(SCHEME) {
            return Err(match url.starts_with("mongodb+srv://") {
                true => {
                    wrong("mongodb+srv://…", "names that stand for a list of servers (mongodb+srv) are not looked up")
                }
                false => wrong("…", "the address of a bus begins with mongodb://"),
            });
        }
        let read = ConnectionString::parse(url).map_err(|_| wrong("mongodb://…", fault(url)))?;
        let HostInfo::HostIdentifiers(hosts) = &read.host_info else {
            return Err(wrong("mongodb://…", "it names no server"));
        };
        let hosts: Vec<String> = hosts.iter().map(host).collect();
        let database = read.default_database.as_deref().unwrap_or(DATABASE);
        let shown = format!("{SCHEME}{}/{database}", hosts.join(","));
        let decoded = read.credential.and_then(|credential| credential.password);
        let secrets = secrets(url).map(str::to_owned).into_iter().chain(decoded).filter(|secret| !secret.is_empty());
        Ok(Self { url: url.to_owned(), shown, database: database.to_owned(), secrets: secrets.collect() })
    }

    /// Returns what only the driver may know.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the name of the database.
    pub(crate) fn database(&self) -> &str {
        &self.database
    }

    /// Takes user and password out of what the driver said.
    pub(crate) fn redact(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "…"))
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

/// Finds user with password, and the password, as they stand in an address that can be read.
fn secrets(url: &str) -> [&str; 2] {
    let place = url.strip_prefix(SCHEME).and_then(|rest| rest.split('?').next()).unwrap_or_default();
    let login = place.rsplit_once('@').map_or("", |(login, _)| login);
    [login, login.split_once(':').map_or("", |(_, password)| password)]
}

/// Writes a server as it stands in an address.
fn host(server: &ServerAddress) -> String {
    match server {
        ServerAddress::Tcp { host, port } => {
            let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
            port.map_or(host.clone(), |port| format!("{host}:{port}"))
        }
        other => other.to_string(),
    }
}

/// Returns which part of an address cannot be read.
fn fault(url: &str) -> &'static str {
    let place = url.split('?').next().unwrap_or_default();
    match ConnectionString::parse(place) {
        Ok(_) => "what follows the question mark cannot be read as options",
        Err(_) => "user, password, host, port or database cannot be made out",
    }
}

fn wrong(address: &str, fault: &str) -> Box<Error> {
    let hint = "escape signs like / ? # @ : in user and password as in a web address (%2F %3F %23 %40 %3A), and write it as \
                mongodb://HOST:PORT/DATABASE";
    let (address, fault, hint) = (address.to_owned(), fault.to_owned(), hint.to_owned());
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
        check("mongodb://db:1/team?appName=me@host", "mongodb://db:1/team", "team");
        check("mongodb://ann:s3cret@db/team?appName=me@host/x", "mongodb://db/team", "team");
        check("mongodb://db/my%2Dteam", "mongodb://db/my-team", "my-team");
    }

    #[test]
    fn what_is_no_address_is_refused_without_telling_the_password() {
        let urls = [
            "",
            "db",
            "ann:s3cret@db",
            "http://ann:s3cret@db",
            "mongodb+srv://ann:s3cret@db",
            "mongodb://",
            "mongodb://ann:s3cret",
            "mongodb://ann:s3cret?x@db/team",
            "mongodb://ann:s3cret?x=y@db/team",
            "mongodb://ann:s3cret/x@db/team",
            "mongodb://ann:x/s3cret@db/team",
            "mongodb://ann:x?s3cret@db/team",
            "mongodb://ann:12?s3cret@db/team",
            "mongodb://ann:x@s3cret@db:port",
            "mongodb://ann:x%s3cret@db",
            "mongodb://db:s3cret/team",
        ];
        for url in urls {
            let error = Address::parse(url).unwrap_err();
            assert!(matches!(*error, Error::Server { .. }), "{url}: {error:?}");
            assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn the_password_is_taken_out_of_what_the_driver_says() {
        let address = Address::parse("mongodb://ann:s3%40x@db/?appName=me@host").unwrap();
        assert_eq!(address.redact("ann:s3%40x failed, s3@x is wrong for me@host"), "… failed, … is wrong for me@host");
        assert_eq!(Address::parse("mongodb://db").unwrap().redact("as it was"), "as it was");
    }
}
