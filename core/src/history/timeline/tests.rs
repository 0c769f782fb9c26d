//! The timeline as a whole.

mod arrows;
mod counts;
mod drawings;

use huddle_scan::{Flags, NO_TIME, Row, Table};

use super::*;

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// 2025-01-23T10:00:00Z.
const TEN: i64 = 1_737_626_400 * SECOND;

/// A table that is filled by words.
#[derive(Default)]
struct Log {
    table: Table,
    work_intervals: Vec<WorkInterval>,
}

impl Log {
    fn say(&mut self, time: i64, from: &str, to: &str, kind: &str, severity: &str) {
        let symbols = &mut self.table.symbols;
        let (from, to) = (symbols.intern(from), symbols.intern(to));
        let (kind, severity) = (symbols.intern(kind), symbols.intern(severity));
        self.table.push(Row { time, from, to, kind, severity, ..Row::default() });
    }

    fn flag(&mut self, row: u32, flag: Flags) {
        let mut changed = self.table.row(row);
        changed.flags.insert(flag);
        self.table.set(row, changed);
    }

    fn work(&mut self, agent: &str, start: i64, end: i64, state: &str) {
        let (agent, state) = (self.table.symbols.intern(agent), self.table.symbols.intern(state));
        self.work_intervals.push(WorkInterval { agent, start, end, state });
    }

    fn entries(&self) -> Vec<u32> {
        (0..self.table.len() as u32).collect()
    }

    fn timeline(&self) -> Timeline {
        Timeline::build(&self.table, &self.entries(), &self.work_intervals)
    }

    fn draw(&self, width: usize) -> String {
        draw(&self.timeline(), &self.table, width, &Options::default())
    }
}

/// Numbers that look like chance and are always the same.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A log of many lanes, as busy as `pause` is short, with bursts and gaps and a few entries without a time.
fn busy_log(entries: u32, lanes: u64, pause: i64) -> Log {
    let mut log = Log::default();
    let mut chance = Chance(1);
    let mut word = |text: &str| log.table.symbols.intern(text);
    let agents: Vec<Symbol> = (0..lanes).map(|lane| word(&format!("agent-{lane}"))).collect();
    let kinds = ["status", "finding", "data", "error", "completed"].map(&mut word);
    let severities = ["high", "medium", "low"].map(&mut word);
    let mut time = TEN;
    for number in 0..entries {
        time += match chance.below(1_000) {
            0 => pause * 400,
            _ if number % 1_000 < 300 => 0,
            _ => chance.below(pause as u64 * 2) as i64,
        };
        if chance.below(20_000) == 0 {
            time += 10 * MINUTE + chance.below(80 * MINUTE as u64) as i64;
        }
        let mut row =
            Row { time, from: agents[chance.below(lanes).min(chance.below(lanes)) as usize], ..Row::default() };
        row.kind = kinds[[0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3 + number as usize % 2][chance.below(11) as usize]];
        if row.kind == kinds[1] {
            row.severity = severities[chance.below(3) as usize];
        }
        if chance.below(4) == 0 {
            row.to = agents[chance.below(lanes) as usize];
        }
        if chance.below(5_000) == 0 {
            row.time = NO_TIME;
        }
        log.table.push(row);
    }
    log
}

#[test]
fn lanes_are_in_order_of_first_appearance() {
    let mut log = Log::default();
    log.say(TEN, "cat", "", "status", "");
    log.say(TEN + 5, "ann", "", "status", "");
    log.say(NO_TIME, "ghost", "", "status", "");
    log.say(TEN + 9, "", "", "status", "");
    log.say(TEN + 10, "cat", "", "status", "");
    log.work("late", NO_TIME, NO_TIME, "waiting");
    log.work("bob", TEN + 2, NO_TIME, "in_progress");
    log.work("cat", TEN + 1, TEN + 20, "completed");
    let timeline = log.timeline();
    let names: Vec<&str> = timeline.lanes().iter().map(|name| log.table.text(*name)).collect();
    assert_eq!(names, ["cat", "bob", "ann", "", "late"]);
    for (number, name) in timeline.lanes().iter().enumerate() {
        assert_eq!(timeline.lane(*name), Some(number as u32));
    }
    let ghost = log.table.symbols.find("ghost").unwrap();
    assert_eq!((timeline.lane(ghost), timeline.untimed()), (None, 1));
    let lane_intervals: Vec<(u32, i64, i64)> =
        timeline.lane_intervals().iter().map(|s| (s.lane, s.start, s.end)).collect();
    assert_eq!(lane_intervals, [(0, 1, 20), (1, 2, 20)]);
}

#[test]
fn the_edges_of_work_are_events_and_its_length_is_none() {
    let mut log = Log::default();
    for second in 0..10 {
        log.say(TEN + second * SECOND, "ann", "", "status", "");
    }
    log.work("ann", TEN, TEN + 3 * HOUR, "completed");
    log.work("bob", TEN + HOUR, NO_TIME, "in_progress");
    let timeline = log.timeline();
    let folds: Vec<i64> = timeline.time_scale().folds().iter().map(|fold| fold.end - TEN).collect();
    assert_eq!(folds, [HOUR, 3 * HOUR]);
}

#[test]
fn entries_out_of_order_do_no_harm() {
    let mut log = Log::default();
    for time in [TEN, NO_TIME, TEN - HOUR, TEN + HOUR, TEN - 1] {
        log.say(time, "ann", "bob", "request", "");
    }
    let timeline = log.timeline();
    assert_eq!(timeline.class_counts(0, i64::MIN, i64::MAX).total(), 4);
    assert_eq!(timeline.untimed(), 1);
}

#[test]
fn addressed_entries_without_known_kind_are_messages() {
    let class = |kind: &str, to: &str, flag: Option<Flags>| {
        let mut log = Log::default();
        log.say(TEN, "ann", to, kind, "");
        flag.into_iter().for_each(|flag| log.flag(0, flag));
        let class_counts = log.timeline().class_counts(0, 0, 1);
        Class::ALL.into_iter().find(|class| class_counts.of(*class) == 1).unwrap()
    };
    assert_eq!(class("interface_contract", "bob", None), Class::Message);
    assert_eq!(class("interface_contract", "", Some(Flags::BROADCAST)), Class::Message);
    assert_eq!(class("interface_contract", "", None), Class::Other);
    assert_eq!(class("interface_contract", "bob", Some(Flags::EVENT)), Class::Other);
    assert_eq!(class("", "bob", None), Class::Message);
    assert_eq!(class("error", "bob", None), Class::Error);
    assert_eq!(class("status", "bob", None), Class::Status);
}
