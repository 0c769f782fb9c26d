//! The behaviour suite on a real server: natively, and under wasmtime when built for WASI.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

#[path = "server/clock.rs"]
mod clock;

use std::env;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::atomic::{AtomicU32, Ordering};

use clock::Clock;
use huddle_core::Host;
use huddle_core::engine::suite::{self, Engines};
use huddle_mongodb::MongoEngine;
use mongodb::Client;
use mongodb::options::{ClientOptions, ServerAddress};
use tokio::runtime::{Builder, Runtime};

/// Names the variable with the address of a server, without a database, that is used instead of one of our own.
const SERVER: &str = "HUDDLE_TEST_MONGODB";

#[test]
fn on_a_replica_set() {
    if let Ok(address) = env::var(SERVER) {
        return check(&|database| with_database(&address, database));
    }
    #[cfg(target_os = "wasi")]
    panic!("a guest cannot start a server: set {SERVER} to the address of one, as in mongodb://localhost:27017");
    #[cfg(not(target_os = "wasi"))]
    {
        let set = huddle_mongod::ReplicaSet::start(1).unwrap();
        check(&|database| set.url(database));
    }
}

#[cfg(not(target_os = "wasi"))]
#[test]
fn on_a_server_without_replica_set() {
    let server = huddle_mongod::Server::standalone().unwrap();
    check(&|database| server.url(database));
}

/// Runs all cases, each in a database of its own.
fn check(url: &dyn Fn(&str) -> String) {
    let cleaner = Cleaner::new(&url(""));
    suite::run(&mut |case| {
        // Where a failure ends everything, this is what tells which case it was.
        eprintln!("{}", case.name);
        let database = TestDatabase::new(&cleaner);
        let address = url(&database.name);
        let one = MongoEngine::open(&address, Clock).unwrap();
        let two = MongoEngine::open(&address, Clock).unwrap();
        (case.run)(&Engines { one: &one, two: &two, host: &Clock, advance: &|span| Clock.sleep(span) });
    });
}

/// Puts the name of a database into an address that has none.
fn with_database(address: &str, database: &str) -> String {
    let (hosts, options) = address.split_once('?').unwrap_or((address, ""));
    let question = if options.is_empty() { "" } else { "?" };
    format!("{}/{database}{question}{options}", hosts.trim_end_matches('/'))
}

/// A database of its own for each case, removed at the end: a server has only so many files open.
struct TestDatabase<'a> {
    name: String,
    cleaner: &'a Cleaner,
}

impl<'a> TestDatabase<'a> {
    fn new(cleaner: &'a Cleaner) -> Self {
        static PLACES: AtomicU32 = AtomicU32::new(0);
        let (now, number) = (Clock.now().micros(), PLACES.fetch_add(1, Ordering::Relaxed));
        Self { name: format!("suite-{now}-{number}"), cleaner }
    }
}

impl Drop for TestDatabase<'_> {
    fn drop(&mut self) {
        let Cleaner { runtime, client } = self.cleaner;
        drop(runtime.block_on(async { client.database(&self.name).drop().await }));
    }
}

/// A plain driver that removes what cases leave.
struct Cleaner {
    // Declared first, so that it is gone before the tasks are that end its connections.
    client: Client,
    runtime: Runtime,
}

impl Cleaner {
    fn new(address: &str) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let client = runtime.block_on(async {
            let mut options = ClientOptions::parse(address).await.unwrap();
            options.hosts.iter_mut().for_each(look_up);
            Client::with_options(options).unwrap()
        });
        Self { client, runtime }
    }
}

/// Puts an address in the place of a name, which the driver cannot do in a guest.
fn look_up(server: &mut ServerAddress) {
    if let ServerAddress::Tcp { host, port } = server {
        let mut found = (host.as_str(), port.unwrap_or(27017)).to_socket_addrs().unwrap();
        *host = found.find(SocketAddr::is_ipv4).unwrap().ip().to_string();
    }
}

#[test]
fn a_database_is_put_into_an_address() {
    let check = |address: &str, expected: &str| assert_eq!(with_database(address, "db"), expected);
    check("mongodb://host:1", "mongodb://host:1/db");
    check("mongodb://host:1/", "mongodb://host:1/db");
    check("mongodb://a:1,b:2/?replicaSet=rs0", "mongodb://a:1,b:2/db?replicaSet=rs0");
}
