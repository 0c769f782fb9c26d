//! Searching: what is found in the fixtures, and the same in a log that is streamed and in one that is loaded.

use serde_json::Value;

use crate::history::support::{Scratch, fixtures, json, list, made_log, run};

/// Counts what a query finds, however many are listed.
fn count(query: &str, path: &str) -> u64 {
    // After `--` a query may begin with a hyphen.
    let found = json(&["search", "--limit", "0", "--", query, path]);
    assert_eq!((&found["listed"], list(&found["hits"]).len()), (&Value::from(0), 0), "{query}");
    found["count"].as_u64().expect("a count")
}

/// Compares the number of rows of a fixture that a query finds.
fn check(fixture: &str, cases: &[(&str, u64)]) {
    for (query, wanted) in cases {
        assert_eq!(count(query, fixture), *wanted, "{query} in {fixture}");
        let all = json(&["search", "--limit", "1000", "--", query, fixture]);
        assert_eq!((&all["count"], list(&all["hits"]).len() as u64), (&Value::from(*wanted), *wanted), "{query}");
    }
}

#[test]
fn states_tell_how_far_messages_came() {
    check(
        "troubled-mailbox",
        &[
            ("is:unread", 10),
            ("is:crossed", 2),
            ("is:unanswered", 4),
            ("is:overdue", 2),
            ("is:unanswered -is:overdue", 2),
            ("is:damaged", 1),
            ("is:unread is:crossed", 0),
            ("is:unread OR is:crossed", 12),
            ("-is:unread", 10),
        ],
    );
    check("documents", &[("is:unread", 3), ("-is:unread type:task", 1), ("is:unread from:researcher-001", 2)]);
    check("team", &[("is:unread", 3), ("is:unread to:team-lead", 2)]);
    check("troubled-session", &[("is:unread", 0), ("has:artifact", 2), ("has:artifact -risks", 1)]);
}

#[test]
fn fields_tell_who_what_and_when() {
    check(
        "troubled-mailbox",
        &[
            ("from:coder", 5),
            ("from:CODER", 5),
            ("from:cod*", 5),
            ("from:coder OR from:tester", 9),
            ("-from:coder", 15),
            ("from:\"\"", 1),
            ("to:tester", 5),
            ("type:question", 4),
            ("priority:high", 1),
            ("thread:conv_smoke", 2),
            ("file:outbox", 1),
            ("after:2025-11-29T10:00", 9),
            ("before:2025-11-29T10:00", 11),
            ("after:2025-11-29T10:00 before:2025-11-29T10:05", 2),
            ("(from:lead OR from:coder) type:status_update", 4),
        ],
    );
    check("troubled-session", &[("severity:high", 1), ("type:finding", 1), ("type:completed", 5), ("type:error", 2)]);
    check("transcript", &[("from:assistant", 5), ("type:summary", 1)]);
    check("plain-log", &[("from:planner", 4), ("severity:error", 1), ("severity:30", 2), ("type:done", 1)]);
}

#[test]
fn words_phrases_and_patterns_are_looked_for_in_all_texts() {
    check(
        "troubled-mailbox",
        &[
            ("gateway", 5),
            ("GATEWAY", 5),
            ("gateway -from:lead", 2),
            ("\"port 9443\"", 2),
            ("\"Port  9443\"", 0),
            (r"/port \d+/", 2),
            (r"/PORT \d+/", 0),
            (r"/PORT \d+/i", 2),
            ("smoke passed", 1),
            ("smoke OR passed", 3),
        ],
    );
    check("damaged-log", &[("\"is whole\"", 3), ("is:damaged", 10), ("is:damaged status", 7), ("café", 0)]);
    check("transcript", &[("Grep", 1), ("cookie", 3)]);
    check("plain-log", &[("task", 9), ("task -from:worker-*", 5)]);
}

#[test]
fn a_query_that_cannot_be_understood_shows_where() {
    let wrong = |query: &str, caret: &str| {
        let ran = run(&["search", query, "documents"]);
        assert_eq!(ran.code, 2, "{query}: {ran:?}");
        assert!(ran.err.contains(&format!("\n{query}\n{caret}\n")), "{query}: {}", ran.err);
    };
    wrong("is:red", "   ^");
    wrong("(from:ann", "^");
    wrong("from:ann )", "         ^");
    wrong("after:soon", "      ^");
    wrong("say \"hello", "    ^");
    wrong("say /(/", "    ^");
    wrong("has:nothing", "    ^");
}

/// Queries that can be answered while a log goes by.
const STREAMED: [&str; 30] = [
    "query",
    "\"query index\"",
    "/que(ry|ue) in/",
    "from:lead-agent-9",
    "from:lead-*",
    "-from:lead-*",
    "to:tester-agent-8",
    "to:\"\"",
    "type:finding",
    "type:finding severity:high",
    "severity:high OR severity:low",
    "type:error latency",
    "type:data has:artifact",
    "has:artifact",
    "-has:artifact type:data",
    "thread:thread-7",
    "thread:thread-1*",
    "after:2025-01-23T10:10",
    "before:2025-01-23T10:10",
    "after:2025-01-23T10:05 before:2025-01-23T10:06",
    "is:damaged",
    "-is:damaged type:status",
    "is:damaged OR type:completed",
    "is:damaged \"not json\"",
    "not json at all",
    "(socket OR buffer) -cache",
    "src/ -type:finding",
    "/src\\/[a-z]+\\/login\\.rs/",
    "from:\"\"",
    "type:*",
];

#[test]
fn a_log_that_goes_by_is_searched_like_one_that_is_loaded() {
    let (alone, beside) = (Scratch::new(), Scratch::new());
    let log = made_log(&["2000", "--damage"]);
    let streamed = alone.write("messages.jsonl", &log);
    beside.write("messages.jsonl", &log);
    // What is no log has to be loaded, and all the rest with it.
    beside.write("settings.json", b"{}");
    let mut found = 0;
    for query in STREAMED {
        let wanted = count(query, beside.root());
        assert_eq!(count(query, &streamed), wanted, "{query}");
        found += u64::from(wanted > 0);
    }
    assert!(found >= 25, "most queries find something: {found}");
}

#[test]
fn a_damaged_log_that_goes_by_is_searched_like_one_that_is_loaded() {
    let log = std::fs::read(fixtures().join("damaged-log/agents.jsonl")).expect("the fixture is there");
    let beside = Scratch::new();
    beside.write("agents.jsonl", &log);
    beside.write("settings.json", b"{}");
    for query in ["ann", "whole", "is:damaged", "from:bob", "-from:bob", "bytes", "\"not JSON\"", "is:damaged café"] {
        assert_eq!(count(query, "damaged-log/agents.jsonl"), count(query, beside.root()), "{query}");
    }
}

#[test]
fn files_that_a_log_carries_are_searched_as_files() {
    let scratch = Scratch::new();
    let bundle = scratch.path("bundle.jsonl");
    assert_eq!(run(&["export", "mailbox-by-spec-scripts", "--to", "jsonl", "--out", &bundle]).code, 0);
    for query in ["", "from:builder-1", "type:response", "nowhere"] {
        assert_eq!(count(query, &bundle), count(query, "mailbox-by-spec-scripts"), "{query}");
    }
}
