//! Starting, moving, waiting, recovering, closing.

use std::cell::RefCell;

use super::*;
use crate::Host;
use crate::model::{Span, Status, Timestamp};
use crate::session::{Problem, RecoveryStep, WaitTarget};

#[test]
fn a_session_begins_in_the_protocols_form() {
    let bench = Bench::new();
    let wanted = json!({
        "session_id": "s", "started_at": BEGIN, "project_type": "web_app", "project_path": "/p",
        "agents": {
            "sec": {"status": "waiting", "dependencies": [], "reason": "Ready to start"},
            "perf": {"status": "waiting", "dependencies": [], "reason": "Ready to start"},
            "gen": {"status": "waiting", "dependencies": ["sec", "perf"], "reason": "Waiting for sec, perf"},
        },
    });
    assert_eq!(bench.coordination().to_string(), wanted.to_string(), "in this order");
    assert_eq!(bench.log(), ["coordinator status: Session started"]);
    assert_eq!(bench.sessions().list().unwrap().value.len(), 1);
    refused(bench.sessions().start(&plan(&[])), ErrorKind::Conflict, "there is a session s already");
    let made = bench.sessions().start(&Plan::default()).unwrap().id;
    let uuid = uuid::Uuid::try_parse(made.as_str()).unwrap();
    assert_eq!((uuid.get_version_num(), made.as_str().len()), (7, 36));
    let none = bench.sessions().status(&"other".parse().unwrap());
    refused(none, ErrorKind::NotFound, &format!("there is no session other; there are {made}, s"));
}

#[test]
fn a_plan_that_cannot_work_is_refused() {
    let bench = Bench::empty();
    let check =
        |agents: &[(&str, &[&str])], code, message| refused(bench.sessions().start(&plan(agents)), code, message);
    check(&[("a", &["b"]), ("b", &["a"])], ErrorKind::Usage, "agents would wait for each other: a → b → a");
    check(&[("a", &["z"])], ErrorKind::Usage, "a cannot wait for \"z\", which is not in the session: there are none");
    check(&[("a", &[]), ("a", &[])], ErrorKind::Invalid, "agent a is named twice");
    assert_eq!(bench.fs.files(), [] as [&str; 0]);
}

#[test]
fn an_agent_goes_through_its_states() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    refused(
        sessions.complete(&s(), &agent("sec"), None, None),
        ErrorKind::Conflict,
        "cannot complete sec: it is waiting",
    );
    assert_eq!(join(&sessions, "sec").status, Status::InProgress);
    refused(sessions.join(&s(), &agent("sec"), &[], &[]), ErrorKind::Conflict, "cannot start sec: it is in_progress");
    bench.host.advance(Span::from_seconds(60));
    sessions.progress(&s(), &agent("sec"), "50%").unwrap();
    sessions.complete(&s(), &agent("sec"), Some(&report(&["high", "low"])), None).unwrap();
    assert_eq!(
        bench.coordination()["agents"]["sec"],
        json!({"status": "completed", "dependencies": [], "started_at": BEGIN,
            "progress": "Completed: 2 findings, 1 of high severity",
            "completed_at": "2025-01-23T10:01:00Z", "report_path": "reports/sec.json"})
    );
    refused(
        sessions.progress(&s(), &agent("sec"), "more"),
        ErrorKind::Conflict,
        "cannot tell the progress of sec: it is completed",
    );
    refused(sessions.retry(&s(), &agent("sec")), ErrorKind::Conflict, "cannot retry sec: it is completed");

    join(&sessions, "perf");
    sessions.fail(&s(), &agent("perf"), "no database\nat line 3").unwrap();
    assert_eq!(bench.coordination()["agents"]["perf"]["error"], "no database\nat line 3");
    refused(sessions.fail(&s(), &agent("perf"), "again"), ErrorKind::Conflict, "cannot fail perf: it is failed");
    refused(sessions.join(&s(), &agent("perf"), &[], &[]), ErrorKind::Conflict, "cannot start perf: it is failed");
    sessions.retry(&s(), &agent("perf")).unwrap();
    assert_eq!(
        bench.coordination()["agents"]["perf"],
        json!({"status": "waiting", "dependencies": [], "reason": "Retry after: no database\nat line 3", "retries": 1})
    );
    let log = bench.log();
    assert_eq!(
        log[1..],
        [
            "sec status: Started",
            "sec status: 50%",
            "sec completed: Completed: 2 findings, 1 of high severity",
            "perf status: Started",
            "perf error: Failed: no database",
            "perf status: Retry after: no database\nat line 3",
        ]
    );
    refused(
        sessions.progress(&s(), &agent("bob"), "x"),
        ErrorKind::NotFound,
        "no agent \"bob\" is in session s; there are sec, perf, gen",
    );
}

#[test]
fn agent_waits_for_its_dependencies() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    let joined = sessions.join(&s(), &agent("gen"), &[], &[]).unwrap();
    assert_eq!((joined.member.status, joined.waits_for), (Status::Waiting, vec!["sec".to_owned(), "perf".to_owned()]));
    let before = bench.log().len();
    join(&sessions, "gen");
    assert_eq!(bench.log().len(), before, "asking again is no news");
    let ready = |sessions: &Real<'_>| {
        let session = sessions.status(&s()).unwrap().value.session;
        session.ready().iter().map(|member| member.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ready(&sessions), ["sec", "perf"]);
    for name in ["sec", "perf"] {
        join(&sessions, name);
        sessions.complete(&s(), &agent(name), None, None).unwrap();
    }
    assert_eq!(ready(&sessions), ["gen"]);
    assert_eq!(join(&sessions, "gen").status, Status::InProgress);
    assert_eq!(bench.coordination()["agents"]["gen"].get("reason"), None);
}

#[test]
fn an_agent_may_come_late_with_needs_of_its_own() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    let late = sessions.join(&s(), &agent("doc"), &[agent("gen")], &[]).unwrap();
    assert_eq!(late.waits_for, ["gen"]);
    assert_eq!(bench.coordination()["agents"]["doc"]["reason"], "Waiting for gen");
    let circular = sessions.join(&s(), &agent("sec"), &[agent("doc")], &[]);
    refused(circular, ErrorKind::Usage, "agents would wait for each other: gen → sec → doc → gen");
    let stranger = sessions.join(&s(), &agent("sec"), &[agent("zoe")], &[]);
    refused(
        stranger,
        ErrorKind::Usage,
        "sec cannot wait for \"zoe\", which is not in the session; there are perf, gen, doc",
    );
    let wrong = sessions.join(&s(), &agent("sec"), &[], &[agent("doc")]);
    refused(wrong, ErrorKind::Invalid, "sec does not wait for doc");
    let early = sessions.join(&s(), &agent("gen"), &[], &[agent("sec")]);
    refused(early, ErrorKind::Conflict, "cannot go on without sec: it is waiting");
    join(&sessions, "sec");
    let early = sessions.join(&s(), &agent("gen"), &[], &[agent("sec")]);
    refused(early, ErrorKind::Conflict, "cannot go on without sec: it is in_progress");
    for name in ["sec", "perf"] {
        sessions.fail(&s(), &agent(name), "no key").unwrap();
    }
    // It waits for gen, which cannot start: it need not be waited for either.
    let doc = sessions.join(&s(), &agent("doc"), &[], &[agent("gen")]).unwrap();
    assert_eq!(doc.member.status, Status::InProgress);
    let without = sessions.join(&s(), &agent("gen"), &[], &[agent("sec"), agent("perf")]).unwrap();
    assert_eq!(without.member.status, Status::InProgress);
    assert_eq!(bench.coordination()["agents"]["gen"]["without"], json!(["sec", "perf"]));
}

#[test]
fn reasons_are_never_stale() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    let reasons = || {
        let written = bench.coordination()["agents"]["gen"]["reason"].clone();
        let shown = sessions.status(&s()).unwrap().value.session.member("gen").unwrap().reason.clone();
        assert_eq!(shown.as_deref(), written.as_str());
        written
    };
    assert_eq!(reasons(), "Waiting for sec, perf");
    join(&sessions, "sec");
    sessions.complete(&s(), &agent("sec"), None, None).unwrap();
    assert_eq!(bench.coordination()["agents"]["sec"]["progress"], "Completed");
    assert_eq!(reasons(), "Waiting for perf");
    sessions.fail(&s(), &agent("perf"), "no key").unwrap();
    assert_eq!(reasons(), "Blocked: perf failed: no key");
    sessions.retry(&s(), &agent("perf")).unwrap();
    assert_eq!(reasons(), "Waiting for perf");
    join(&sessions, "perf");
    sessions.complete(&s(), &agent("perf"), None, None).unwrap();
    assert_eq!(reasons(), "Ready to start");
}

#[test]
fn dead_ends_written_by_others_end_a_wait_at_once() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    let text = r#"{"agents": {"a": {"status": "waiting", "dependencies": ["b"], "reason": "Waiting for b"},
        "b": {"status": "waiting", "dependencies": ["a"]}, "c": {"status": "completed", "progress": "Started"},
        "f": {"status": "failed", "error": "no disk"}, "g": {"status": "waiting", "dependencies": ["f"]}}}"#;
    bench.fs.remove("agents/context/s/coordination.json").unwrap();
    bench.fs.write_new("agents/context/s/coordination.json", text.as_bytes()).unwrap();
    let found = sessions.status(&s()).unwrap();
    let codes: Vec<_> = found.findings.iter().map(|finding| (finding.code, finding.message.as_str())).collect();
    let wanted = [
        ("circular-dependencies", "agents wait for each other: a → b → a; cannot start: a, b"),
        ("blocked-by-failure", "f failed: no disk; cannot start: g"),
    ];
    assert_eq!(codes, wanted);
    let session = found.value.session;
    assert_eq!(session.member("a").unwrap().reason.as_deref(), Some("Blocked: agents wait for each other: a → b → a"));
    assert_eq!(session.member("c").unwrap().progress.as_deref(), Some("Completed"));
    assert!(session.is_finished() && session.ready().is_empty());
    assert_eq!(
        found.value.coordination.document()["agents"]["a"]["reason"].as_str(),
        session.members[0].reason.as_deref()
    );

    let wait = |target: &str, keep_going| sessions.wait(&s(), &WaitTarget::Matching(target.into()), None, keep_going);
    refused(wait("a", false), ErrorKind::Failed, "a cannot start: agents wait for each other: a → b → a");
    refused(wait("g", false), ErrorKind::Failed, "f failed: no disk; g cannot start without it");
    let going = wait("*", true).unwrap();
    let blocked: Vec<_> = going.blocked.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((blocked, going.completed, going.waited), (vec!["a", "b", "g"], vec![agent("c")], Span::default()));
    assert_eq!(going.failed, [(agent("f"), "no disk".to_owned())]);

    let issues = sessions.recover(&s(), Span::from_seconds(600)).unwrap().value;
    let shown: Vec<_> = issues.iter().map(|issue| (issue.agent.as_str(), issue.problem)).collect();
    assert_eq!(shown, [("a", Problem::Deadlocked), ("f", Problem::Failed)]);
    let steps = [
        RecoveryStep::Fail { agent: agent("a"), error: "circular dependencies" },
        RecoveryStep::JoinWithout { agent: agent("b"), without: agent("a") },
    ];
    assert_eq!(issues[0].strategies[1].steps, steps);
    sessions.fail(&s(), &agent("a"), "circular dependencies").unwrap();
    let joined = sessions.join(&s(), &agent("b"), &[], &[agent("a")]).unwrap();
    assert_eq!(joined.member.status, Status::InProgress);
}

#[test]
fn a_session_is_watched_until_it_changes() {
    let bench = Bench::new();
    let company = Company {
        bench: &bench,
        turns: vec![Box::new(|sessions: &Real<'_>| drop(join(sessions, "sec"))) as Turn].into(),
    };
    let sessions = Sessions::new(&bench.fs, &company);
    let first = sessions.watch(&s(), None, None).unwrap().unwrap().value;
    let second = sessions.watch(&s(), Some(&first), None).unwrap().unwrap().value;
    assert_eq!(second.session.in_state(&Status::InProgress), [agent("sec")]);
    assert_eq!(sessions.watch(&s(), Some(&second), Some(Span::from_seconds(1))).unwrap(), None);
    assert!(!second.session.is_finished());
}

#[test]
fn a_report_that_says_failed_completes_nobody() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    join(&sessions, "sec");
    let mut failed = report(&[]);
    failed.insert("status".into(), "failed".into());
    let refusal = sessions.complete(&s(), &agent("sec"), Some(&failed), None);
    refused(refusal, ErrorKind::Invalid, "report of sec: its status is \"failed\", which does not complete the agent");
    assert_eq!(bench.text("reports/sec.json"), "");
    let short = json!({"summary": "All fine"});
    sessions.complete(&s(), &agent("sec"), short.as_object(), None).unwrap();
    let written: Json = serde_json::from_str(&bench.text("reports/sec.json")).unwrap();
    assert_eq!((&written["status"], &written["findings"]), (&json!("completed"), &json!([])));
}

#[test]
fn a_closed_session_stays_as_it_is() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    join(&sessions, "sec");
    refused(sessions.close(&s(), "coordinator", false), ErrorKind::Conflict, "session s has agents at work: sec");
    assert_eq!(bench.coordination().get("closed_at"), None);
    assert_eq!(sessions.close(&s(), "coordinator", true).unwrap().closed_at, Timestamp::parse(BEGIN));
    refused(
        sessions.complete(&s(), &agent("sec"), None, None),
        ErrorKind::Conflict,
        &format!("session s was closed at {BEGIN}"),
    );
    refused(
        sessions.close(&s(), "coordinator", true),
        ErrorKind::Conflict,
        &format!("session s was closed at {BEGIN}"),
    );
    let closed = format!("session s was closed at {BEGIN}");
    let before = bench.text("messages.jsonl");
    refused(sessions.log(&s(), &crate::model::NewEvent::new("sec", "status", "more")), ErrorKind::Conflict, &closed);
    let long = crate::model::NewEvent::new("sec", "status", "x".repeat(200_000));
    refused(sessions.log(&s(), &long), ErrorKind::Conflict, &closed);
    refused(sessions.put_report(&s(), &agent("sec"), &report(&[])), ErrorKind::Conflict, &closed);
    refused(
        sessions.put_data(&s(), &agent("sec"), &"x".parse().unwrap(), "1", None, false),
        ErrorKind::Conflict,
        &closed,
    );
    assert_eq!(bench.text("messages.jsonl"), before);
}

/// Something that another agent does.
type Turn = Box<dyn Fn(&Real<'_>)>;

/// A host in whose company others get on with their work: each time somebody waits, the next thing happens.
struct Company<'a> {
    bench: &'a Bench,
    turns: RefCell<Vec<Turn>>,
}

impl Host for Company<'_> {
    fn now(&self) -> Timestamp {
        self.bench.host.now()
    }
    fn random(&self) -> u128 {
        self.bench.host.random()
    }
    fn sleep(&self, span: Span) {
        self.bench.host.sleep(span);
        let mut turns = self.turns.borrow_mut();
        if !turns.is_empty() {
            turns.remove(0)(&self.bench.sessions());
        }
    }
}

#[test]
fn waiting_ends_when_all_have_finished() {
    let bench = Bench::new();
    let mut turns: Vec<Turn> = Vec::new();
    for name in ["sec", "perf", "gen"] {
        turns.push(Box::new(move |sessions| drop(join(sessions, name))));
        turns.push(Box::new(move |sessions| drop(sessions.complete(&s(), &agent(name), None, None).unwrap())));
    }
    let company = Company { bench: &bench, turns: turns.into() };
    let sessions = Sessions::new(&bench.fs, &company);
    let wait = |target: WaitTarget| sessions.wait(&s(), &target, None, false).unwrap();
    let waited = wait(WaitTarget::Agents(vec![agent("sec")]));
    assert_eq!((waited.completed, waited.waited), (vec![agent("sec")], Span::from_millis(400)));
    assert_eq!(wait(WaitTarget::DependenciesOf(agent("gen"))).completed, [agent("sec"), agent("perf")]);
    assert_eq!(wait(WaitTarget::Matching("?e*".into())).completed, [agent("sec"), agent("perf"), agent("gen")]);
    assert_eq!(wait(WaitTarget::All).waited, Span::default());
}

#[test]
fn waiting_ends_in_time_or_with_a_failure() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    join(&sessions, "sec");
    let timeout = Some(Span::from_millis(500));
    let wait = |target: WaitTarget, keep_going| sessions.wait(&s(), &target, timeout, keep_going);
    let late = wait(WaitTarget::Agents(vec![agent("sec"), agent("perf")]), false);
    refused(late, ErrorKind::TimedOut, "gave up after 500 ms; not completed: sec (in_progress), perf (waiting)");
    assert_eq!(bench.host.now(), Timestamp::parse(BEGIN).unwrap().plus(Span::from_millis(500)));
    sessions.fail(&s(), &agent("sec"), "no key").unwrap();
    refused(wait(WaitTarget::All, false), ErrorKind::Failed, "sec failed: no key");
    let behind = wait(WaitTarget::Agents(vec![agent("gen")]), false);
    refused(behind, ErrorKind::Failed, "sec failed: no key; gen cannot start without it");
    let going = wait(WaitTarget::Matching("sec".into()), true).unwrap();
    assert_eq!(going.failed, [(agent("sec"), "no key".to_owned())]);
    refused(
        wait(WaitTarget::Matching("x*".into()), true),
        ErrorKind::NotFound,
        "no agent \"x*\" is in session s; there are sec, perf, gen",
    );
    refused(
        wait(WaitTarget::DependenciesOf(agent("zoe")), true),
        ErrorKind::NotFound,
        "no agent \"zoe\" is in session s; there are sec, perf, gen",
    );
}

#[test]
fn trouble_is_found_with_its_ways_out() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    assert_eq!(sessions.recover(&s(), Span::from_seconds(600)).unwrap().value, []);
    join(&sessions, "sec");
    join(&sessions, "perf");
    let mut half = report(&["high"]);
    half.insert("status".into(), "partial".into());
    sessions.put_report(&s(), &agent("sec"), &half).unwrap();
    sessions.fail(&s(), &agent("sec"), "no key").unwrap();
    bench.host.advance(Span::from_seconds(601));
    let found = sessions.recover(&s(), Span::from_seconds(600)).unwrap().value;
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((found[0].problem, found[0].error.as_deref()), (Problem::Failed, Some("no key")));
    assert_eq!(found[0].report.as_ref().unwrap().findings, 1);
    assert_eq!(found[0].blocks, [agent("gen")]);
    let names: Vec<_> = found[0].strategies.iter().map(|one| one.name).collect();
    assert_eq!(names, ["retry", "continue_without", "manual_intervention", "partial_results"]);
    assert_eq!(
        found[0].strategies[1].steps,
        [RecoveryStep::JoinWithout { agent: agent("gen"), without: agent("sec") }]
    );
    assert_eq!((found[1].problem, found[1].silent_for), (Problem::Silent, Some(Span::from_seconds(601))));
    assert_eq!(found[1].strategies[0].steps.len(), 2, "one that is silent is failed before it is retried");
}

#[test]
fn the_protocols_example_survives_a_change_with_all_its_fields() {
    let (bench, id) = Bench::by_spec();
    let sessions = bench.sessions();
    let path = format!("agents/context/{id}/coordination.json");
    let read = || serde_json::from_slice::<Json>(&bench.fs.read(&path, u64::MAX).unwrap().unwrap()).unwrap();
    let mut wanted = read();
    wanted["agents"]["performance-analyzer"]["progress"] = "Indexes".into();
    sessions.progress(&id, &agent("performance-analyzer"), "Indexes").unwrap();
    assert_eq!(read().to_string(), wanted.to_string());
    let log = bench.fs.read(&format!("agents/context/{id}/messages.jsonl"), u64::MAX).unwrap().unwrap();
    assert!(log.starts_with(by_spec!("messages.jsonl").as_bytes()));
    assert_eq!(sessions.events(&id, &Default::default()).unwrap().value.len(), 5);
    let generator = sessions.join(&id, &agent("skill-generator"), &[], &[]).unwrap();
    assert_eq!(generator.waits_for, ["performance-analyzer", "code-quality-analyzer"]);
}

#[test]
fn a_directory_without_coordination_is_a_session_too() {
    let bench = Bench::empty();
    bench.fs.create_dir("agents/context/s/reports").unwrap();
    let sessions = bench.sessions();
    let found = sessions.status(&s()).unwrap();
    assert_eq!((found.value.session.members.len(), found.findings[0].code), (0, "no-coordination"));
    join(&sessions, "sec");
    assert_eq!(bench.coordination()["agents"]["sec"]["status"], "in_progress");
}

#[test]
fn a_session_with_only_a_log_is_derived_from_it() {
    let bench = Bench::empty();
    let log = r#"{"timestamp":"2025-01-23T10:00:00Z","from":"security","type":"status","message":"Starting"}
{"timestamp":"2025-01-23T10:00:01Z","from":"performance","type":"status","message":"Starting"}
{"timestamp":"2025-01-23T10:05:00Z","from":"security","type":"completed","message":"Found 5 issues"}
"#;
    bench.fs.create_dir("agents/context/s/reports").unwrap();
    bench.fs.write_new("agents/context/s/messages.jsonl", log.as_bytes()).unwrap();
    let sessions = bench.sessions();
    let found = sessions.status(&s()).unwrap();
    assert_eq!((found.findings.len(), found.findings[0].code), (1, "no-coordination"));
    let session = found.value.session;
    assert_eq!(session.started_at, Timestamp::parse(BEGIN));
    assert_eq!(session.in_state(&Status::Completed), [agent("security")]);
    assert_eq!(sessions.list().unwrap().value, [session]);
    let waited = sessions.wait(&s(), &WaitTarget::Agents(vec![agent("security")]), None, false).unwrap();
    assert_eq!(waited.completed, [agent("security")]);
    assert_eq!(bench.text("coordination.json"), "", "looking writes nothing");
    sessions.complete(&s(), &agent("performance"), None, None).unwrap();
    let joined = sessions.join(&s(), &agent("gen"), &[agent("security"), agent("performance")], &[]).unwrap();
    assert_eq!(joined.member.status, Status::InProgress);
    assert_eq!(bench.coordination()["agents"]["security"]["progress"], "Found 5 issues");
}

#[test]
fn a_log_that_is_no_file_costs_only_itself() {
    let bench = Bench::new();
    bench.fs.remove("agents/context/s/messages.jsonl").unwrap();
    bench.fs.create_dir("agents/context/s/messages.jsonl").unwrap();
    let (count, findings) = bench.sessions().check().unwrap();
    assert_eq!((count, findings.first().map(|finding| finding.code)), (1, Some("unreadable-file")));
    bench.fs.remove("agents/context/s/coordination.json").unwrap();
    assert_eq!(bench.sessions().status(&s()).unwrap().value.session.members, []);
}

#[test]
fn a_damaged_coordination_is_told_and_never_overwritten() {
    let bench = Bench::new();
    let path = "agents/context/s/coordination.json";
    bench.fs.remove(path).unwrap();
    bench.fs.write_new(path, b"{\"agents\":").unwrap();
    let sessions = bench.sessions();
    assert_eq!(sessions.status(&s()).unwrap().findings[0].code, "damaged-coordination");
    let joined = sessions.join(&s(), &agent("sec"), &[], &[]).unwrap_err();
    assert_eq!(
        (joined.kind(), joined.to_string().ends_with(": .claude/agents/context/s/coordination.json")),
        (ErrorKind::Invalid, true)
    );
    let waited = sessions.wait(&s(), &WaitTarget::All, None, false).unwrap_err();
    assert_eq!(waited.kind(), ErrorKind::Invalid);
    assert_eq!(bench.text("coordination.json"), "{\"agents\":");
    sessions.log(&s(), &crate::model::NewEvent::new("sec", "status", "still here")).unwrap();
}
