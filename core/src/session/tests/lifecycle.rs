//! Starting, moving, waiting, recovering, closing.

use std::cell::RefCell;

use super::*;
use crate::Host;
use crate::model::{Span, Status, Timestamp};
use crate::session::{Problem, WaitTarget};

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
    refused(bench.sessions().start(&plan(&[])), 5, "there is a session s already");
    let made = bench.sessions().start(&Plan::default()).unwrap().id;
    let uuid = uuid::Uuid::try_parse(made.as_str()).unwrap();
    assert_eq!((uuid.get_version_num(), made.as_str().len()), (7, 36));
    let none = bench.sessions().status(&"other".parse().unwrap());
    refused(none, 3, &format!("there is no session other; there are {made}, s"));
}

#[test]
fn a_plan_that_cannot_work_is_refused() {
    let bench = Bench::empty();
    let check =
        |agents: &[(&str, &[&str])], code, message| refused(bench.sessions().start(&plan(agents)), code, message);
    check(&[("a", &["b"]), ("b", &["a"])], 2, "agents would wait for each other: a → b → a");
    check(&[("a", &["z"])], 2, "a cannot wait for \"z\", which is not in the session: there are none");
    check(&[("a", &[]), ("a", &[])], 6, "agent a is named twice");
    assert_eq!(bench.fs.files(), [] as [&str; 0]);
}

#[test]
fn an_agent_goes_through_its_states() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    refused(sessions.complete(&s(), &agent("sec"), None, None), 5, "cannot complete sec: it is waiting");
    assert_eq!(join(&sessions, "sec").status, Status::InProgress);
    refused(sessions.join(&s(), &agent("sec"), &[], &[]), 5, "cannot start sec: it is in_progress");
    bench.host.advance(Span::from_seconds(60));
    sessions.progress(&s(), &agent("sec"), "50%").unwrap();
    sessions.complete(&s(), &agent("sec"), Some(&report(&["high", "low"])), None).unwrap();
    assert_eq!(
        bench.coordination()["agents"]["sec"],
        json!({"status": "completed", "dependencies": [], "started_at": BEGIN, "progress": "50%",
            "completed_at": "2025-01-23T10:01:00Z", "report_path": "reports/sec.json"})
    );
    refused(sessions.progress(&s(), &agent("sec"), "more"), 5, "cannot tell the progress of sec: it is completed");
    refused(sessions.retry(&s(), &agent("sec")), 5, "cannot retry sec: it is completed");

    join(&sessions, "perf");
    sessions.fail(&s(), &agent("perf"), "no database\nat line 3").unwrap();
    assert_eq!(bench.coordination()["agents"]["perf"]["error"], "no database\nat line 3");
    refused(sessions.fail(&s(), &agent("perf"), "again"), 5, "cannot fail perf: it is failed");
    refused(sessions.join(&s(), &agent("perf"), &[], &[]), 5, "cannot start perf: it is failed");
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
        3,
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
    refused(circular, 2, "agents would wait for each other: gen → sec → doc → gen");
    let stranger = sessions.join(&s(), &agent("sec"), &[agent("zoe")], &[]);
    refused(stranger, 2, "sec cannot wait for \"zoe\", which is not in the session; there are perf, gen, doc");
    let wrong = sessions.join(&s(), &agent("sec"), &[], &[agent("doc")]);
    refused(wrong, 6, "sec does not wait for doc");
    let without = sessions.join(&s(), &agent("gen"), &[], &[agent("sec"), agent("perf")]).unwrap();
    assert_eq!(without.member.status, Status::InProgress);
    assert_eq!(bench.coordination()["agents"]["gen"]["without"], json!(["sec", "perf"]));
}

#[test]
fn a_closed_session_stays_as_it_is() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    join(&sessions, "sec");
    refused(sessions.close(&s(), "coordinator", false), 5, "session s has agents at work: sec");
    assert_eq!(bench.coordination().get("closed_at"), None);
    assert_eq!(sessions.close(&s(), "coordinator", true).unwrap().closed_at, Timestamp::parse(BEGIN));
    refused(sessions.complete(&s(), &agent("sec"), None, None), 5, &format!("session s was closed at {BEGIN}"));
    refused(sessions.close(&s(), "coordinator", true), 5, &format!("session s was closed at {BEGIN}"));
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
    refused(late, 4, "gave up after 500 ms; not completed: sec (in_progress), perf (waiting)");
    assert_eq!(bench.host.now(), Timestamp::parse(BEGIN).unwrap().plus(Span::from_millis(500)));
    sessions.fail(&s(), &agent("sec"), "no key").unwrap();
    refused(wait(WaitTarget::All, false), 1, "sec failed: no key");
    let behind = wait(WaitTarget::Agents(vec![agent("gen")]), false);
    refused(behind, 1, "sec failed: no key; gen cannot start without it");
    let going = wait(WaitTarget::Matching("sec".into()), true).unwrap();
    assert_eq!(going.failed, [(agent("sec"), "no key".to_owned())]);
    refused(
        wait(WaitTarget::Matching("x*".into()), true),
        3,
        "no agent \"x*\" is in session s; there are sec, perf, gen",
    );
    refused(
        wait(WaitTarget::DependenciesOf(agent("zoe")), true),
        3,
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
    assert_eq!(found[0].strategies[1].commands, ["huddle session join gen --without sec --id s"]);
    assert_eq!((found[1].problem, found[1].silent_for), (Problem::Silent, Some(Span::from_seconds(601))));
    assert_eq!(found[1].strategies[0].commands.len(), 2, "one that is silent is failed before it is retried");
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
fn a_damaged_coordination_is_told_and_never_overwritten() {
    let bench = Bench::new();
    let path = "agents/context/s/coordination.json";
    bench.fs.remove(path).unwrap();
    bench.fs.write_new(path, b"{\"agents\":").unwrap();
    let sessions = bench.sessions();
    assert_eq!(sessions.status(&s()).unwrap().findings[0].code, "damaged-coordination");
    let joined = sessions.join(&s(), &agent("sec"), &[], &[]).unwrap_err();
    assert_eq!(
        (joined.kind().code(), joined.to_string().ends_with(": .claude/agents/context/s/coordination.json")),
        (6, true)
    );
    let waited = sessions.wait(&s(), &WaitTarget::All, None, false).unwrap_err();
    assert_eq!(waited.kind().code(), 6);
    assert_eq!(bench.text("coordination.json"), "{\"agents\":");
    sessions.log(&s(), &crate::model::NewEvent::new("sec", "status", "still here")).unwrap();
}
