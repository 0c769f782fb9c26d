//! Nothing that Huddle keeps for itself grows for ever.

use super::FilesEngine;
use crate::bus::{Bus, Draft, InboxFilter, NewAgent, ReplyDraft, SweepRules};
use crate::engine::Engine;
use crate::engine::fs::FileSystem;
use crate::engine::fs::memory::MemoryFs;
use crate::engine::journal::{LEASES, QUARANTINE, WORK};
use crate::host::FixedHost;
use crate::model::{AgentName, ContextName, Limits, Span};

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

/// Creates a bus with Ann and Bob, whose archive keeps two days.
fn with_bus(act: impl FnOnce(&MemoryFs, &FixedHost, &Bus<'_>)) {
    let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T00:00:00Z"));
    let engine = FilesEngine::new(&fs, &host);
    let bus = Bus::new(&engine, &host);
    bus.init().unwrap();
    for agent in ["ann", "bob"] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
    let limits = Limits { max_age_hours: Some(48), ..Limits::default() };
    engine.edit_directory(&mut |directory| (directory.limits, directory.retention_hours) = (limits, 24)).unwrap();
    act(&fs, &host, &bus);
}

#[test]
fn a_bus_that_is_swept_keeps_the_same_number_of_files() {
    with_bus(|fs, host, bus| {
        let (ann, bob) = (name("ann"), name("bob"));
        let mut left = Vec::new();
        for day in 0..12 {
            for turn in 0..4 {
                host.advance(Span::from_hours(6));
                let draft = Draft { key: Some(format!("{day}-{turn}")), ..Draft::to(&bob, "work") };
                let sent = bus.send(&ann, &draft).unwrap().id;
                bus.inbox(&bob, &InboxFilter { limit: Some(5), ..InboxFilter::default() }).unwrap();
                bus.read(&bob, &sent).unwrap();
                let answer = bus.reply(&bob, &sent, &ReplyDraft::default()).unwrap().id;
                bus.trace(&sent).unwrap();
                bus.read(&ann, &answer).unwrap();
            }
            bus.sweep(None, &SweepRules::default()).unwrap();
            left.push((fs.files().len(), fs.list("archive").unwrap().len()));
        }
        assert_eq!(left[6], left[11], "{left:?}");
        assert!(left[11].0 < 100, "{left:?}");
    });
}

#[test]
fn documents_share_their_leases() {
    with_bus(|fs, _, bus| {
        for number in 0..200 {
            let context: ContextName = format!("context {number}").parse().unwrap();
            bus.create_context(&name("ann"), &context, "first").unwrap();
        }
        let leases = fs.list(LEASES).unwrap();
        assert!(leases.len() <= 66, "{} leases", leases.len());
        assert!(leases.iter().any(|lease| lease.name == super::documents::lease_name("context 7").as_str()));
    });
}

#[test]
fn the_quarantine_is_bounded_by_number_and_bytes() {
    with_bus(|fs, host, bus| {
        let forge = |number: usize, bytes: usize| {
            let tx = format!("019ad0000000700080{number:014x}");
            fs.write_new(&format!("{WORK}/{tx}.0"), &vec![b'x'; bytes]).unwrap();
            fs.write_new(&format!("{WORK}/{tx}.json"), b"{}").unwrap();
        };
        let look = || {
            host.advance(Span::from_seconds(90));
            bus.agents(None).unwrap();
            let files = fs.list(QUARANTINE).unwrap();
            let size = |name: &str| fs.size(&format!("{QUARANTINE}/{name}")).unwrap().unwrap();
            (files.len(), files.iter().map(|file| size(&file.name)).sum::<u64>())
        };
        (0..200).for_each(|number| forge(number, 1));
        assert_eq!(look().0, 256);
        (200..203).for_each(|number| forge(number, 9 << 20));
        let (files, bytes) = look();
        assert!(files > 0 && bytes <= 16 << 20, "{files} files, {bytes} bytes");
    });
}
