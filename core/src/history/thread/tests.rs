use huddle_scan::Row;

use super::*;
use crate::history::fixture::{Fixture, at};

fn threads(fixture: &Fixture) -> Threads {
    Threads::of(&fixture.table, &fixture.entries)
}

/// Shows each conversation as its name and its members, one dot for each step down.
fn shown(lines: &[&str]) -> Vec<String> {
    let fixture = Fixture::new(lines);
    let found = threads(&fixture);
    let show = |thread: &Thread| {
        let members = found.members(thread).iter().map(|position| {
            format!(" {}{}", ".".repeat(found.depth[*position as usize] as usize), fixture.id(*position))
        });
        format!("{}:{}", fixture.table.text(thread.name), members.collect::<String>())
    };
    found.threads.iter().map(show).collect()
}

fn kinds(lines: &[&str]) -> Vec<(u32, AnomalyKind)> {
    threads(&Fixture::new(lines)).anomalies.iter().map(|anomaly| (anomaly.position, anomaly.kind)).collect()
}

#[test]
fn an_id_or_an_answer_makes_a_conversation() {
    let check = |lines: &[&str], wanted: &[&str]| assert_eq!(shown(lines), wanted, "{lines:?}");
    check(&["10:00:00 ann>bob id=a", "10:00:01 ann>bob id=b"], &[]);
    check(&["10:00:00 ann>bob id=a thread=t"], &["t: a"]);
    check(&["10:00:00 ann>bob id=a thread=t", "10:00:01 cat>dan id=b thread=t"], &["t: a b"]);
    check(&["10:00:00 ann>bob id=a", "10:00:01 bob>ann id=b re=a"], &["a: a .b"]);
    check(&["10:00:00 ann>bob id=a", "10:00:01 bob>ann id=b re=a thread=t"], &["t: a .b"]);
    check(&["10:00:00 ann>bob id=a thread=one", "10:00:01 bob>ann id=b re=a thread=two"], &["two: b", "one: a"]);
    check(&["10:00:00 ann>bob", "10:00:01 bob>ann id=b re="], &[]);
}

#[test]
fn answers_stand_below_what_they_answer_by_time() {
    let lines = [
        "10:00:00 ann>bob id=q",
        "10:00:01 bob>ann id=r1 re=q",
        "10:00:02 cat>ann id=r2 re=q",
        "10:00:03 ann>bob id=s1 re=r1",
        "10:00:04 ann>cat id=s2 re=r2",
        "10:00:05 bob>ann id=s3 re=r1",
        "10:00:06 bob>ann id=u re=s1",
    ];
    assert_eq!(shown(&lines), ["q: q .r1 ..s1 ...u ..s3 .r2 ..s2"]);
}

#[test]
fn the_newest_word_comes_first_and_those_alone_come_after_all() {
    let fixture = Fixture::new(&[
        "- ann>bob thread=none",
        "10:00:00 ann>bob thread=old",
        "10:00:01 ann>bob id=alone",
        "10:00:02 ann>bob thread=b",
        "10:00:02 ann>bob thread=c",
        "10:00:03 ann>bob thread=old",
        "10:00:04 ann>bob id=alone-too",
    ]);
    let found = threads(&fixture);
    let names: Vec<&str> = found.threads.iter().map(|thread| fixture.table.text(thread.name)).collect();
    assert_eq!(names, ["old", "b", "c", "none"]);
    assert_eq!(found.of, [3, 0, 4, 1, 2, 0, 5]);
    let old = found.thread_of(5).unwrap();
    assert_eq!((old.first, old.last, old.count), (1, 5, 2));
    assert_eq!((old.start, old.end), (at("10:00:00"), at("10:00:03")));
    assert_eq!(found.thread_of(2), None);
}

#[test]
fn threads_without_ids_are_grouped_by_subject() {
    let lines = [
        "10:00:00 ann>bob id=a subject=The Parser",
        "10:00:01 ann>bob id=b subject=the parser ",
        "10:00:02 bob>ann id=c subject=Re: the parser",
        "10:00:03 ann>bob id=d subject=RE: AW: The parser",
        "10:00:04 ann>bob id=e subject=Fwd: the lexer",
        "10:00:05 ann>bob id=f subject=the parser",
        "10:00:06 ann>bob id=g re=gone subject=Re: the parser",
        "10:00:07 ann>bob id=h thread=t subject=Re: the parser",
    ];
    assert_eq!(shown(&lines), ["t: h", "b: b .c ..d"]);
    let empty = ["10:00:00 ann>bob id=a", "10:00:01 ann>bob id=b subject=Re:"];
    assert_eq!(shown(&empty), [""; 0], "no subject is no subject in common");
}

#[test]
fn thread_anomalies_are_recorded() {
    let check = |lines: &[&str], wanted: &[(u32, AnomalyKind)]| assert_eq!(kinds(lines), wanted, "{lines:?}");
    check(&["10:00:00 ann>bob id=a re=gone"], &[(0, AnomalyKind::MissingParent)]);
    check(&["10:00:00 ann>bob id=a re=a"], &[(0, AnomalyKind::Cycle)]);
    check(&["10:00:00 ann>bob id=a re=b", "10:00:01 bob>ann id=b"], &[(0, AnomalyKind::ParentLater)]);
    check(&["- ann>bob id=a re=b", "10:00:01 bob>ann id=b"], &[]);
    check(
        &["10:00:00 ann>bob id=a thread=one", "10:00:01 bob>ann id=b re=a thread=two"],
        &[(1, AnomalyKind::CrossThread)],
    );
    let circle = ["10:00:00 ann>bob id=c re=b", "10:00:00 ann>bob id=a re=c", "10:00:00 ann>bob id=b re=a"];
    check(&circle, &[(0, AnomalyKind::Cycle)]);
    assert_eq!(shown(&circle), ["c: c .a ..b"]);
    // A circle in which one link is a subject's.
    check(&["10:00:00 ann>bob id=x re=y subject=X", "10:00:01 bob>ann id=y subject=Re: X"], &[(0, AnomalyKind::Cycle)]);
}

#[test]
fn reply_across_threads_keeps_its_parent() {
    let lines = ["10:00:00 ann>bob id=a thread=one", "10:00:01 bob>ann id=b re=a thread=two"];
    let found = threads(&Fixture::new(&lines));
    assert_eq!((found.parent, found.depth), (vec![NO_POSITION, 0], vec![0, 0]));
}

#[test]
fn single_message_is_a_thread_on_request() {
    let fixture = Fixture::new(&["10:00:00 ann>bob id=a thread=one", "10:00:01 bob>ann id=b"]);
    let mut found = threads(&fixture);
    for (position, name) in [(1, "b"), (0, "one"), (1, "b")] {
        let thread = found.conversation(&fixture.table, &fixture.entries, position);
        assert_eq!((fixture.table.text(thread.name), found.members(&thread)), (name, &[position][..]));
    }
    assert_eq!(found.threads.len(), 1, "it is not listed");
}

/// Creates a log of 100,000 entries: chains of a thousand answers, and a fault in every tenth chain.
#[test]
fn a_long_log_with_faults_gives_every_fault_once() {
    const CHAINS: u32 = 100;
    const LENGTH: u32 = 1000;
    let mut table = Table::default();
    for number in 0..CHAINS * LENGTH {
        let (chain, step) = (number / LENGTH, number % LENGTH);
        let mut id = |step: u32| table.symbols.intern(&format!("{chain}/{step}"));
        let answers = match (chain % 10, step) {
            // A circle of the whole chain.
            (1, 0) => id(LENGTH - 1),
            // An original that nobody has.
            (2, 500) => id(LENGTH),
            // A circle in the middle that the rest hangs on, and one that is its own original.
            (3, 400) => id(600),
            (4, 0) => id(0),
            (_, 0) => Symbol::NONE,
            _ => id(step - 1),
        };
        let row = Row { time: i64::from(number), id: id(step), reply_to: answers, ..Row::default() };
        table.push(row);
    }
    let entries: Vec<u32> = (0..table.len() as u32).collect();
    let found = Threads::of(&table, &entries);
    let count = |kind: AnomalyKind| found.anomalies.iter().filter(|anomaly| anomaly.kind == kind).count();
    assert_eq!((count(AnomalyKind::Cycle), count(AnomalyKind::MissingParent)), (30, 10));
    assert_eq!((count(AnomalyKind::CrossThread), count(AnomalyKind::ParentLater)), (0, 0));
    // A chain that lost a link, or whose middle is a circle of its own, is two conversations.
    assert_eq!(found.threads.len(), 120);
    assert_eq!(found.depth.iter().max(), Some(&(LENGTH - 1)));
    let mut members: Vec<u32> = found.threads.iter().flat_map(|thread| found.members(thread)).copied().collect();
    members.sort_unstable();
    assert_eq!(members, entries);
}

#[test]
fn a_chain_as_long_as_a_log_does_not_overflow() {
    let mut table = Table::default();
    for number in 0..100_000 {
        let mut id = |number: i64| table.symbols.intern(&number.to_string());
        let (own, original) = (id(number), if number > 0 { id(number - 1) } else { Symbol::NONE });
        table.push(Row { time: number, id: own, reply_to: original, ..Row::default() });
    }
    let entries: Vec<u32> = (0..table.len() as u32).collect();
    let found = Threads::of(&table, &entries);
    assert_eq!((found.threads.len(), found.depth.last()), (1, Some(&99_999)));
}
