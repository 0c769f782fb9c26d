//! One server.

use anyhow::Result;
use mongodb::bson::doc;

use crate::admin;
use crate::process::Process;

/// The user that a server with access control knows.
pub const USER: &str = "huddle";

/// That user's password; its signs are such as need no escapes in an address.
pub const PASSWORD: &str = "correct-horse-battery";

/// The name of every replica set.
pub(crate) const SET: &str = "rs0";

/// A running server: killed, and its data removed, when this is dropped or when the process ends.
#[derive(Debug)]
pub struct Server {
    process: Process,
}

impl Server {
    /// Starts a server that belongs to no replica set: without transactions and change streams.
    pub fn standalone() -> Result<Self> {
        Self::start(&[])
    }

    /// Starts a server that answers only to [`USER`] with [`PASSWORD`].
    pub fn with_access_control() -> Result<Self> {
        let server = Self::start(&["--auth"])?;
        // Without any user, one may be made from the same machine.
        let user = doc! { "createUser": USER, "pwd": PASSWORD, "roles": ["root"] };
        admin::run(&server.address(), user)?;
        Ok(server)
    }

    /// Starts a member of a replica set, which has no primary until somebody initiates it.
    pub fn member() -> Result<Self> {
        // A large log of operations takes its time to make and is of no use here.
        Self::start(&["--replSet", SET, "--oplogSize", "16"])
    }

    fn start(args: &[&str]) -> Result<Self> {
        Ok(Self { process: Process::start(args)? })
    }

    /// Returns where it listens, as in `127.0.0.1:27017`.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.process.port())
    }

    /// Returns the address of a database on this server, without a user.
    pub fn url(&self, database: &str) -> String {
        format!("mongodb://{}/{database}", self.address())
    }

    /// Returns the address of a database for somebody with a password, right or wrong.
    pub fn url_as(&self, user: &str, password: &str, database: &str) -> String {
        format!("mongodb://{user}:{password}@{}/{database}?authSource=admin", self.address())
    }

    /// Returns the server's process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_control_keeps_others_out() {
        let server = Server::with_access_control().unwrap();
        let list = doc! { "listDatabases": 1 };
        let refused = format!("{:#}", admin::run(&server.address(), list.clone()).unwrap_err());
        assert!(refused.contains("requires authentication"), "{refused}");
        admin::run(&format!("{USER}:{PASSWORD}@{}", server.address()), list).unwrap();
    }
}
