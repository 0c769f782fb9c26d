use super::*;
use crate::history::Threads;
use crate::history::fixture::{Fixture, at};

fn agents(fixture: &Fixture) -> Agents {
    let Fixture { table, entries, copies } = fixture;
    let threads = Threads::of(table, entries);
    Agents::of(table, entries, &Deliveries::trace(table, entries, copies, &threads, &[], at("12:00:00")))
}

#[test]
fn agents_are_listed_with_sent_and_received_counts() {
    let fixture = Fixture::new(&[
        "- system>",
        "10:00:00 bob>ann id=a kind=question needs due=11:00:00",
        "10:00:01 bob>cat,ann id=b kind=note",
        "10:00:02 ann>bob id=c re=a kind=response",
        "10:00:03 bob>ALL id=d kind=note all",
        "10:00:04 >ann id=e",
    ])
    .with_copies(&["a ann inbox seen=10:00:01", "b cat inbox", "b ann inbox offered=10:00:09", "d cat inbox"]);
    let Agents { list, edges } = agents(&fixture);
    let show = |agent: &Agent| {
        let Agent { sent, received, unread, overdue, .. } = agent;
        format!("{} sent {sent} got {received} unread {unread} overdue {overdue}", fixture.table.text(agent.name))
    };
    let wanted = [
        "ann sent 1 got 3 unread 1 overdue 0",
        "bob sent 3 got 1 unread 0 overdue 0",
        "cat sent 0 got 2 unread 2 overdue 0",
        "system sent 1 got 0 unread 0 overdue 0",
    ];
    assert_eq!(list.iter().map(show).collect::<Vec<_>>(), wanted);
    let times: Vec<_> = list.iter().map(|agent| (agent.first_at, agent.last_at)).collect();
    let none = (NO_TIME, NO_TIME);
    assert_eq!(times, [(at("10:00:01"), at("10:00:09")), (at("10:00:00"), at("10:00:03")), none, none]);
    let text = |symbol| fixture.table.text(symbol);
    let kinds: Vec<_> = list[1].kinds.iter().map(|(kind, count)| (text(*kind), *count)).collect();
    assert_eq!(kinds, [("note", 2), ("question", 1)]);
    let edges: Vec<_> = edges.iter().map(|edges| (text(edges.from), text(edges.to), edges.count)).collect();
    assert_eq!(edges, [("ann", "bob", 1), ("bob", "ann", 2), ("bob", "cat", 2)]);
}

#[test]
fn overdue_answers_are_counted_per_agent() {
    let fixture = Fixture::new(&["10:00:00 bob>ann,cat id=a needs due=11:00:00", "10:00:02 ann>bob re=a"]);
    let overdue: Vec<u32> = agents(&fixture).list.iter().map(|agent| agent.overdue).collect();
    assert_eq!(overdue, [0, 0, 1]);
}

#[test]
fn findings_are_counted_by_severity() {
    let lines = ["high", "low", "high", "medium", "info"].map(|severity| format!("10:00:00 ann> severity={severity}"));
    let fixture = Fixture::new(&lines.each_ref().map(String::as_str));
    assert_eq!(agents(&fixture).list[0].findings, SeverityCounts { high: 2, medium: 1, low: 1 });
}

#[test]
fn a_silence_is_long_and_unusual() {
    let check = |minutes: &[i64], wanted: &[(i64, i64)]| {
        let times: Vec<i64> = minutes.iter().map(|minute| minute * 60_000_000).collect();
        let found = silence::longest(&times);
        let found: Vec<_> = found.iter().map(|silence| (silence.start, silence.end)).collect();
        let wanted: Vec<_> = wanted.iter().map(|(start, end)| (start * 60_000_000, end * 60_000_000)).collect();
        assert_eq!(found, wanted, "{minutes:?}");
    };
    check(&[], &[]);
    check(&[5], &[]);
    check(&[0, 100], &[]);
    check(&[0, 1, 2, 12], &[]);
    check(&[0, 1, 2, 13], &[(2, 13)]);
    check(&[0, 1, 2, 32, 33, 53, 54, 94, 95, 110], &[(54, 94), (2, 32), (33, 53)]);
    // The pauses are 2, 2, 20, 21: ten times the median of 2 is 20.
    check(&[0, 2, 4, 24, 45], &[(24, 45)]);
}
