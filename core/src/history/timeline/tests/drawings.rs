//! Drawings, as they are seen.

use super::*;

/// Compares a drawing with one that begins on a line of its own.
fn check(drawing: &str, expected: &str) {
    assert_eq!(Some(drawing), expected.strip_prefix('\n'), "it is now\n{drawing}");
}

fn session() -> Log {
    let mut log = Log::default();
    log.say(TEN, "security-analyzer", "", "status", "");
    log.say(TEN + 135 * SECOND, "security-analyzer", "", "finding", "high");
    log.say(TEN + 180 * SECOND, "performance-analyzer", "", "data", "");
    log.say(TEN + 300 * SECOND, "security-analyzer", "", "completed", "");
    log.work("security-analyzer", TEN, TEN + 300 * SECOND, "completed");
    log.work("performance-analyzer", TEN + 60 * SECOND, NO_TIME, "in_progress");
    log.work("report-writer", NO_TIME, NO_TIME, "waiting");
    log
}

/// A thousand events in three hours, one of which is idle.
fn afternoon() -> Log {
    let mut log = Log::default();
    let mut chance = Chance(3);
    let agents = ["lead", "security", "performance", "tester", "docs", "reviewer"];
    let mut time = TEN + 3 * SECOND;
    log.work("lead", TEN, NO_TIME, "in_progress");
    for number in 0..1_000 {
        time += chance.below(14 * SECOND as u64) as i64;
        if number == 430 {
            time += HOUR + 4 * MINUTE;
        }
        let from = agents[chance.below(6).min(chance.below(6)) as usize];
        let (kind, severity) = match chance.below(300) {
            0..2 => ("error", ""),
            2..8 => ("finding", "high"),
            8..24 => ("finding", "low"),
            24..40 => ("data", ""),
            40..90 => ("request", ""),
            90..92 => ("completed", ""),
            _ => ("status", ""),
        };
        log.say(time, from, "", kind, severity);
    }
    log
}

#[test]
fn four_events() {
    check(
        &session().draw(80),
        r"
                     2025-01-23
                     10:00                10:02                 10:04 10:05
                     ├────────────────────┬─────────────────────┬─────────┤
security-analyzer    ·───────────────────────▲────────────────────────────✔ 3 1▲
performance-analyzer           ──────────────────────◆───────────────────── 1
report-writer                                                               0

▲ high severity   ✔ completed   ◆ data   · status   ─ at work
1 column: 5 seconds
",
    );
}

#[test]
fn a_thousand_events_and_an_idle_hour() {
    check(
        &afternoon().draw(100),
        r"
            2025-01-23
            10:00              10:30           11:56                12:30           13:02
            ├──────────────────┬─────────────┊┊┬────────────────────┬───────────────────┤
lead        ···▲·•▲△•◆△·◆•△◆••◆•✔△•••··─▲◆▲△·┊·••◆•◆△···•△△·◆✔◆••·△△▲··•△•·•◆•·✔•••▲·••△• 296     7▲
security    ▲·△•·△••▲••·•· ▲···•·•·•△·△▲•▲▲··•·▲△••◆•◆•◆·•••△ •▲▲·•△△•▲△•△·✔△•△!·•◆·•▲•△· 275 1! 11▲
tester      ····◆ •△····• •·····•· △△✔ ·✔•△·•┊·◆••△◆ •···•·◆△· ·◆·•·•·····•◆△◆·· △ ·· ··◆ 146
docs        ▲· ·•· ✔·•· · ·••• ····· ·• •·  ·┊····△ ▲· • · · ·  △    •  •••·▲·· ··   •··•  74     3▲
reviewer     · ••◆·          •   ·◆   • ·· △ ┊┊ △   ·       ·     • ·• ·           ◆··     25
performance  •·△·◆•·◆·•△!•◆◆◆•△··•△◆·· ◆· ·△·┊┊·△··△·△ ··◆•·•▲△··!◆◆· ··••◆·····•···▲ ··· 184 2!  2▲

! error   ▲ high severity   ✔ completed   △ finding   ◆ data   • message   · status   ─ at work
┊ idle, 1 hour 4 minutes left out   1 column: 1 minute 34 seconds
",
    );
}

#[test]
fn too_many_events_to_show_what_they_are() {
    check(
        &busy_log(300_000, 6, 1_400_000).draw(100),
        r"
        2025-01-23    2025-01-24    2025-01-25    2025-01-26            2025-01-29
        ├─────────────┬─────────────┬─────────────┬──────────────────────────────┤
agent-0 ███████████▇████████▇█████▇██▇█████▇▇████████████▇██████████████▇██▇▇█████ 91515 4205! 5503▲
agent-3 ▆▆▅▅▆▅▆▆▆▆▆▅▅▆▅▆▅▅▆▅▅▆▅▆▆▅▅▅▅▅▆▅▅▆▆▅▅▆▅▅▅▅▆▅▅▅▆▆▆▅▆▆▆▅▅▆▆▅▆▆▆▆▅▆▅▆▅▅▅▆▅▅▆▅ 41590 1842! 2502▲
agent-4 ▄▄▅▄▄▄▄▅▄▄▄▄▄▅▄▄▄▄▄▄▄▄▄▄▅▄▄▄▄▄▅▄▄▅▅▄▄▄▄▄▄▄▄▄▄▄▅▄▄▄▄▅▄▄▄▅▄▄▄▅▅▄▄▅▄▅▄▄▄▄▄▄▅▄ 24929 1127! 1541▲
agent-2 ▇▆▇▆▆▆▇▆▇▆▇▆▆▇▆▆▆▆▆▆▆▆▆▆▇▆▆▆▆▆▇▆▆▇▇▆▆▆▆▇▆▆▆▇▆▆▆▇▆▆▆▆▆▇▆▆▆▆▇▇▇▆▆▇▆▇▆▆▆▆▆▆▇▆ 58347 2651! 3503▲
agent-1 ▇▇▇▇▇▇▇▇▇▇█▇▇▇▇▇▇▇▇▇▆▇▇▇▇▇▇▇▇▇█▇▇▇█▇▇▇▇▇▇▇▇▇▇▇▇█▇▇▇█▇▇▇▇▇▇█▇█▇▇▇▇█▇▇▇▇▇▇▇▇ 75279 3404! 4589▲
agent-5 ▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▂▃▃▃▃▃▃▃▃▃▃▃▃▃▃▂▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▂▃▃▃▃▃▃  8285  398!  471▲

▁ few … █ up to 1467 in a column   ! error   ▲ high severity   idle times left out: 2 days 5 hours
1 column: 1 hour 16 minutes
55 entries without a time are left out
",
    );
}

#[test]
fn an_incident_stands_out_of_a_crowd() {
    let mut log = Log::default();
    for number in 0..4_000 {
        let kind = if (2_000..2_300).contains(&number) { "error" } else { "status" };
        log.say(TEN + number * SECOND, ["ann", "bob"][(number % 3 / 2) as usize], "", kind, "");
    }
    check(
        &log.draw(80),
        r"
    2025-01-23
    10:00         10:15          10:30          10:45            11:06
    ├─────────────┬──────────────┬──────────────┬────────────────────┤
ann █████████████████████████████████!!!!!████████████████████████████ 2667 200!
bob ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆!!!!!▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆ 1333 100!

▁ few … █ up to 41 in a column   ! error   ! in a column: mostly errors
1 column: 1 minute
",
    );
}

#[test]
fn a_night_is_folded_and_the_date_changes() {
    let mut log = Log::default();
    for day in 0..3 {
        for number in 0..40 {
            let kind = if number == 39 { "completed" } else { "task_update" };
            log.say(TEN + day * 24 * HOUR + number * 9 * MINUTE, "ann", ["", "bob"][number as usize % 2], kind, "");
        }
        log.say(TEN + day * 24 * HOUR + 6 * HOUR, "bob", "ann", "response", "");
    }
    check(
        &log.draw(90),
        r"
    2025-01-23                  2025-01-24                  2025-01-25
    10:00   12:00               10:00   12:00               10:00   12:00        16:00
    ├───────┬─────────────────┊┊┬───────┬─────────────────┊┊┬───────┬────────────────┤
ann ••+•••+••••+•••+••••+•••+✔┊┊•+••••+•••+••••+•••+••••+✔┊┊•+•••+••••+•••+••••+•••+•✔ 120
bob                          •┊┊                         •┊┊                         •   3

✔ completed   • message   + other   ┊ idle, 1 day 11 hours left out
1 column: 13 minutes 59 seconds
",
    );
}

#[test]
fn many_days_have_dates_only() {
    let mut log = Log::default();
    for day in 0..200 {
        log.say(TEN + day * 23 * HOUR, "ann", "", "status", "");
    }
    check(
        &log.draw(80),
        r"
    2025-01-23    2025-03-01    2025-04-07    2025-05-14          2025-08-02
    ├─────────────┬─────────────┬─────────────┬────────────────────────────┤
ann ········································································ 200

· status   1 column: 2 days 15 hours
",
    );
}

#[test]
fn drawing_of_some_lanes_of_two_minutes() {
    let log = afternoon();
    let options = Options { lanes: 3, start: TEN + 40 * MINUTE, end: TEN + 42 * MINUTE };
    check(
        &draw(&log.timeline(), &log.table, 80, &options),
        r"
         2025-01-23
         10:40:00         10:40:30         10:41:00         10:41:30  10:41:59
         ├────────────────┬────────────────┬────────────────┬────────────────┤
lead     ───────────·───────────────────────────────────────────·─·─────────── 3
security                   ·           ·               ·    ·          △       5
tester   ·     ·          ·       ✔                                            4
… 3 more lanes                                                                 4

✔ completed   △ finding   · status   ─ at work   1 column: 1 second
",
    );
}

#[test]
fn hardly_any_room() {
    check(
        &session().draw(7),
        r"
2025-01-23
       10:00
       ├──────┤
secur… ·──▲───✔ 3 1▲
perfo…  ───◆─── 1
repor…          0

▲ high severity
✔ completed   ◆ data
· status   ─ at work
1 column: 37 seconds
",
    );
}

#[test]
fn one_moment() {
    let mut log = Log::default();
    log.say(TEN, "a\u{1b}[31mnn", "", "error", "");
    log.say(TEN, "", "ann", "note", "");
    log.say(NO_TIME, "ann", "", "note", "");
    check(
        &log.draw(60),
        r"
         2025-01-23
         10:00:00       10:00:15               10:00:45
         ├──────────────┬─────────────────────────────┤
a?[31mnn !                                              1 1!
(nobody) •                                              1

! error   • message   1 column: 1 second
1 entry without a time is left out
",
    );
}

#[test]
fn nothing() {
    check(&Log::default().draw(60), "\nnothing has a time, so there is no timeline\n");
    let mut log = Log::default();
    log.say(NO_TIME, "ann", "", "note", "");
    log.say(NO_TIME, "ann", "", "note", "");
    log.work("bob", NO_TIME, NO_TIME, "waiting");
    let expected = "\nnothing has a time, so there is no timeline\n2 entries without a time are left out\n";
    check(&log.draw(60), expected);
}

#[test]
fn no_line_is_longer_than_wanted() {
    for log in [session(), afternoon(), busy_log(3_000, 60, 900)] {
        for width in 20..130 {
            let drawing = log.draw(width);
            // Words of the legend are not broken.
            let longest = drawing.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(longest <= width.max(45), "{longest} for {width}\n{drawing}");
        }
    }
}

#[test]
fn times_at_the_ends_of_the_world_are_drawn_as_well_as_can_be() {
    let mut log = Log::default();
    for time in [i64::MIN + 1, i64::MIN + 2, -1, 0, 1, i64::MAX - 1, i64::MAX] {
        log.say(time, "ann", "", "status", "");
    }
    let timeline = log.timeline();
    for start in [NO_TIME, i64::MIN + 1, 0, i64::MAX] {
        for end in [NO_TIME, i64::MIN + 1, 0, i64::MAX] {
            draw(&timeline, &log.table, 80, &Options { start, end, ..Options::default() });
        }
    }
    assert_eq!(timeline.class_counts(0, 0, timeline.time_scale().length()).total(), 7);
}
