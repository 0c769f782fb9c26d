//! Documents read and written back.

use serde_json::json;

use super::*;

const BY_SPEC: &str = include_str!("../../../../tests/fixtures/documents/messages.export.jsonl");

fn object(text: &str) -> JsonMap {
    serde_json::from_str(text).unwrap()
}

fn read(json: &Json) -> Result<Document, String> {
    decode(json.as_object().unwrap().clone())
}

/// Returns a document as the protocol has it, with further fields.
fn with(more: &Json) -> Json {
    let mut document = json!({"id": "m1", "from": "ann", "to": "bob", "content": "hello", "type": "task",
        "priority": "normal", "createdAt": {"$date": "2026-01-10T10:30:00Z"}, "read": false});
    for (key, value) in more.as_object().unwrap() {
        document[key] = value.clone();
    }
    document
}

#[test]
fn an_export_is_read_and_written_back_as_it_was() {
    let documents: Vec<Document> = BY_SPEC.lines().map(|line| decode(object(line)).unwrap()).collect();
    let Document::Copy { delivery, recorded: true } = &documents[0] else { panic!("{:?}", documents[0]) };
    assert_eq!(delivery.recipient.as_str(), "researcher-001");
    assert_eq!(delivery.message.subject, "Research MongoDB patterns");
    assert_eq!(delivery.message.body["context"]["constraints"], json!(["30 min"]));
    assert_eq!(delivery.message.priority, Priority::High);
    assert_eq!(delivery.message.thread, Some("thread-1".parse().unwrap()));
    assert_eq!(delivery.message.extra["_id"]["$oid"], "67812e9c0000000000000001");
    assert_eq!(delivery.receipt.seen_at, Timestamp::parse("2026-01-10T10:30:05Z"));
    for (line, document) in BY_SPEC.lines().zip(&documents) {
        let mut wanted = object(line);
        // The one of the four whose time is canonical is written relaxed; contents lose their blanks.
        wanted["createdAt"] = date(document.message().sent_at);
        wanted["content"] =
            serde_json::from_str::<Json>(wanted["content"].as_str().unwrap()).unwrap().to_string().into();
        assert_eq!(encode(document).to_string(), Json::Object(wanted).to_string(), "to the order of its fields");
    }
}

#[test]
fn extension_fields_round_trip() {
    let check = |more: Json| {
        let json = with(&more);
        let document = read(&json).unwrap();
        assert_eq!(encode(&document), json);
        assert_eq!(read(&encode(&document)), Ok(document));
    };
    check(json!({"subject": "About it", "inReplyTo": "m0", "requiresResponse": true, "priority": "critical"}));
    check(json!({"responseDeadline": {"$date": "2026-01-10T11:30:00Z"}, "metadata": {"task_id": "t"}}));
    check(json!({"recipients": ["bob", "cyd"]}));
    check(json!({"recipients": ["cyd"]}));
    check(json!({"broadcast": true, "recorded": false}));
    check(json!({"event": "TaskCompleted", "type": "TaskCompleted", "subject": "TaskCompleted"}));
    check(json!({"offeredAt": {"$date": "2026-01-10T10:31:00.25Z"}, "redelivered": 2,
        "redeliveredAt": {"$date": "2026-01-10T10:33:00Z"}}));
    check(json!({"place": "archive", "read": true, "readAt": {"$date": "2026-01-10T10:34:00Z"}}));
    check(json!({"place": "dead-letters", "deadReason": "no sign", "deadAt": {"$date": "2026-01-10T10:34:00Z"}}));
    check(json!({"contentType": "text", "content": "{}"}));
    check(json!({"contentType": "json", "content": "", "subject": "Nothing but a subject"}));
    check(json!({"mood": "good", "expiresAt": {"$date": "2027-01-10T10:34:00Z"}, "nested": {"$oid": "67"}}));
}

#[test]
fn records_that_nobody_has_a_copy_of_are_for_all() {
    for more in [json!({"broadcast": true}), json!({"event": "E"}), json!({"recipients": ["cyd"]})] {
        let mut json = with(&more);
        json["to"] = "ALL".into();
        json.as_object_mut().unwrap().shift_remove("read");
        let document = read(&json).unwrap();
        assert!(matches!(document, Document::Record(_)), "{document:?}");
        assert_eq!(encode(&document), json);
    }
    let Ok(Document::Record(message)) = read(&with(&json!({"to": "ALL"}))) else { panic!("not a record") };
    assert_eq!((message.to, message.extra), (Recipient::All, JsonMap::new()));
    let mut sent = with(&json!({"place": "outbox"}));
    sent.as_object_mut().unwrap().shift_remove("read");
    let document = read(&sent).unwrap();
    assert!(matches!(&document, Document::Sent { to, .. } if to.as_str() == "bob"), "{document:?}");
    assert_eq!(encode(&document), sent);
}

#[test]
fn other_spellings_mean_the_same() {
    let plain =
        read(&with(&json!({"redelivered": 2, "readAt": {"$date": "2026-01-10T10:31:00Z"}, "read": true}))).unwrap();
    let canonical = json!({
        "redelivered": {"$numberInt": "2"},
        "createdAt": {"$date": {"$numberLong": "1768041000000"}},
        "readAt": "2026-01-10T10:31:00+00:00",
        "read": null,
        "threadId": null,
        "subject": null,
    });
    assert_eq!(read(&with(&canonical)), Ok(plain));
    let read_sometime = read(&with(&json!({"read": true}))).unwrap();
    let Document::Copy { delivery, .. } = read_sometime else { panic!("not a copy") };
    assert_eq!(delivery.receipt.seen_at, Some(delivery.message.sent_at));
}

#[test]
fn ids_stand_in_for_each_other_and_for_times() {
    let check = |id: Json, wanted: &str, at: &str| {
        let mut json = with(&id);
        json.as_object_mut().unwrap().shift_remove("createdAt");
        let document = read(&json).unwrap();
        assert_eq!((document.message().id.as_str(), document.message().sent_at.to_string().as_str()), (wanted, at));
        assert_eq!(read(&encode(&document)), Ok(document));
    };
    let oid = json!({"$oid": "67812e9c0000000000000001"});
    check(json!({"id": null, "_id": oid}), "67812e9c0000000000000001", "2025-01-10T14:28:44Z");
    check(json!({"_id": oid}), "m1", "2025-01-10T14:28:44Z");
    check(json!({"id": "msg_20251129_143052_1", "_id": 7}), "msg_20251129_143052_1", "2025-11-29T14:30:52Z");
    check(json!({"id": null, "_id": "msg_20251129_143052_1"}), "msg_20251129_143052_1", "2025-11-29T14:30:52Z");
}

#[test]
fn unknown_fields_survive() {
    let odd = json!({"priority": "urgent", "threadId": 7, "inReplyTo": "a/b", "readAt": "later", "place": "Berlin",
        "event": {"is": "none"}, "recipients": [], "metadata": [1], "requiresResponse": "maybe", "redelivered": -1,
        "recorded": "yes", "contentType": "text/plain", "huddleExtra": 7, "$where": 1, "deep": [{"$bad": 1}]});
    let document = read(&with(&odd)).unwrap();
    assert_eq!(Json::Object(document.message().extra.clone()), odd);
    let written = encode(&document);
    assert_eq!(written["priority"], "normal");
    assert!(written.as_object().unwrap().iter().all(|(key, value)| is_importable(key, value)), "{written}");
    assert_eq!(read(&written), Ok(document));
}

#[test]
fn metadata_that_the_database_would_misread_is_kept_as_text() {
    let mut document = read(&with(&json!({}))).unwrap();
    let Document::Copy { delivery, .. } = &mut document else { panic!("not a copy") };
    delivery.message.metadata = object(r#"{"n": {"$numberInt": "5"}, "a.b": 1}"#);
    let written = encode(&document);
    assert!(written["metadata"].is_string());
    assert_eq!(read(&written), Ok(document));
    let Ok(Document::Copy { delivery, .. }) = read(&with(&json!({"metadata": {"n": {"$numberInt": "5"}}}))) else {
        panic!("not a copy")
    };
    assert_eq!(delivery.message.metadata["n"], 5);
}

#[test]
fn the_name_of_a_broken_field_is_told() {
    let check = |more: Json, part: &str| {
        let fault = read(&with(&more)).unwrap_err();
        assert!(fault.contains(part), "{fault}");
    };
    check(json!({"id": null}), "field \"id\" is missing");
    check(json!({"id": 7}), "field \"id\" is missing or not text");
    check(json!({"id": "a/b"}), "field \"id\": message id \"a/b\" contains a path separator");
    check(json!({"id": null, "_id": "../x"}), "field \"_id\"");
    check(json!({"from": "a,b"}), "field \"from\"");
    check(json!({"to": ""}), "field \"to\"");
    check(json!({"to": null}), "field \"to\" is missing");
    check(json!({"createdAt": "yesterday"}), "field \"createdAt\"");
}
