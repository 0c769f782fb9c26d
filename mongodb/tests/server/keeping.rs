//! What is kept on a server: by which indexes it is found, how long it stays, and what is taken over from elsewhere.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::TryStreamExt;
use huddle_core::Host;
use huddle_core::bus::{Bus, Draft, NewAgent};
use huddle_core::engine::{Engine, Error, MailSnapshot};
use huddle_core::history::export::snapshot_of;
use huddle_core::migrate::documents_in;
use huddle_core::model::{Place, Span};
use huddle_mongod::{PASSWORD, Server, USER};
use mongodb::IndexModel;
use mongodb::bson::oid::ObjectId;
use mongodb::bson::{Bson, Document, doc};

use crate::clock::Clock;
use crate::support::{Plain, name, new_database, open};

/// Reads documents as `mongoexport` writes them.
fn exported(text: &str) -> MailSnapshot {
    let documents = documents_in(text.as_bytes(), "messages.jsonl");
    assert_eq!(documents.findings, []);
    snapshot_of(documents.value).value
}

/// Writes a message to Bob as another program would have left it, with more fields if there are any.
fn letter(id: &str, more: &str) -> String {
    let rest = r#""from":"ann","to":"bob","content":"Hi","createdAt":{"$date":"2026-01-10T00:00:00Z"}"#;
    format!("{{\"id\":\"{id}\",{rest}{more}}}\n")
}

fn all(plain: &Plain, filter: Document) -> Vec<Document> {
    plain.wait(async { plain.messages.find(filter).sort(doc! { "id": 1, "to": 1 }).await?.try_collect().await })
}

#[test]
fn lookups_have_indexes_and_what_is_put_away_goes_in_time() {
    let address = new_database();
    assert!(open(&address).init().unwrap());
    let plain = Plain::at(&address);
    let indexes: Vec<IndexModel> = plain.wait(async { plain.messages.list_indexes().await?.try_collect().await });
    let indexes: BTreeMap<String, IndexModel> =
        indexes.into_iter().map(|index| (index.options.clone().unwrap().name.unwrap(), index)).collect();
    let keys = |name: &str| indexes[name].keys.keys().map(String::as_str).collect::<Vec<_>>().join(" ");
    let options = |name: &str| indexes[name].options.clone().unwrap();
    assert_eq!(keys("huddle_inbox"), "to read place priority createdAt");
    assert_eq!(keys("huddle_copy"), "id to");
    assert_eq!(keys("huddle_thread"), "threadId createdAt");
    assert_eq!((keys("huddle_key").as_str(), options("huddle_key").unique), ("from huddleKey", Some(true)));
    let kept = options("huddle_retention").expire_after;
    assert_eq!((keys("huddle_retention").as_str(), kept), ("huddleArchivedAt", Some(Duration::from_secs(90 * 86_400))));
}

#[test]
fn records_that_are_put_away_go_in_time_too() {
    let address = new_database();
    let engine = open(&address);
    let bus = Bus::new(&engine, &Clock);
    bus.init().unwrap();
    bus.register(&name("ann"), &NewAgent::with_role("builder")).unwrap();
    let alone = letter("gone", "").replace("\"bob\"", "\"ALL\"") + &letter("lost", r#","place":"outbox""#);
    assert_eq!(engine.import_snapshot(&exported(&alone)).unwrap().value, 0, "none of it is a copy");
    let before = engine.snapshot().unwrap().value;
    assert_eq!((before.records.len(), before.sent.len()), (1, 1));
    let plain = Plain::at(&address);
    assert_eq!(all(&plain, doc! { "huddleArchivedAt": { "$exists": true } }).len(), 0);
    assert_eq!(bus.archive(None, false).unwrap(), 0);
    assert_eq!(all(&plain, doc! { "huddleArchivedAt": { "$type": "date" } }).len(), 2, "both will go");
    assert_eq!(engine.snapshot().unwrap().value, before, "and are there until then");
}

#[test]
fn what_is_taken_over_is_there_once_whatever_its_number() {
    let address = new_database();
    let engine = open(&address);
    engine.init().unwrap();
    let plain = Plain::at(&address);
    // A plain driver has the database number its documents.
    let foreign =
        doc! { "_id": ObjectId::new(), "id": "one", "from": "ann", "to": "bob", "content": "Hi", "read": false };
    plain.wait(async { plain.messages.insert_one(foreign).await });
    let numbered = letter("two", &format!(r#","_id":{{"$oid":"{}"}}"#, ObjectId::new()));
    let renumbered = letter("two", &format!(r#","_id":{{"$oid":"{}"}}"#, ObjectId::new()));
    assert_eq!(engine.import_snapshot(&exported(&(letter("one", "") + &numbered))).unwrap().value, 1);
    assert_eq!(engine.import_snapshot(&exported(&(letter("one", "") + &renumbered))).unwrap().value, 0);
    assert_eq!(all(&plain, doc! { "to": "bob" }).len(), 2, "each is there once");
}

#[test]
fn what_cannot_be_taken_over_is_told() {
    let address = new_database();
    let engine = open(&address);
    engine.init().unwrap();
    let number = format!(r#","_id":{{"$oid":"{}"}}"#, ObjectId::new());
    assert_eq!(engine.import_snapshot(&exported(&letter("one", &number))).unwrap().value, 1);
    let error = engine.import_snapshot(&exported(&letter("two", &number))).unwrap_err();
    assert!(matches!(*error, Error::Conflict { .. }), "{error:?}");
    assert!(error.to_string().contains("message two"), "{error}");
}

#[test]
fn notes_of_another_engine_do_not_come_into_force() {
    let (here, there) = (new_database(), new_database());
    let engine = open(&here);
    let bus = Bus::new(&engine, &Clock);
    bus.init().unwrap();
    for agent in ["ann", "bob"] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
    let draft = Draft { key: Some("k".to_owned()), ..Draft::to(&name("bob"), "News") };
    let sent = bus.send(&name("ann"), &draft).unwrap();
    bus.read(&name("bob"), &sent.id).unwrap();
    assert_eq!(bus.archive(Some(Clock.now().plus(Span::from_seconds(60))), true).unwrap(), 1);
    // The key is forgotten with what is put away; two that have one are as a driver would have copied them.
    let kept = all(&Plain::at(&here), doc! {}).remove(0);
    let mut lines = String::new();
    for id in ["one", "two"] {
        let mut copy = kept.clone();
        copy.extend(doc! { "_id": id, "id": id, "huddleKey": "k" });
        lines += &format!("{}\n", Bson::Document(copy).into_relaxed_extjson());
    }
    let engine = open(&there);
    engine.init().unwrap();
    assert_eq!(engine.import_snapshot(&exported(&lines)).unwrap().value, 2, "{lines}");
    let plain = Plain::at(&there);
    assert_eq!(all(&plain, doc! { "huddleKey": { "$exists": true } }), []);
    let taken = all(&plain, doc! { "place": "archive" });
    assert_eq!(taken.len(), 2);
    let began = |document: &Document| *document.get_datetime("huddleArchivedAt").unwrap();
    assert!(began(&taken[0]) > began(&kept), "its time begins where it came to");
    assert!(engine.snapshot().unwrap().value.deliveries.iter().all(|copy| copy.place == Place::Archive));
}

#[test]
fn a_message_that_is_there_was_sent_whether_it_could_be_counted_or_not() {
    let server = Server::with_access_control().unwrap();
    let root = server.url_as(USER, PASSWORD, "db");
    let engine = open(&root);
    let bus = Bus::new(&engine, &Clock);
    bus.init().unwrap();
    for agent in ["ann", "bob"] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
    // One who may send, and may not write to the directory.
    let may = |collection: &str, actions: &[&str]| {
        doc! { "resource": { "db": "db", "collection": collection }, "actions": actions.to_vec() }
    };
    let rights = [may("messages", &["find", "insert"]), may("agents", &["find"])].to_vec();
    let plain = Plain::at(&root);
    let database = plain.messages.client().database("db");
    plain.wait(async {
        database.run_command(doc! { "createRole": "sender", "privileges": rights, "roles": [] }).await?;
        database.run_command(doc! { "createUser": "ann", "pwd": "words", "roles": ["sender"] }).await
    });
    let address = server.url_as("ann", "words", "db").replace("authSource=admin", "authSource=db");
    let limited = open(&address);
    Bus::new(&limited, &Clock).send(&name("ann"), &Draft::to(&name("bob"), "News")).unwrap();
    assert_eq!(engine.unread(&name("bob")).unwrap().count, 1);
    assert_eq!(engine.directory().unwrap().value.agents.get(&name("bob")).unwrap().message_count, 0);
}
