//! Ways in which waiting ends that the protocol's example does not show.

use std::thread;
use std::time::Duration;

use huddle_tests::{Clock, project};
use serde_json::{Value, json};

use crate::sessions::SessionFixture;

/// Starts a session in which two are at work and a third waits for both.
fn at_work() -> SessionFixture {
    let fixture = SessionFixture::at(Clock::Host);
    fixture.json("", &["session", "start", "--id", "s", "--agent", "a", "--agent", "b", "--agent", "c:a,b"]);
    fixture.at_once(&[("a", &["session", "join", "a", "--id", "s"]), ("b", &["session", "join", "b", "--id", "s"])]);
    fixture
}

/// Waits in a guest while something else happens; gives whether it succeeded, and what it said.
fn while_waiting(fixture: &SessionFixture, args: &[&str], act: impl FnOnce()) -> (bool, Value) {
    thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let args = [&["session", "wait", "--id", "s", "--json"], args].concat();
            let outcome = fixture.project.run("", &args).unwrap().start().unwrap();
            (outcome.code == 0, project::answer(&outcome).unwrap())
        });
        thread::sleep(Duration::from_millis(300));
        act();
        waiting.join().unwrap()
    })
}

#[test]
fn a_failure_ends_it_at_once() {
    let fixture = at_work();
    let fail = || drop(fixture.json("a", &["session", "fail", "a", "--error", "no memory", "--id", "s"]));
    let (ended_well, said) = while_waiting(&fixture, &["--needs-of", "c"], fail);
    assert!(!ended_well, "{said}");
    assert_eq!(
        (&said["error"]["code"], said["error"]["message"].as_str().unwrap().contains("no memory")),
        (&json!(1), true),
        "{said}"
    );
    assert_eq!(
        fixture.json("", &["session", "status", "b", "--id", "s"])["status"],
        "in_progress",
        "b was not waited for"
    );
}

#[test]
fn keep_going_waits_for_remaining_agents() {
    let fixture = at_work();
    let act = || {
        fixture.json("a", &["session", "fail", "a", "--error", "no memory", "--id", "s"]);
        thread::sleep(Duration::from_millis(300));
        fixture.json("b", &["session", "complete", "b", "--id", "s"]);
    };
    let (ended_well, said) = while_waiting(&fixture, &["a", "b", "--keep-going"], act);
    assert!(ended_well, "{said}");
    assert_eq!((&said["completed"], &said["failed"]), (&json!(["b"]), &json!([{"name": "a", "error": "no memory"}])));
}

#[test]
fn its_time_can_run_out() {
    let fixture = at_work();
    fixture.json("a", &["session", "complete", "a", "--id", "s"]);
    let (ended_well, said) = while_waiting(&fixture, &["--all", "--timeout", "1"], || {});
    assert!(!ended_well, "{said}");
    assert_eq!((&said["error"]["code"], &said["error"]["kind"]), (&json!(4), &json!("timed-out")), "{said}");
    let message = said["error"]["message"].as_str().unwrap();
    assert!(message.contains("b (in_progress)") && !message.contains("a (completed)"), "{message}");
}
