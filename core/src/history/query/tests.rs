mod errors;
mod random;

use super::*;

/// A row of the fixture; what is not said is empty.
#[derive(Default)]
struct Row {
    number: u32,
    from: &'static str,
    to: &'static str,
    kind: &'static str,
    severity: &'static str,
    thread: &'static str,
    priority: &'static str,
    file: &'static str,
    time: &'static str,
    states: &'static [State],
    artifact: bool,
    texts: &'static [&'static str],
}

impl Facts for Row {
    fn from(&self) -> &str {
        self.from
    }

    fn to(&self) -> &str {
        self.to
    }

    fn kind(&self) -> &str {
        self.kind
    }

    fn severity(&self) -> &str {
        self.severity
    }

    fn thread(&self) -> &str {
        self.thread
    }

    fn priority(&self) -> &str {
        self.priority
    }

    fn file(&self) -> &str {
        self.file
    }

    fn time(&self) -> Option<Timestamp> {
        Timestamp::parse(self.time)
    }

    fn is(&self, state: State) -> bool {
        self.states.contains(&state)
    }

    fn has_artifact(&self) -> bool {
        self.artifact
    }

    fn any_text(&self, look: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        let columns = [self.from, self.to, self.kind, self.severity, self.thread, self.priority];
        columns.iter().chain(self.texts).any(|text| look(text.as_bytes()))
    }
}

fn rows() -> [Row; 6] {
    [
        Row {
            number: 1,
            from: "Security-Lead",
            to: "ann, bob",
            kind: "finding",
            severity: "HIGH",
            thread: "conv-1",
            priority: "high",
            file: "logs/2025/session.jsonl",
            time: "2025-01-23T09:59:59Z",
            states: &[State::Unread, State::Unanswered],
            artifact: true,
            texts: &["SQL injection in src/db.rs:42", "see https://example.org/a?b=c"],
        },
        Row {
            number: 2,
            from: "ann",
            to: "Security-Lead",
            kind: "status",
            severity: "low",
            thread: "conv-1",
            priority: "normal",
            file: "logs/2025/session.jsonl",
            time: "2025-01-23T10:00:00Z",
            states: &[State::Crossed],
            texts: &["Fixed the injection; deployed with --force", "rate 50 % \"quoted\" back\\slash"],
            ..Row::default()
        },
        Row {
            number: 3,
            from: "agent x",
            to: "all",
            kind: "status",
            file: "mail/Inbox/3.json",
            time: "2025-01-24T00:00:00Z",
            texts: &["The deploy is DONE or not", "Größe: ÄÖÜ"],
            ..Row::default()
        },
        Row {
            number: 4,
            from: "bob",
            kind: "question",
            priority: "urgent",
            file: "mail/Outbox/4.json",
            states: &[State::Overdue, State::Unanswered],
            texts: &["when is the form: ready? a*b", "line one\nline two"],
            ..Row::default()
        },
        Row { number: 5, file: "odd.txt", states: &[State::Damaged], texts: &["{\"from\": trunc"], ..Row::default() },
        Row { number: 6, ..Row::default() },
    ]
}

/// Checks which rows a query finds, and that its normal form finds the same.
fn check(query: &str, expected: &[u32]) {
    let parsed = Query::parse(query).unwrap_or_else(|error| panic!("{}\n{error}", error.caret(query)));
    let rows = rows();
    let found: Vec<u32> = rows.iter().filter(|row| parsed.matches(*row)).map(|row| row.number).collect();
    assert_eq!(found, expected, "{query}");
    assert_eq!(Query::parse(&parsed.to_string()), Ok(parsed), "{query}");
}

#[test]
fn empty_query_matches_every_row() {
    check("", &[1, 2, 3, 4, 5, 6]);
    check(" \t\n", &[1, 2, 3, 4, 5, 6]);
    check("*", &[1, 2, 3, 4, 5, 6]);
    check("-*", &[]);
}

#[test]
fn words_are_found_in_any_text() {
    check("injection", &[1, 2]);
    check("INJECT", &[1, 2]);
    check("injection fixed", &[2]);
    check("größe", &[3]);
    check("ÄÖÜ", &[3]);
    check("security", &[1, 2]);
    check("status", &[2, 3]);
    check("nowhere", &[]);
    check("src/db.rs:42", &[1]);
    check("https://example.org/a?b=c", &[1]);
    check("--force", &[2]);
    check("50 - % ", &[2]);
    check("-", &[1, 2]);
    check("or", &[1, 2, 3, 4]);
    check("dep*yed", &[2]);
    check("deploy*", &[2, 3]);
    check("a*b", &[1, 2, 4]);
    check("back\\slash", &[2]);
}

#[test]
fn phrases_are_found_as_they_are() {
    check("\"the injection\"", &[2]);
    check("\"The Deploy is\"", &[3]);
    check("\"a*b\"", &[4]);
    check("\"form:\"", &[4]);
    check("\"\\\"quoted\\\"\"", &[2]);
    check("\"back\\slash\"", &[2]);
    check("\"back\\\\slash\"", &[2]);
    check("\"OR\"", &[1, 2, 3, 4]);
    check("\"from\\\": trunc\"", &[5]);
    check("fixed\"the injection\"force", &[2]);
}

#[test]
fn regular_expressions_heed_case_unless_told_otherwise() {
    check("/[Ii]njection/", &[1, 2]);
    check("/INJECTION/", &[]);
    check("/INJECTION/i", &[1, 2]);
    check(r"/src\/db\.rs:\d+/", &[1]);
    check(r"/org/ /\/a\?/", &[1]);
    check("/^the deploy/i", &[3]);
    check(r"/k\\s/", &[2]);
    check("-/./", &[6]);
    check("/one\nline/", &[4]);
    check("(/one/)", &[4]);
}

#[test]
fn fields_are_whole_values() {
    check("from:ann", &[2]);
    check("from:ANN", &[2]);
    check("FROM:ann", &[2]);
    check("from:an", &[]);
    check("from:security*", &[1]);
    check("from:*lead", &[1]);
    check("from:s*-*d", &[1]);
    check("from:\"agent x\"", &[3]);
    check("from:\"agent *\"", &[3]);
    check("from:\"agent \\*\"", &[]);
    check("from:*", &[1, 2, 3, 4]);
    check("from:\"\"", &[5, 6]);
    check("type:status", &[2, 3]);
    check("severity:high", &[1]);
    check("severity:*", &[1, 2]);
    check("thread:conv-1", &[1, 2]);
    check("priority:urgent", &[4]);
    check("from:ann\"fixed\"", &[2]);
}

#[test]
fn one_of_several_recipients_is_enough() {
    check("to:ann", &[1]);
    check("to:BOB", &[1]);
    check("to:b*", &[1]);
    check("to:\"ann, bob\"", &[1]);
    check("to:\"\"", &[4, 5, 6]);
    check("to:*", &[1, 2, 3]);
}

#[test]
fn a_part_of_the_path_is_enough() {
    check("file:2025", &[1, 2]);
    check("file:BOX/", &[3, 4]);
    check("file:mail*json", &[3, 4]);
    check("file:/Inbox", &[3]);
    check("file:\"\"", &[6]);
    check("file:*", &[1, 2, 3, 4, 5]);
}

#[test]
fn times_have_a_start_and_an_end() {
    check("after:2025-01-23", &[1, 2, 3]);
    check("after:2025-01-23T10:00", &[2, 3]);
    check("before:2025-01-23T10:00", &[1]);
    check("before:2025-01-24", &[1, 2]);
    check("after:2025-01-23T09:59:59Z before:2025-01-23T10:00:00.5", &[1, 2]);
    check("after:2025-01-23T11:00+01:00", &[2, 3]);
    check("after:\"2025-01-23 10:00:00-0030\"", &[3]);
    check("-after:2025-01-23T10:00", &[1, 4, 5, 6]);
}

#[test]
fn states_and_artifacts_are_asked_for() {
    check("is:unread", &[1]);
    check("is:Unanswered", &[1, 4]);
    check("is:overdue", &[4]);
    check("is:crossed", &[2]);
    check("is:\"damaged\"", &[5]);
    check("has:artifact", &[1]);
    check("-has:artifact is:unanswered", &[4]);
}

#[test]
fn terms_are_combined() {
    check("from:ann OR from:bob", &[2, 4]);
    check("injection from:ann OR from:bob", &[2, 4]);
    check("injection (from:ann OR from:bob)", &[2]);
    check("(injection) ((from:ann) OR (from:bob))", &[2]);
    check("-injection type:*", &[3, 4]);
    check("-(injection OR type:question)", &[3, 5, 6]);
    check("-(injection high)", &[2, 3, 4, 5, 6]);
    check("-(-injection)", &[1, 2]);
    check("-(--force)", &[1, 3, 4, 5, 6]);
    check("-(--for*e)", &[1, 3, 4, 5, 6]);
    check("-\"--force\" type:status", &[3]);
    check("-OR", &[5, 6]);
    check("type:status OR (from:bob OR is:damaged)", &[2, 3, 4, 5]);
    check("(injection OR deploy)(from:ann)", &[2]);
}

#[test]
fn a_word_with_a_colon_is_a_word_unless_it_is_a_field() {
    check("nosuch:thing", &[]);
    check("in:x", &[]);
    check("c:\\dir", &[]);
    check("db.rs:42", &[1]);
    check("größe:", &[3]);
    check(":42", &[1]);
}

#[test]
fn the_normal_form_is_short_and_asks_for_columns_first() {
    let check = |query: &str, normal: &str| assert_eq!(Query::parse(query).unwrap().to_string(), normal);
    check("  Deploy   FROM:Ann ", "from:ann deploy");
    check("((a)) (b (c OR (d OR e)))", "a b (c OR d OR e)");
    check("a OR (b -(c d))", "a OR b -(c d)");
    check("-(-x)", "x");
    check("/x/ is:unread \"y\" after:2025-01-23", "after:2025-01-23T00:00:00Z is:unread y /x/");
    check("from:\"ann\" to:\"a b\" type:\"\" \"a:b\"", "from:ann to:\"a b\" type:\"\" \"a:b\"");
    check("from:\"a\\*b*\" **x**y", "from:\"a\\*b*\" *x*y");
    check("", "");
}

#[test]
fn a_query_tells_what_it_needs() {
    let check = |query: &str, text: bool, states: bool| {
        let query = Query::parse(query).unwrap();
        assert_eq!((query.needs_text(), query.needs_states()), (text, states), "{query}");
    };
    check("", false, false);
    check("from:ann after:2025-01-23 has:artifact is:damaged", false, false);
    check("from:ann OR -(word is:damaged)", true, false);
    check("-/x/", true, false);
    check("from:ann -(to:bob is:overdue)", false, true);
    assert!(Query::parse(" ").unwrap().is_empty());
    assert!(!Query::parse("*").unwrap().is_empty());
}

#[test]
fn needles_are_what_every_row_has() {
    let check = |query: &str, expected: &[&str]| {
        let needles = Query::parse(query).unwrap().needles();
        assert_eq!(needles.iter().map(|needle| needle.text.as_str()).collect::<Vec<_>>(), expected, "{query}");
    };
    check("Deploy FROM:Agent-1 \"not yet\"", &["agent-1", "deploy", "not yet"]);
    check("word", &["word"]);
    check("to:ann type:x severity:y thread:z_1 priority:p.q", &["ann", "x", "y", "z_1", "p.q"]);
    check("time*out größe a/b \"c:d\" *", &["time", "out"]);
    check("from:sec* file:logs from:\"\" is:unread has:artifact before:2025-01-01 /x/", &[]);
    check("-word -from:ann", &[]);
    check("a OR b", &[]);
    check("a (b OR c) -(d e) (f g)", &["a", "f", "g"]);
    check("", &[]);
}
