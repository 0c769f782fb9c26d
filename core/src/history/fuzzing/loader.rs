//! Files of any content: every byte is accounted for, and all that is shown can be shown.

use huddle_scan::{ByteAccounting, NO_TIME, clean};

use super::NOW;
use super::memory_files::{File, MemoryFiles};
use crate::history::export::Exported;
use crate::history::query::Query;
use crate::history::search::LogSearch;
use crate::history::timeline::{Options, Timeline, draw};
use crate::history::{Derived, History, Overview, Role};
use crate::model::JsonMap;

/// What stands between the contents of two files.
pub const SEPARATOR: [u8; 3] = [0xff, 0xfe, 0xfd];

/// The files that there can be, and whether each is asked for by name. What belongs together stands together.
pub const PATHS: [(&str, bool); 32] = [
    ("messages.jsonl", false),
    ("a.json", false),
    ("notes.txt", true),
    ("bundle.jsonl", true),
    ("named.json", true),
    ("p/.agent-messages/registry.json", false),
    ("p/.agent-messages/inbox/bob/m1.json", false),
    ("p/.agent-messages/inbox/bob/m1.json.read", false),
    ("p/.agent-messages/outbox/m1_to_bob.json", false),
    ("p/.agent-messages/.huddle/offered/bob.log", false),
    ("p/.agent-messages/inbox/ann/m2.json", false),
    ("p/.agent-messages/inbox/ann/m2.json.redelivered", false),
    ("p/.agent-messages/dead-letters/cat/m1.json", false),
    ("p/.agent-messages/dead-letters/cat/m1.json.dead", false),
    ("p/.agent-messages/broadcasts/b1.json", false),
    ("p/.agent-messages/events/TaskCompleted/e1.json", false),
    ("p/.agent-messages/archive/2025-11-29/inbox/bob/m0.json", false),
    ("p/.agent-messages/shared-context/api.md", false),
    ("p/.agent-messages/handoffs/h1/metadata.json", false),
    ("p/.agent-messages/inbox/bob/notes.txt", false),
    ("s/coordination.json", false),
    ("s/messages.jsonl", false),
    ("s/reports/ann.json", false),
    ("s/reports/bob.json", false),
    ("s/data/x.json", false),
    ("state/shared-context.json", false),
    ("state/decisions.jsonl", false),
    ("teams/x/inboxes/lead.json", false),
    ("teams/x/inboxes/ann.json", false),
    ("teams/x/config.json", false),
    ("transcript", true),
    ("log.ndjson", false),
];

const QUERIES: [&str; 8] = [
    "",
    "ann",
    "from:ann -type:status",
    "to:b* OR is:unread OR is:crossed",
    "is:damaged",
    "is:overdue is:unanswered",
    "/de?p/i after:2025-01-01 -has:artifact",
    "file:messages \"a b\"",
];

/// Loads files made of the bytes: the first says which of [`PATHS`], its upper three bits how many more of those that
/// follow; the second in chunks of which size, none for a single one; the rest is their contents.
pub fn loader(data: &[u8]) {
    let [which, chunk, contents @ ..] = data else { return };
    let mut memory_files = files(*which, contents);
    let history = memory_files.load(if *chunk == 0 { usize::MAX } else { usize::from(*chunk) });
    accounts(&memory_files, &history);
    rows(&mut memory_files, &history);
    same(&history, &memory_files.load(usize::MAX));
    shown(&mut memory_files, &history);
    streamed(&mut memory_files, usize::from(*chunk).max(1));
}

fn files(which: u8, contents: &[u8]) -> MemoryFiles {
    let (first, count) = (usize::from(which & 31), usize::from(which >> 5) + 1);
    let paths = PATHS.iter().cycle().skip(first).take(count);
    let mut rest = Some(contents);
    let files = paths.map(|(path, explicit)| {
        let bytes = rest.unwrap_or_default();
        let end = bytes.windows(SEPARATOR.len()).position(|part| part == SEPARATOR);
        rest = end.map(|end| &bytes[end + SEPARATOR.len()..]);
        File { path, explicit: *explicit, bytes: bytes[..end.unwrap_or(bytes.len())].to_vec() }
    });
    MemoryFiles(files.collect())
}

/// What was read of a file adds up to its size.
fn accounts(memory_files: &MemoryFiles, history: &History) {
    for (file, source) in memory_files.0.iter().zip(&history.files) {
        let account = source.account;
        let read = account != ByteAccounting::default() || source.role.is_read();
        assert!(!read || account.total() == file.bytes.len() as u64, "{}: {account:?}", file.path);
    }
}

/// What lies at a row's place is its record.
fn rows(memory_files: &mut MemoryFiles, history: &History) {
    for row in 0..history.table.len() as u32 {
        let bytes = history.bytes(row, memory_files).expect("the file is there");
        let record: Result<JsonMap, _> = serde_json::from_slice(&clean(&bytes));
        assert!(record.is_ok(), "{}: {record:?}", history.place(row));
    }
}

/// How the bytes came does not matter.
fn same(one: &History, other: &History) {
    let accounts = |history: &History| history.files.iter().map(|file| file.account).collect::<Vec<_>>();
    assert_eq!(accounts(one), accounts(other));
    assert_eq!((one.table.file(), one.table.offset()), (other.table.file(), other.table.offset()));
    assert_eq!((&one.entries, &one.table.damages), (&other.entries, &other.table.damages));
}

/// Everything that is made of a history can be made of this one.
fn shown(memory_files: &mut MemoryFiles, history: &History) {
    let mut derived = Derived::of(history, NOW, memory_files).expect("the files are there");
    let findings = history.check(&derived, NOW, memory_files).expect("the files are there");
    let overview = Overview::of(history, &derived, &findings);
    assert_eq!(overview.account.total(), history.account().total());
    for position in 0..history.entries.len() as u32 {
        let entry = history.load_entry(&derived, position, memory_files).expect("the file is there");
        drop((entry.body(), entry.delivery()));
    }
    for thread in derived.threads.threads.clone() {
        drop(history.participants(&derived, &thread));
        assert!(history.find_thread(&mut derived, &history.thread_name(&thread)).is_some());
    }
    drawn(history);
    for text in QUERIES {
        let query = Query::parse(text).expect("the query is right");
        let hits = history.search(&query, &derived, 3, memory_files).expect("the files are there");
        assert!(!text.is_empty() || hits.count == history.entries.len() as u64);
    }
    let exports =
        [history.to_documents(memory_files), history.to_mailbox(memory_files), history.to_jsonl(memory_files)];
    let _: Vec<Exported> = exports.map(|exported| exported.expect("the files are there")).into();
    history.to_markdown(&derived, memory_files).expect("the files are there");
}

fn drawn(history: &History) {
    let timeline = Timeline::build(&history.table, &history.entries, &history.work_intervals);
    let lanes = timeline.lanes().len() as u32;
    let total: u32 = (0..lanes).map(|lane| timeline.class_counts(lane, i64::MIN, i64::MAX).total()).sum();
    assert_eq!((total + timeline.untimed()) as usize, history.entries.len());
    let middle = history.table.time().iter().copied().find(|time| *time != NO_TIME).unwrap_or_default();
    for (width, start, end) in [(100, NO_TIME, NO_TIME), (0, middle, NO_TIME), (37, NO_TIME, middle)] {
        let page = draw(&timeline, &history.table, width, &Options { lanes: 3, start, end });
        assert!(page.ends_with('\n'), "{page:?}");
    }
}

/// A log that is searched while it goes by tells the same as one that was loaded.
fn streamed(memory_files: &mut MemoryFiles, chunk: usize) {
    let Some(log) = memory_files.0.iter().find(|file| file.path.ends_with("messages.jsonl")).cloned() else { return };
    let mut alone = MemoryFiles(vec![log.clone()]);
    let history = alone.load(usize::MAX);
    if history.files.len() > 1 || history.files[0].role != Role::Log {
        return;
    }
    let derived = Derived::of(&history, NOW, &mut alone).expect("the file is there");
    for text in QUERIES {
        let query = Query::parse(text).expect("the query is right");
        if query.needs_states() {
            continue;
        }
        let mut search = LogSearch::new(&query, 3);
        let mut reader = search.begin(0, log.path);
        log.bytes.chunks(chunk).for_each(|chunk| search.feed(&mut reader, chunk));
        let account = reader.end(&mut search);
        assert_eq!(account.total(), log.bytes.len() as u64, "{text}: {account:?}");
        let streamed = search.end(&mut alone).expect("the file is there").count;
        let loaded = history.search(&query, &derived, 3, &mut alone).expect("the file is there").count;
        assert_eq!(streamed, loaded, "{text}");
    }
}
