//! Several servers that keep the same, one of which takes writes.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use mongodb::bson::{Document, doc};

use crate::admin;
use crate::server::{SET, Server};

/// How long the members may take to agree on a primary.
const ELECTION_TIMEOUT: Duration = Duration::from_secs(60);

/// A running replica set: its servers are killed when this is dropped or when the process ends.
#[derive(Debug)]
pub struct ReplicaSet {
    /// The members; none where one was killed.
    members: Vec<Option<Server>>,
    addresses: Vec<String>,
}

impl ReplicaSet {
    /// Starts so many servers, makes them one replica set, and waits until it takes writes.
    pub fn start(members: usize) -> Result<Self> {
        ensure!(members > 0, "a replica set needs a member");
        let members = (0..members).map(|_| Server::member()).collect::<Result<Vec<_>>>()?;
        let addresses: Vec<String> = members.iter().map(Server::address).collect();
        let set = Self { members: members.into_iter().map(Some).collect(), addresses };
        admin::run(&set.addresses[0], doc! { "replSetInitiate": set.settings() })?;
        set.wait_for_primary()?;
        // A member that is still copying the first data cannot take over from one that is killed.
        admin::until("all members to be of use", ELECTION_TIMEOUT, || set.is_whole().map(|whole| whole.then_some(())))?;
        Ok(set)
    }

    /// Returns the address of a database, naming all members that there ever were.
    pub fn url(&self, database: &str) -> String {
        format!("mongodb://{}/{database}?replicaSet={SET}", self.addresses.join(","))
    }

    /// Returns the process ids of the members that are running.
    pub fn ids(&self) -> Vec<u32> {
        self.members.iter().flatten().map(Server::id).collect()
    }

    /// Kills a member as `kill -9` does; it never comes back.
    pub fn kill(&mut self, index: usize) {
        self.members[index] = None;
    }

    /// Kills the member that takes writes, and returns which it was. The others go on without it.
    pub fn kill_primary(&mut self) -> Result<usize> {
        let primary = self.wait_for_primary()?;
        self.kill(primary);
        Ok(primary)
    }

    /// Waits until a member takes writes, and returns which it is.
    pub fn wait_for_primary(&self) -> Result<usize> {
        admin::until("a primary", ELECTION_TIMEOUT, || self.primary())
    }

    /// Waits until no member takes writes, as when too few are left to agree on one.
    pub fn wait_for_no_primary(&self) -> Result<()> {
        admin::until("the primary to step down", ELECTION_TIMEOUT, || Ok(self.primary()?.is_none().then_some(())))
    }

    /// Returns the member that takes writes now, if there is one.
    fn primary(&self) -> Result<Option<usize>> {
        for (index, member) in self.members.iter().enumerate() {
            let Some(member) = member else { continue };
            if says(member, "isWritablePrimary")? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Returns whether every member takes writes or follows the one that does.
    fn is_whole(&self) -> Result<bool> {
        for member in self.members.iter().flatten() {
            if !says(member, "isWritablePrimary")? && !says(member, "secondary")? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes down the set for its members: impatient ones, as nothing but a kill comes between them.
    fn settings(&self) -> Document {
        let member = |(index, address): (usize, &String)| doc! { "_id": index as i32, "host": address };
        let members: Vec<Document> = self.addresses.iter().enumerate().map(member).collect();
        let settings = doc! { "electionTimeoutMillis": 1000, "heartbeatIntervalMillis": 200 };
        doc! { "_id": SET, "members": members, "settings": settings }
    }
}

/// Reads one yes or no of what a member says of itself.
fn says(member: &Server, field: &str) -> Result<bool> {
    let answer = admin::run(&member.address(), doc! { "hello": 1 })?;
    answer.get_bool(field).with_context(|| format!("a server does not say {field:?}: {}", member.address()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn is_running(id: u32) -> bool {
        PathBuf::from(format!("/proc/{id}")).exists()
    }

    fn check_answers(address: &str) {
        let answer = admin::run(address, doc! { "ping": 1 }).unwrap();
        assert_eq!(answer.get_f64("ok").ok(), Some(1.0), "{address} answers");
    }

    #[test]
    fn servers_are_there_and_then_gone() {
        let standalone = Server::standalone().unwrap();
        check_answers(&standalone.address());
        let set = ReplicaSet::start(1).unwrap();
        check_answers(&set.addresses[0]);
        let ids = [set.ids(), vec![standalone.id()]].concat();
        assert_eq!(ids.len(), 2);
        assert!(ids.iter().all(|&id| is_running(id)), "{ids:?} are running");
        drop((standalone, set));
        assert!(!ids.iter().any(|&id| is_running(id)), "{ids:?} have ended");
    }

    #[test]
    fn another_member_takes_over_from_the_one_that_is_killed() {
        let mut set = ReplicaSet::start(3).unwrap();
        let killed = set.kill_primary().unwrap();
        assert_ne!(set.wait_for_primary().unwrap(), killed);
        assert_eq!(set.ids().len(), 2);
    }
}
