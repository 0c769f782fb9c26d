//! Beside agents that know the protocol alone: they insert, find and update documents with a plain driver.

use std::collections::BTreeMap;

use futures_util::TryStreamExt;
use huddle_core::bus::{Bus, Draft, InboxFilter, NewAgent};
use huddle_core::engine::{Engine, Seen};
use huddle_core::model::{Delivery, MessageType, Place, Priority, Timestamp};
use mongodb::bson::oid::ObjectId;
use mongodb::bson::spec::ElementType;
use mongodb::bson::{DateTime, Document, doc};
use serde_json::json;

use crate::clock::Clock;
use crate::support::{Plain, name, new_database, open};

const DIRECTOR: &str = "director-001";
const RESEARCHER: &str = "researcher-001";

/// Creates a document with the protocol's fields and nothing else.
fn letter(id: &str, at: &str) -> Document {
    doc! {
        "id": id,
        "from": DIRECTOR,
        "to": RESEARCHER,
        "content": "Research MongoDB patterns",
        "type": "task",
        "threadId": "thread-1",
        "priority": "normal",
        "createdAt": DateTime::parse_rfc3339_str(at).unwrap(),
        "read": false,
    }
}

/// Sets fields of a document, or removes them where the value is null.
fn with(mut document: Document, changes: Document) -> Document {
    for (field, value) in changes {
        match value.as_null() {
            Some(()) => drop(document.remove(field)),
            None => drop(document.insert(field, value)),
        }
    }
    document
}

fn time(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

/// Finds what an agent finds that asks for its unread messages as the protocol has them.
fn unread_of(plain: &Plain, agent: &str) -> Vec<Document> {
    let query = plain.messages.find(doc! { "to": agent, "read": false }).sort(doc! { "createdAt": 1 });
    plain.wait(async { query.await?.try_collect().await })
}

fn ids(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.message.id.as_str()).collect()
}

#[test]
fn what_a_plain_driver_inserted_is_listed_counted_and_read() {
    let address = new_database();
    let plain = Plain::at(&address);
    let (fourth, fifth) = (ObjectId::new(), ObjectId::new());
    let first =
        with(letter("one", "2026-01-10T10:30:00Z"), doc! { "content": r#"{"taskId":"t-1","title":"Patterns"}"# });
    let urgent = doc! { "priority": "high", "type": "status", "createdAt": "2026-01-10T10:31:00Z", "threadId": null };
    let documents = [
        first,
        with(letter("two", "2026-01-10T10:31:00Z"), urgent),
        // The protocol does not say that unread messages say so.
        with(letter("three", "2026-01-10T10:32:00.250Z"), doc! { "read": null }),
        // The database gives an id to what has none.
        with(letter("", "2026-01-10T10:33:00Z"), doc! { "id": null, "_id": fourth }),
        with(
            letter("", "2026-01-10T10:34:00Z"),
            doc! { "id": null, "_id": fifth, "createdAt": "2026-01-10T10:34:00Z" },
        ),
        with(letter("read", "2026-01-10T10:35:00Z"), doc! { "read": true }),
        with(letter("other", "2026-01-10T10:36:00Z"), doc! { "to": "writer-001" }),
    ];
    plain.wait(async { plain.messages.insert_many(documents).await });

    let engine = open(&address);
    engine.init().unwrap();
    let researcher = name(RESEARCHER);
    let (fourth, fifth) = (fourth.to_hex(), fifth.to_hex());
    let unread = engine.inbox(&researcher, true).unwrap();
    assert_eq!(unread.findings, []);
    assert_eq!(ids(&unread.value), ["one", "two", "three", &fourth, &fifth]);
    assert_eq!(engine.inbox(&researcher, false).unwrap().value.len(), 6);
    let counted = engine.unread(&researcher).unwrap();
    assert_eq!((counted.count, counted.oldest), (5, Some(time("2026-01-10T10:30:00Z"))));

    let [one, two, three, ..] = &unread.value[..] else { panic!("{unread:?}") };
    assert_eq!(one.message.from, name(DIRECTOR));
    assert_eq!(one.message.body, json!({ "taskId": "t-1", "title": "Patterns" }));
    assert_eq!(one.message.kind, MessageType::new("task"));
    assert_eq!(one.message.thread.as_ref().map(|thread| thread.as_str()), Some("thread-1"));
    assert_eq!((two.message.priority, &two.message.thread), (Priority::High, &None));
    assert_eq!(two.message.sent_at, time("2026-01-10T10:31:00Z"));
    assert_eq!(two.message.body, json!("Research MongoDB patterns"));
    assert_eq!(three.message.sent_at, time("2026-01-10T10:32:00.250Z"));

    for (read, delivery) in unread.value.iter().enumerate() {
        let id = &delivery.message.id;
        let copy = engine.delivery(&researcher, id).unwrap().unwrap();
        assert_eq!((&copy.message, &copy.place), (&delivery.message, &Place::Inbox));
        let at = time("2026-01-10T11:00:00Z");
        assert_eq!(engine.mark_seen(&researcher, id, at).unwrap(), Seen::First, "{id}");
        assert_eq!(engine.mark_seen(&researcher, id, at).unwrap(), Seen::Already(Some(at)), "{id}");
        assert_eq!(engine.unread(&researcher).unwrap().count, 4 - read);
    }
    assert_eq!(unread_of(&plain, RESEARCHER), [], "all is read for others, too");
    assert_eq!(unread_of(&plain, "writer-001").len(), 1, "and nobody else's");
}

#[test]
fn the_bus_works_on_what_a_plain_driver_inserted() {
    let address = new_database();
    let plain = Plain::at(&address);
    let unknown = doc! { "attempt": 3, "trace": { "span": "abc" } };
    let document = with(letter("one", "2026-01-10T10:30:00Z"), unknown);
    plain.wait(async { plain.messages.insert_one(&document).await });

    let engine = open(&address);
    let bus = Bus::new(&engine, &Clock);
    bus.init().unwrap();
    for agent in [DIRECTOR, RESEARCHER] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
    let inbox = bus.inbox(&name(RESEARCHER), &InboxFilter::default()).unwrap();
    assert_eq!((inbox.total, inbox.findings), (1, Vec::new()));
    let id = &inbox.shown[0].message.id;
    assert!(bus.read(&name(RESEARCHER), id).unwrap().first);
    assert!(!bus.read(&name(RESEARCHER), id).unwrap().first);

    let after = plain.wait(async { plain.messages.find_one(doc! { "id": "one" }).await }).unwrap();
    assert_eq!(after.get_bool("read").ok(), Some(true));
    for (field, value) in document.iter().filter(|(field, _)| *field != "read") {
        assert_eq!(after.get(field), Some(value), "{field} is as it was");
    }
}

#[test]
fn what_we_write_is_found_by_plain_queries() {
    let address = new_database();
    let (engine, plain) = (open(&address), Plain::at(&address));
    let bus = Bus::new(&engine, &Clock);
    bus.init().unwrap();
    for agent in [DIRECTOR, RESEARCHER, "writer-001"] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
    let criteria = ["three sources", "a page"];
    let body = json!({ "taskId": "t-1", "title": "Patterns", "description": "Read", "acceptanceCriteria": criteria });
    let task = Draft {
        kind: Some(MessageType::new("task")),
        body: body.clone(),
        priority: Priority::High,
        thread: Some("thread-7".parse().unwrap()),
        key: Some("first".to_owned()),
        ..Draft::to(&name(RESEARCHER), "Patterns")
    };
    let task = bus.send(&name(DIRECTOR), &task).unwrap();
    let both =
        Draft { to: vec![name(RESEARCHER), name("writer-001")], body: json!("done soon"), ..Draft::new("State") };
    let both = bus.send(&name(DIRECTOR), &both).unwrap();
    let all = bus.broadcast(&name(DIRECTOR), &Draft { body: json!("tea"), ..Draft::new("Tea") }).unwrap();

    let types = BTreeMap::from([
        ("id", ElementType::String),
        ("from", ElementType::String),
        ("to", ElementType::String),
        ("content", ElementType::String),
        ("type", ElementType::String),
        ("threadId", ElementType::String),
        ("priority", ElementType::String),
        ("createdAt", ElementType::DateTime),
        ("read", ElementType::Boolean),
    ]);
    for (agent, expected) in [(RESEARCHER, vec![&task.id, &both.id, &all.id]), ("writer-001", vec![&both.id, &all.id])]
    {
        let found = unread_of(&plain, agent);
        let found_ids: Vec<&str> = found.iter().map(|document| document.get_str("id").unwrap()).collect();
        // Within one second, the order is up to the database.
        assert_eq!(sorted(found_ids), sorted(expected.iter().map(|id| id.as_str()).collect()), "{agent}");
        for document in &found {
            for (&field, &expected) in &types {
                let value = document.get(field).unwrap_or_else(|| panic!("{field} is missing: {document}"));
                assert_eq!(value.element_type(), expected, "{field} of {document}");
            }
            assert_eq!(document.get_str("to").ok(), Some(agent));
        }
    }
    assert_eq!(unread_of(&plain, "ALL"), [], "nobody is called so");

    let found = plain.wait(async { plain.messages.find_one(doc! { "id": task.id.as_str() }).await }).unwrap();
    let text = |field: &str| found.get_str(field).unwrap();
    assert_eq!((text("from"), text("type"), text("priority")), (DIRECTOR, "task", "high"));
    assert_eq!(text("threadId"), "thread-7");
    assert_eq!(serde_json::from_str::<serde_json::Value>(text("content")).unwrap(), body);
    let thread = plain.messages.count_documents(doc! { "threadId": "thread-7" });
    assert_eq!(plain.wait(async { thread.await }), 1);

    bus.read(&name(RESEARCHER), &task.id).unwrap();
    let left = unread_of(&plain, RESEARCHER);
    assert_eq!(left.len(), 2, "what was read is read for others, too: {left:?}");
}

#[test]
fn what_a_plain_driver_marks_as_read_is_read() {
    let address = new_database();
    let (engine, plain) = (open(&address), Plain::at(&address));
    let bus = Bus::new(&engine, &Clock);
    bus.init().unwrap();
    for agent in [DIRECTOR, RESEARCHER] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
    let researcher = name(RESEARCHER);
    let ours = bus.send(&name(DIRECTOR), &Draft::to(&researcher, "Patterns")).unwrap().id;
    plain.wait(async { plain.messages.insert_one(letter("theirs", "2026-01-10T10:30:00Z")).await });
    assert_eq!(engine.unread(&researcher).unwrap().count, 2);
    for (id, left) in [(ours, 1), ("theirs".parse().unwrap(), 0)] {
        let filter = doc! { "id": id.as_str(), "to": RESEARCHER };
        plain.wait(async { plain.messages.update_one(filter, doc! { "$set": { "read": true } }).await });
        assert_eq!(engine.unread(&researcher).unwrap().count, left);
        assert_eq!(engine.inbox(&researcher, true).unwrap().value.len(), left);
        assert!(!engine.delivery(&researcher, &id).unwrap().unwrap().is_unread());
        let seen = engine.mark_seen(&researcher, &id, time("2026-01-10T11:00:00Z")).unwrap();
        assert!(matches!(seen, Seen::Already(_)), "{id}: {seen:?}");
    }
}

#[test]
fn what_cannot_be_read_does_not_hide_the_rest() {
    let address = new_database();
    let plain = Plain::at(&address);
    let damaged = doc! { "from": 5, "createdAt": "yesterday" };
    let documents = [with(letter("bad", "2026-01-10T10:30:00Z"), damaged), letter("good", "2026-01-10T10:31:00Z")];
    plain.wait(async { plain.messages.insert_many(documents).await });
    let engine = open(&address);
    engine.init().unwrap();
    let found = engine.inbox(&name(RESEARCHER), true).unwrap();
    assert_eq!(ids(&found.value), ["good"]);
    let [finding] = &found.findings[..] else { panic!("{found:?}") };
    assert!(finding.message.contains("from"), "{finding:?}");
    assert_eq!(engine.unread(&name(RESEARCHER)).unwrap().count, 2, "what cannot be read counts as unread");
}

fn sorted(mut words: Vec<&str>) -> Vec<&str> {
    words.sort_unstable();
    words
}
