//! Windows: the counts are exact, and little is looked at for them.

use std::collections::BTreeMap;

use super::*;

/// An entry as going over all of them finds it.
struct Seen {
    position: i64,
    lane: u32,
    mark: EntryClass,
    entry: u32,
}

fn all(log: &Log, timeline: &Timeline) -> Vec<Seen> {
    let mut marks = ClassCache::default();
    let rows = (0..log.table.len()).filter(|row| log.table.time()[*row] != NO_TIME);
    let seen = rows.map(|row| Seen {
        position: timeline.time_scale().to_position(log.table.time()[row]),
        lane: timeline.lane(log.table.from()[row]).unwrap(),
        mark: marks.of(&log.table, row),
        entry: row as u32,
    });
    seen.collect()
}

/// Counts one by one.
fn by_hand(all: &[Seen], start: i64, end: i64, columns: u32) -> Vec<Cell> {
    let mut cells: BTreeMap<(u32, u32), Cell> = BTreeMap::new();
    for &Seen { position, lane, mark, entry } in all.iter().filter(|seen| start <= seen.position && seen.position < end)
    {
        // The last column that begins at or before the position.
        let part = (i128::from(position - start) + 1) * i128::from(columns);
        let column = ((part + i128::from(end - start) - 1) / i128::from(end - start) - 1) as u32;
        let fresh = Cell { lane, column, first: entry, class_counts: ClassCounts::default() };
        cells.entry((lane, column)).or_insert(fresh).class_counts.add(mark);
    }
    cells.into_values().collect()
}

fn check(all: &[Seen], timeline: &Timeline, start: i64, end: i64, columns: u32) -> u32 {
    let lanes = timeline.lanes().len() as u32;
    let window = timeline.window(0..lanes, start, end, columns);
    assert!(window.cells == by_hand(all, start, end, columns), "{start}..{end} in {columns} columns");
    for lane in 0..lanes {
        let mut sum = ClassCounts::default();
        window.cells.iter().filter(|cell| cell.lane == lane).for_each(|cell| sum.join(&cell.class_counts));
        assert_eq!(timeline.class_counts(lane, start, end), sum);
    }
    window.visited
}

#[test]
fn a_window_of_a_million_entries_is_exact_and_looks_at_little() {
    let log = busy_log(1_000_000, 40, 700_000);
    let timeline = log.timeline();
    let all = all(&log, &timeline);
    let length = timeline.time_scale().length();
    assert!(timeline.time_scale().folds().len() > 20, "{} folds", timeline.time_scale().folds().len());
    assert!(timeline.bytes() < 20_000_000, "{} bytes", timeline.bytes());
    let burst = timeline.time_scale().to_position(log.table.time()[400_100]);
    let mut most = 0;
    for (start, width) in [
        (0, length),
        (-5, length + 10),
        (length / 3, length / 10),
        (burst - 12_345, length / 100),
        (length / 7, length / 1_000),
        (burst - 300_000_000, 600_000_000),
        (burst - 500_000, 1_000_000),
        (burst - 500, 1_000),
        (burst, 1),
        (burst - 30, 60),
    ] {
        most = most.max(check(&all, &timeline, start, start + width, 100));
    }
    assert!(most < 10_000, "4000 cells were counted by looking at {most} slices and blocks");
    let one_lane = timeline.window(3..4, 0, length, 1_000).visited;
    assert!(one_lane < 2_500, "1000 cells were counted by looking at {one_lane} slices and blocks");
}

#[test]
fn windows_of_every_shape_are_exact() {
    let log = busy_log(3_000, 5, 40);
    let timeline = log.timeline();
    let all = all(&log, &timeline);
    let length = timeline.time_scale().length();
    let mut chance = Chance(7);
    for _ in 0..300 {
        let start = chance.below(length as u64) as i64 - 50;
        let zoom = chance.below(17);
        let width = 1 + chance.below(1 + (length as u64 >> zoom)) as i64;
        check(&all, &timeline, start, start + width, 1 + chance.below(300) as u32);
    }
}

#[test]
fn a_cell_leads_to_its_entries() {
    let log = busy_log(5_000, 4, 700_000);
    let timeline = log.timeline();
    let length = timeline.time_scale().length();
    for cell in timeline.window(0..9, 0, length, 1).cells {
        let entries = timeline.entries(cell.lane, 0, length);
        assert_eq!((entries[0], entries.len()), (cell.first, cell.class_counts.total() as usize));
        assert!(entries.is_sorted());
    }
}

#[test]
fn windows_of_nothing_are_empty() {
    let log = busy_log(100, 3, 700_000);
    let timeline = log.timeline();
    for (start, end, columns) in [(5, 5, 10), (9, 5, 10), (0, 100, 0), (-100, 0, 10), (i64::MAX - 5, i64::MAX, 10)] {
        assert_eq!(timeline.window(0..3, start, end, columns).cells, []);
    }
    assert_eq!(timeline.window(3..9, 0, i64::MAX, 10).cells, []);
    let nothing = Log::default().timeline();
    assert_eq!(nothing.window(0..1, 0, 10, 10), Window::default());
    assert_eq!(nothing.arrows(0, 10, 10).total(), 0);
}

#[test]
fn severities_are_counted_beside_classes() {
    let mut log = Log::default();
    for severity in ["low", "HIGH", "medium", "", "critical", "odd"] {
        log.say(TEN, "ann", "", "finding", severity);
    }
    let class_counts = log.timeline().class_counts(0, 0, 1);
    assert_eq!((class_counts.total(), class_counts.of(Class::Finding)), (6, 6));
    assert_eq!(
        (class_counts.at(Severity::High), class_counts.at(Severity::None), class_counts.worst()),
        (2, 2, Severity::High)
    );
}
