use super::*;
use crate::needles::Needles;
use crate::table::{Flags, Table};

fn record(message: &str) -> String {
    format!(r#"{{"timestamp":"2025-01-23T10:00:00Z","from":"a","type":"{message}"}}"#)
}

/// Reads a log in chunks of every size up to eight, and one go; all must say the same.
fn read(log: &[u8]) -> (Table, ByteAccounting) {
    let whole = read_in(log, log.len().max(1));
    for size in 1..8 {
        let parts = read_in(log, size);
        assert_eq!(parts.1, whole.1, "chunks of {size}");
        assert_eq!(parts.0.damages, whole.0.damages);
        assert_eq!(parts.0.offset(), whole.0.offset());
    }
    whole
}

fn read_in(log: &[u8], size: usize) -> (Table, ByteAccounting) {
    let mut table = Table::default();
    let mut reader = LogReader::new(0);
    let mut fed = 0;
    for chunk in log.chunks(size) {
        reader.feed(chunk, &mut table);
        fed += chunk.len() as u64;
        assert_eq!(reader.account().total(), fed);
    }
    let account = reader.end(&mut table);
    assert_eq!(account.total(), log.len() as u64, "{}", String::from_utf8_lossy(log));
    (table, account)
}

fn show(log: &[u8]) -> String {
    let (table, account) = read(log);
    let mut parts = Vec::new();
    for number in 0..table.len() as u32 {
        let row = table.row(number);
        let bytes = &log[row.offset as usize..][..row.length as usize];
        let value: serde_json::Value = serde_json::from_slice(&clean(bytes)).expect("a row is JSON when it is shown");
        let mark = if row.flags.contains(Flags::RECOVERED) { "~" } else { "" };
        parts.push(format!("{mark}{}", value["type"].as_str().unwrap_or("?")));
    }
    parts.extend(table.damages.iter().map(|damage| format!("!{}+{}@{}", damage.offset, damage.length, damage.line)));
    for (recovery, count) in Recovery::ALL.iter().zip(account.recoveries).filter(|(_, count)| *count > 0) {
        parts.push(format!("{}={count}", recovery.as_str()));
    }
    if account.being_written > 0 {
        parts.push(format!("…{}", account.being_written));
    }
    parts.join(" ")
}

fn check(log: impl AsRef<[u8]>, wanted: &str) {
    assert_eq!(show(log.as_ref()), wanted, "{}", String::from_utf8_lossy(log.as_ref()));
}

#[test]
fn line_over_the_limit_is_damage_and_its_neighbors_are_read() {
    let (a, b) = (record("a"), record("b"));
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(MAX_LINE));
    for log in [format!("{a}\n{long}\n{b}\n"), format!("{a}\n{long}")] {
        let whole = read_in(log.as_bytes(), log.len());
        let damage =
            Damage { file: 0, line: 2, offset: a.len() as u64 + 1, length: long.len() as u64, fault: TOO_LONG };
        assert_eq!(whole.0.damages, [damage]);
        assert_eq!(whole.0.len(), log.lines().count() - 1);
        let parts = read_in(log.as_bytes(), 1 << 20);
        assert_eq!((parts.1, &parts.0.damages, parts.0.offset()), (whole.1, &whole.0.damages, whole.0.offset()));
    }
    let log = format!("{a}\n{long}\n{}\n", record("rare"));
    for size in [1 << 20, log.len()] {
        let (mut table, mut reader) = (Table::default(), LogReader::new(0));
        log.as_bytes().chunks(size).for_each(|chunk| reader.feed_wanted(chunk, &Needles::new(["rare"]), &mut table));
        assert_eq!(reader.end(&mut table).total(), log.len() as u64);
        assert_eq!(table.offset().last(), Some(&((a.len() + long.len()) as u64 + 2)), "chunks of {size}");
    }
    let mut reader = LogReader::new(0);
    reader.feed(&vec![b'x'; MAX_LINE + 1], &mut Table::default());
    assert_eq!(reader.begun.capacity(), 0, "nothing of it is held");
}

#[test]
fn records_and_damage_are_told_apart() {
    let (a, b) = (record("a"), record("b"));
    check("", "");
    check("\n\n", "");
    check(format!("{a}\n{b}\n"), "a b");
    check(format!("{a}\n\n  {b}"), "a b");
    check(format!("{a}{b}\n"), "~a ~b glued=2");
    check(format!("{a} {b} {a}\n{b}\n"), "~a ~b ~a b glued=3");
    check(format!("\u{feff}{a}\n{b}\n"), "~a b bom=1");
    check(format!("\u{feff}\u{feff}{a}\n\u{feff}\0{b}\n"), "~a ~b bom=2");
    check("\u{feff}".repeat(200_000), "!0+600000@1");
    check(format!("{a}\r\n{b}\r\n"), "a b crlf=2");
    check(format!("{}\n{b}\n", a.replace("from", "fr\0om")), "~a b nul=1");
    check(format!("\0\0{a}\0\n{b}\n"), "~a b nul=1");
    let long = format!("{{\"\0x\":\"{}\",\"type\":\"long\"}}", "ä".repeat(3_000));
    check(format!("{long}{long}\n"), "~long ~long nul=2");
    check(format!("{}\n", a.replace("\"a\"}", "\"a\", \"note\": \"x\u{2028}y\"}")), "a");
    check(format!("{a}\nnot json at all\n{b}\n"), "a b !59+15@2");
    check(format!("{a}\n{}\n{b}\n", &a[..30]), "a b !59+30@2");
    check(format!("{a}\n{}{b}\n", &a[..30]), "a b !59+30@2");
    check(format!("{a}\n{}", &b[..30]), "a …30");
    check(format!("{a}\n[1]\n7\n{b}\n"), "a b !59+3@2 !63+1@3");
    check(b"{\"type\":\"\xff\"}\n{}\n", "? !0+12@1");
}

#[test]
fn a_line_that_was_broken_in_two_is_joined() {
    let (a, b) = (record("a"), record("b"));
    check(format!("{}\n{}\n{b}\n", &a[..40], &a[40..]), "~a b torn=1");
    check(format!("{}\n{}", &a[..40], &a[40..]), "~a torn=1");
    check(format!("{}\n{}\n{b}\n", &a[..40], &b[30..]), "b !0+40@1 !41+28@2");
    check(format!("{}\n{}\n{}\n", &a[..40], &b[..20], &b[20..]), "~b !0+40@1 torn=1");
}

#[test]
fn a_log_cut_at_any_byte_adds_up() {
    let (a, b) = (record("a"), record("bä"));
    let log = format!("{a}\n{}\r\n\u{feff}{b}\n{a}{b}\n{}\nnonsense\n{b}", &a[..30], &b[..10]);
    for end in 0..=log.len() {
        read(&log.as_bytes()[..end]);
    }
}

#[test]
fn documents_are_records_lists_or_several() {
    let (a, b) = (record("a"), record("b"));
    let show = |text: &str| {
        let mut table = Table::default();
        let account = document(0, text.as_bytes(), &mut table);
        assert_eq!(account.total(), text.len() as u64, "{text}");
        let lines = table.damages.iter().map(|damage| format!("!{}+{}@{}", damage.offset, damage.length, damage.line));
        format!("{} {}", table.len(), lines.collect::<Vec<_>>().join(" ")).trim().to_owned()
    };
    assert_eq!(show(&a), "1");
    assert_eq!(show(&format!("[\n{a},\n{b}\n]\n")), "2");
    assert_eq!(show(&format!("\u{feff}[ {{\n\"a\": 1}}, {b}]")), "2");
    assert_eq!(show(&format!("\u{feff}{a}\n\u{feff}\n")), "1");
    assert_eq!(show("[]"), "0");
    assert_eq!(show(""), "0");
    assert_eq!(show(&format!("[{a}, oops, {b}]")), "2 !61+6@1");
    assert_eq!(show(&format!("[{a},\n{}", &b[..20])), "1 !61+20@2");
    assert_eq!(show(&format!("{a}\n{b}")), "2");
}

/// Remembers the offsets of the records that have a text in them.
struct Having<'t>(&'t Needles, Vec<u64>);

impl Sink for Having<'_> {
    fn record(&mut self, found: &ScannedRecord<'_>) {
        if self.0.may_be_in(found.record) {
            self.1.push(found.offset);
        }
    }
    fn damage(&mut self, _: Damage) {}
}

#[test]
fn passing_over_lines_finds_what_reading_them_all_finds() {
    let records: Vec<String> = ["a", "b", "rare", "c", "RARE", "d\\u0065"].iter().map(|kind| record(kind)).collect();
    let mut state = 7u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let needles = Needles::new(["rare"]);
    for _ in 0..3000 {
        let mut log = String::new();
        for _ in 0..next(12) {
            let one = &records[next(records.len())];
            // Whole, glued, torn in two, cut off, with a zero byte in it, or nothing of the sort.
            match next(8) {
                0 => log += one,
                1 => log += &format!("{}\n{}\n", &one[..next(one.len())], &one[next(one.len())..]),
                2 => {
                    let cut = next(one.len());
                    log += &format!("{}\n{}\n", &one[..cut], &one[cut..]);
                }
                3 => log += &format!("{}\n", one.replace("ra", "r\0a")),
                _ => log += &format!("{one}\n"),
            }
        }
        let (mut all, mut wanted) = (Having(&needles, Vec::new()), Having(&needles, Vec::new()));
        let size = 1 + next(200);
        let (mut whole, mut part) = (LogReader::new(0), LogReader::new(0));
        for chunk in log.as_bytes().chunks(size) {
            whole.feed(chunk, &mut all);
            part.feed_wanted(chunk, &needles, &mut wanted);
        }
        whole.end(&mut all);
        assert_eq!(part.end(&mut wanted).total(), log.len() as u64);
        assert_eq!(wanted.1, all.1, "{log:?} in chunks of {size}");
    }
}
