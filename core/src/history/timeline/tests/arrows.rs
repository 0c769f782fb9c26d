//! Arrows: who spoke to whom.

use super::*;

fn talk() -> Log {
    let mut log = Log::default();
    log.say(NO_TIME, "ann", "bob", "request", "");
    log.say(TEN, "ann", "bob", "request", "");
    log.say(TEN + 1, "bob", "ann, cat, ann, nobody", "response", "");
    log.say(TEN + 2, "cat", "ALL", "status", "");
    log.say(TEN + 3, "ann", "", "status", "");
    log.say(TEN + 4, "ann", "ann", "status", "");
    log.say(TEN + 5, "ann", "user", "status", "");
    log.say(TEN + 5, "ann", "bob", "request", "");
    log.say(TEN + 6, "ann", "bob", "published", "");
    log.flag(4, Flags::BROADCAST);
    log.flag(8, Flags::EVENT);
    log
}

fn each(log: &Log, start: i64, end: i64) -> Vec<(u32, i64, u32, u32)> {
    match log.timeline().arrows(start, end, 100) {
        Arrows::Each(arrows) => arrows.iter().map(|a| (a.entry, a.position, a.from, a.to)).collect(),
        Arrows::Pairs(pairs) => panic!("{pairs:?}"),
    }
}

#[test]
fn a_message_has_an_arrow_to_each_lane_that_it_is_for() {
    let log = talk();
    let all = [
        (1, 0, 0, 1),
        (2, 1, 1, 0),
        (2, 1, 1, 2),
        (3, 2, 2, 0),
        (3, 2, 2, 1),
        (4, 3, 0, 1),
        (4, 3, 0, 2),
        (7, 5, 0, 1),
    ];
    assert_eq!(each(&log, i64::MIN, i64::MAX), all);
    assert_eq!(each(&log, 1, 3), all[1..5]);
    assert_eq!(each(&log, 4, 5), []);
    assert_eq!(each(&log, 5, 6), all[7..]);
    assert_eq!(each(&log, 6, 600), []);
    assert_eq!(each(&log, 3, 1), []);
}

#[test]
fn too_many_arrows_are_counted_by_pair() {
    let log = talk();
    let arrows = log.timeline().arrows(0, 6, 7);
    let Arrows::Pairs(pairs) = &arrows else { panic!("{arrows:?}") };
    let pairs: Vec<(u32, u32, u32)> = pairs.iter().map(|pair| (pair.from, pair.to, pair.count)).collect();
    assert_eq!(pairs, [(0, 1, 3), (0, 2, 1), (1, 0, 1), (1, 2, 1), (2, 0, 1), (2, 1, 1)]);
    assert_eq!(arrows.total(), 8);
}

#[test]
fn arrows_of_a_long_log_are_counted_exactly() {
    let log = busy_log(20_000, 10, 700_000);
    let timeline = log.timeline();
    let length = timeline.time_scale().length();
    for (start, end) in [(0, length), (length / 4, length / 2), (length / 2, length / 2 + SECOND)] {
        let goes = |row: &usize| {
            let (time, from, to) = (log.table.time()[*row], log.table.from()[*row], log.table.to()[*row]);
            let position = timeline.time_scale().to_position(time);
            time != NO_TIME && start <= position && position < end && from != to && timeline.lane(to).is_some()
        };
        let expected = (0..log.table.len()).filter(goes).count();
        assert_eq!(timeline.arrows(start, end, 50).total(), expected as u64);
        assert_eq!(timeline.arrows(start, end, usize::MAX).total(), expected as u64);
    }
}
