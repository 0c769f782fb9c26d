//! What a message is kept in: files of their own for every recipient, the sender's log and the bus's record.

use crate::bus::{Bus, Draft, InboxFilter, NewAgent};
use crate::engine::files::FilesEngine;
use crate::engine::fs::FileSystem;
use crate::engine::fs::memory::MemoryFs;
use crate::host::FixedHost;
use crate::model::{AgentName, Json, MessageId};

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

/// Has Ann tell all and write to Bob; returns both ids.
fn with_mail(act: impl FnOnce(&MemoryFs, &Bus<'_>, &MessageId, &MessageId)) {
    let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:00Z"));
    let engine = FilesEngine::new(&fs, &host);
    let bus = Bus::new(&engine, &host);
    bus.init().unwrap();
    for agent in ["ann", "bob", "cat"] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
    let all = bus.broadcast(&name("ann"), &Draft::new("Freeze at noon")).unwrap().id;
    let one = bus.send(&name("ann"), &Draft { body: "8080".into(), ..Draft::to(&name("bob"), "The port") }).unwrap().id;
    act(&fs, &bus, &all, &one);
}

/// Writes into a file as an editor or a shell's redirection does.
fn overwrite(fs: &MemoryFs, path: &str, text: &str) {
    let bytes = fs.read(path, 1 << 20).unwrap().unwrap();
    assert!(!bytes.is_empty(), "{path}");
    fs.remove(path).unwrap();
    fs.write_new(path, text.as_bytes()).unwrap();
}

#[test]
fn no_two_names_stand_for_one_file() {
    with_mail(|fs, _, _, _| {
        let files: Vec<String> = fs.files().into_iter().filter(|path| !path.starts_with(".huddle")).collect();
        assert_eq!(files.iter().filter(|path| path.ends_with(".json")).count(), 2 + 3 + 2, "{files:?}");
        for (number, one) in files.iter().enumerate() {
            let same = files[number + 1..].iter().find(|other| fs.is_same(one, other).unwrap());
            assert_eq!(same, None, "{one}");
        }
    });
}

#[test]
fn a_lost_copy_is_found_and_restored() {
    with_mail(|fs, bus, all, one| {
        let codes = || bus.check().unwrap().findings.into_iter().map(|one| one.code).collect::<Vec<_>>();
        assert_eq!(codes(), Vec::<&str>::new());
        fs.remove(&format!("inbox/cat/{all}.json")).unwrap();
        fs.remove(&format!("inbox/bob/{one}.json")).unwrap();
        assert_eq!(codes().iter().filter(|code| **code == "lost-message").count(), 2, "{:?}", codes());
        let report = bus.broadcast_report(all).unwrap().value;
        assert!(report.to_string().contains("Recipients: 2 agents"), "{report}");
        assert!(report.to_string().contains("✗ cat (its copy is lost)"), "{report}");
        assert_eq!(bus.trace(all).unwrap().value.deliveries.len(), 2);

        bus.mend().unwrap();
        assert_eq!(codes(), Vec::<&str>::new());
        assert_eq!(bus.read(&name("bob"), one).unwrap().delivery.message.body, Json::from("8080"));
        assert_eq!(bus.inbox(&name("cat"), &InboxFilter::default()).unwrap().total, 1);
    });
}

#[test]
fn a_changed_copy_is_found_and_restored_with_its_receipt() {
    with_mail(|fs, bus, all, one| {
        for id in [all, one] {
            bus.read(&name("bob"), id).unwrap();
            let path = format!("inbox/bob/{id}.json");
            let text = String::from_utf8(fs.read(&path, 1 << 20).unwrap().unwrap()).unwrap();
            overwrite(fs, &path, &text.replace("Freeze at noon", "Free lunch").replace("8080", "80"));
        }
        let found = bus.check().unwrap().findings;
        assert_eq!(found.iter().filter(|one| one.code == "conflicting-copies").count(), 2, "{found:?}");
        let mended = bus.mend().unwrap();
        assert_eq!((mended.mended.len(), mended.findings), (2, vec![]));
        let read = bus.peek(&name("bob"), one).unwrap().delivery;
        assert_eq!((read.message.body, read.receipt.seen_at.is_some()), (Json::from("8080"), true));
        let others = bus.peek(&name("cat"), all).unwrap().delivery.message;
        assert_eq!(others.subject, "Freeze at noon");
    });
}

#[test]
fn the_record_names_who_got_a_copy() {
    with_mail(|fs, bus, all, _| {
        let record = fs.read(&format!("broadcasts/{all}.json"), 1 << 20).unwrap().unwrap();
        let record: Json = serde_json::from_slice(&record).unwrap();
        assert_eq!(record["delivered_to"], serde_json::json!(["bob", "cat"]));
        assert_eq!(bus.peek(&name("bob"), all).unwrap().delivery.message.delivered_to(), []);
    });
}
