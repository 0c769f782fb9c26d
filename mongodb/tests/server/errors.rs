//! What goes wrong with a server: each time a reader learns what is wrong and what to check, and never a password.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use huddle_core::bus::{Bus, Draft, NewAgent};
use huddle_core::engine::{Engine, Error};
use huddle_mongod::{PASSWORD, ReplicaSet, Server, USER};
use huddle_mongodb::MongoEngine;
use mongodb::bson::{DateTime, Document, doc};

use crate::clock::Clock;
use crate::support::{name, open};

const SECRET: &str = "s3cret-w0rd";

/// How long the engine looks for a server in these tests.
const BRIEFLY: &str = "serverSelectionTimeoutMS=1500";

/// Opens a bus that cannot be used, and checks what is said of it.
#[track_caller]
fn check(url: &str, fault: &str, hint: &str) {
    let engine = open(url);
    check_error(&engine, fault, hint);
}

#[track_caller]
fn check_error(engine: &MongoEngine<Clock>, fault: &str, hint: &str) {
    let began = Instant::now();
    let error = engine.init().unwrap_err();
    assert!(began.elapsed() < Duration::from_secs(20), "that took {:?}", began.elapsed());
    let shown = format!("{error}\n{error:?}\n{engine:?}");
    for secret in [SECRET, PASSWORD] {
        assert!(!shown.contains(secret), "the password is in what is shown: {shown}");
    }
    let Error::Server { doing, address, fault: found, hint: advice } = &*error else { panic!("{error:?}") };
    assert!(found.contains(fault), "not {fault:?}: {found}");
    assert!(advice.contains(hint), "not {hint:?}: {advice} ({found})");
    assert!(!doing.is_empty() && !address.contains('@') && address.starts_with("mongodb://"), "{error:?}");
    // One line for people, which does not repeat what the driver knows of all servers.
    assert!(error.to_string().len() < 300 && !error.to_string().contains('\n'), "{error}");
}

#[test]
fn a_server_that_is_away() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    check(&format!("mongodb://ann:{SECRET}@127.0.0.1:{port}/db?{BRIEFLY}"), "away", "mongod is running");
    check(&format!("mongodb://ann:{SECRET}@127.0.0.1:{port}/db?{BRIEFLY}&replicaSet=rs0"), "away", "host and port");
}

#[test]
fn a_wrong_password_and_none() {
    let server = Server::with_access_control().unwrap();
    check(&server.url_as(USER, SECRET, "db"), "does not let us in", "password");
    check(&server.url_as("nobody", SECRET, "db"), "does not let us in", "password");
    check(&server.url("db"), "does not allow it", "password");
    assert!(open(&server.url_as(USER, PASSWORD, "db")).init().unwrap(), "the right one opens");
}

#[test]
fn a_replica_set_without_a_primary() {
    let server = Server::member().unwrap();
    check(&format!("{}?{BRIEFLY}&replicaSet=rs0", server.url("db")), "primary", "rs.status()");
    check(&format!("{}?{BRIEFLY}", server.url("db")), "primary", "rs.status()");
}

#[test]
fn a_replica_set_that_lost_its_majority() {
    let mut set = ReplicaSet::start(3).unwrap();
    let engine = open(&format!("{}&{BRIEFLY}", set.url("db")));
    assert!(engine.init().unwrap());
    let primary = set.wait_for_primary().unwrap();
    for other in (0..3).filter(|&member| member != primary) {
        set.kill(other);
    }
    // Until it notices that it is alone, the primary takes writes and cannot confirm them.
    set.wait_for_no_primary().unwrap();
    check_error(&engine, "primary", "majority");
    check(&format!("{}&{BRIEFLY}", set.url("db")), "primary", "majority");
}

#[test]
fn servers_of_another_replica_set_and_of_none() {
    let set = ReplicaSet::start(1).unwrap();
    let url = set.url("db").replace("replicaSet=rs0", "replicaSet=other");
    check(&format!("{url}&{BRIEFLY}"), "\"other\"", "replicaSet");
    check(&format!("{url}&directConnection=true&{BRIEFLY}"), "\"other\"", "replicaSet");
    let single = Server::standalone().unwrap();
    check(&format!("{}?replicaSet=other&{BRIEFLY}", single.url("db")), "\"other\"", "replicaSet");
}

#[test]
fn a_write_that_no_majority_confirms_in_time() {
    let mut set = ReplicaSet::start(3).unwrap();
    let patient = open(&set.url("db"));
    let bus = Bus::new(&patient, &Clock);
    bus.init().unwrap();
    for agent in ["ann", "bob"] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
    let engine = open(&format!("{}&wtimeoutMS=300", set.url("db")));
    let bus = Bus::new(&engine, &Clock);
    engine.directory().unwrap();
    let primary = set.wait_for_primary().unwrap();
    for other in (0..3).filter(|&member| member != primary) {
        set.kill(other);
    }
    // It takes the primary a second to notice that it is alone.
    let error = bus.send(&name("ann"), &Draft::to(&name("bob"), "News")).unwrap_err();
    assert!(error.to_string().contains("not confirmed by a majority"), "{error}");
    assert!(error.hint().contains("--key"), "{}", error.hint());
}

#[test]
fn reads_go_to_the_primary_whatever_the_address_says() {
    let set = ReplicaSet::start(1).unwrap();
    let engine = open(&format!("{}&readPreference=secondary&{BRIEFLY}", set.url("db")));
    assert!(engine.init().unwrap());
    // A transaction, which may only read there.
    Bus::new(&engine, &Clock).register(&name("ann"), &NewAgent::with_role("builder")).unwrap();
    assert_eq!(engine.directory().unwrap().value.agents.len(), 1);
}

#[test]
fn a_server_that_is_back_is_found_by_who_keeps_asking() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let engine = open(&format!("mongodb://127.0.0.1:{port}/db?serverSelectionTimeoutMS=200"));
    check_error(&engine, "away", "mongod is running");
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let began = Instant::now();
    while listener.accept().is_err() {
        assert!(began.elapsed() < Duration::from_secs(10), "nobody comes any more");
        engine.init().unwrap_err();
        thread::sleep(Duration::from_millis(300));
    }
}

#[test]
fn something_that_is_no_mongodb() {
    let port = listen(|mut stream| {
        let _ = stream.read(&mut [0; 1024]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
    check(&format!("mongodb://ann:{SECRET}@127.0.0.1:{port}/db?{BRIEFLY}"), "no MongoDB", "host and port");
}

#[test]
fn a_server_that_is_too_old() {
    // What MongoDB 3.6 says of itself.
    let hello = doc! {
        "ismaster": true,
        "maxBsonObjectSize": 16_777_216,
        "maxMessageSizeBytes": 48_000_000,
        "maxWriteBatchSize": 100_000,
        "localTime": DateTime::now(),
        "logicalSessionTimeoutMinutes": 30,
        "minWireVersion": 0,
        "maxWireVersion": 6,
        "readOnly": false,
        "ok": 1.0,
    };
    let port = listen(move |stream| answer_all(stream, &hello));
    check(&format!("mongodb://127.0.0.1:{port}/db?{BRIEFLY}"), "too old", "newer");
}

/// Has something else than a server listen on a port, for as long as the test runs.
fn listen(serve: impl Fn(TcpStream) + Send + Sync + Clone + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = serve.clone();
            thread::spawn(move || serve(stream));
        }
    });
    port
}

/// Answers whatever is asked with the same document, in the envelope that was asked in.
fn answer_all(mut stream: TcpStream, document: &Document) {
    const REPLY: i32 = 1;
    const MESSAGE: i32 = 2013;
    let body = document.to_vec().unwrap();
    let mut header = [0; 16];
    while stream.read_exact(&mut header).is_ok() {
        let number = |at: usize| i32::from_le_bytes(header[at..at + 4].try_into().unwrap());
        let rest = usize::try_from(number(0)).unwrap() - header.len();
        let mut asked = vec![0; rest];
        if stream.read_exact(&mut asked).is_err() {
            return;
        }
        let (code, mut answer) = match number(12) {
            MESSAGE => (MESSAGE, vec![0; 5]),
            // Flags and a cursor, neither of which there is; the first document of one.
            _ => (REPLY, [[0; 16].as_slice(), &1_i32.to_le_bytes()].concat()),
        };
        answer.extend(&body);
        let length = i32::try_from(header.len() + answer.len()).unwrap();
        let envelope = [length, 1, number(4), code].map(i32::to_le_bytes).concat();
        if stream.write_all(&[envelope, answer].concat()).is_err() {
            return;
        }
    }
}
