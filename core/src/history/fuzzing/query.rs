//! Queries of any text: what is understood can be written down again, and finds what it finds in every way of looking.

use std::sync::LazyLock;

use super::NOW;
use super::memory_files::{File, MemoryFiles};
use crate::history::query::Query;
use crate::history::search::{Hits, LogSearch};
use crate::history::{Derived, History};
use crate::model::JsonMap;

const LOG: &str = r#"{"timestamp":"2025-01-23T10:00:00Z","from":"ann","to":"bob","type":"question","id":"m1","thread_id":"t1","requires_response":true,"message":"Deploy the parser? A time-out of 5s"}
{"timestamp":"2025-01-23T10:00:05.250Z","from":"bob","to":"ann","type":"response","id":"m2","in_reply_to":"m1","text":"not yet (see src/db.rs:42) --force"}
{"timestamp":"2025-01-23T11:00:00+01:00","from":"Security-Lead","type":"finding","severity":"HIGH","data":{"title":"SQL injection","location":"src/login.rs"}}
{"timestamp":"2025-01-24","from":"agent x","type":"data","artifact":"data/x.json","priority":"urgent","description":"Gr\u00f6\u00dfe \"quoted\" a\\b"}
{"from":"Änne","recipients":["ann","bob"],"content":"Größe ΟΔΟΣ K * a*b İstanbul"}
{"message":"a b  c","n":[1,2.5e3,true,null],"deep":{"er":["deploy","DEPLOY-_."]}}
{"from":"ann","type":"status","mess{"from":"bob","type":"status","message":"glued"}
not json at all
{"timestamp":"2025-01-23T10:00:00Z","from":"torn
"#;

static HISTORY: LazyLock<(History, Derived)> = LazyLock::new(|| {
    let history = log_file().load(usize::MAX);
    let derived = Derived::of(&history, NOW, &mut log_file()).expect("the file is there");
    (history, derived)
});

fn log_file() -> MemoryFiles {
    MemoryFiles(vec![File { path: "logs/2025/messages.jsonl", explicit: false, bytes: LOG.into() }])
}

/// Reads the bytes as a query.
pub fn query(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let length = text.chars().count();
    for cursor in 0..=length + 1 {
        let mut completion = Query::complete(text, cursor);
        assert!(completion.start <= cursor.min(length), "{text:?} at {cursor}: {completion:?}");
        ["ann", "Änne", "agent x"].iter().for_each(|name| completion.add(name));
    }
    match Query::parse(text) {
        Ok(query) => understood(&query),
        Err(error) => {
            assert!(error.at <= length && !error.message.is_empty(), "{text:?}: {error:?}");
            let caret = error.caret(text);
            let (_, below) = caret.rsplit_once('\n').expect("the caret stands below");
            assert_eq!(below.chars().count(), error.at + 1, "{text:?}: {caret}");
        }
    }
}

fn understood(query: &Query) {
    let written = query.to_string();
    assert_eq!(Query::parse(&written).as_ref(), Ok(query), "{written:?}");
    let (history, derived) = &*HISTORY;
    let mut memory_files = log_file();
    let hits = history.search(query, derived, usize::MAX, &mut memory_files).expect("the file is there");
    assert_eq!(hits.count, hits.listed.len() as u64);
    assert!(!query.is_empty() || hits.count == history.entries.len() as u64);
    needles(query, &hits);
    if query.needs_states() {
        return;
    }
    let mut search = LogSearch::new(query, 0);
    let mut reader = search.begin(0, memory_files.0[0].path);
    LOG.as_bytes().chunks(100).for_each(|chunk| search.feed(&mut reader, chunk));
    reader.end(&mut search);
    let streamed = search.end(&mut memory_files).expect("the file is there");
    assert_eq!(streamed.count, hits.count, "{written:?}");
}

/// What was found has in it what all that is found must have.
fn needles(query: &Query, hits: &Hits) {
    let needles = query.needles();
    let is_plain = |record: &[u8]| !record.contains(&b'\\') && serde_json::from_slice::<JsonMap>(record).is_ok();
    for hit in hits.listed.iter().filter(|hit| is_plain(&hit.record)) {
        let record = hit.record.to_ascii_lowercase();
        for needle in &needles {
            let found = record.windows(needle.text.len()).any(|part| part == needle.text.as_bytes());
            assert!(found, "{query}: {:?} is not in {}", needle.text, String::from_utf8_lossy(&hit.record));
        }
    }
}
