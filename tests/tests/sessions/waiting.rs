//! Ways in which waiting ends that the protocol's example does not show.

use std::thread;
use std::time::Duration;

use huddle_tests::{Clock, project};
use serde_json::{Value, json};

use crate::sessions::Desk;

/// Starts a session in which two are at work and a third waits for both.
fn at_work() -> Desk {
    let desk = Desk::at(Clock::Host);
    desk.json("", &["session", "start", "--id", "s", "--agent", "a", "--agent", "b", "--agent", "c:a,b"]);
    desk.at_once(&[("a", &["session", "join", "a", "--id", "s"]), ("b", &["session", "join", "b", "--id", "s"])]);
    desk
}

/// Waits in a guest while something else happens; gives whether it succeeded, and what it said.
fn while_waiting(desk: &Desk, args: &[&str], act: impl FnOnce()) -> (bool, Value) {
    thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let args = [&["session", "wait", "--id", "s", "--json"], args].concat();
            let outcome = desk.project.run("", &args).unwrap().start().unwrap();
            (outcome.code == 0, project::answer(&outcome).unwrap())
        });
        thread::sleep(Duration::from_millis(300));
        act();
        waiting.join().unwrap()
    })
}

#[test]
fn a_failure_ends_it_at_once() {
    let desk = at_work();
    let fail = || drop(desk.json("a", &["session", "fail", "a", "--error", "no memory", "--id", "s"]));
    let (ended_well, said) = while_waiting(&desk, &["--needs-of", "c"], fail);
    assert!(!ended_well, "{said}");
    assert_eq!(
        (&said["error"]["code"], said["error"]["message"].as_str().unwrap().contains("no memory")),
        (&json!(1), true),
        "{said}"
    );
    assert_eq!(
        desk.json("", &["session", "status", "b", "--id", "s"])["status"],
        "in_progress",
        "b was not waited for"
    );
}

#[test]
fn who_keeps_going_waits_for_the_others() {
    let desk = at_work();
    let act = || {
        desk.json("a", &["session", "fail", "a", "--error", "no memory", "--id", "s"]);
        thread::sleep(Duration::from_millis(300));
        desk.json("b", &["session", "complete", "b", "--id", "s"]);
    };
    let (ended_well, said) = while_waiting(&desk, &["a", "b", "--keep-going"], act);
    assert!(ended_well, "{said}");
    assert_eq!((&said["completed"], &said["failed"]), (&json!(["b"]), &json!([{"name": "a", "error": "no memory"}])));
}

#[test]
fn its_time_can_run_out() {
    let desk = at_work();
    desk.json("a", &["session", "complete", "a", "--id", "s"]);
    let (ended_well, said) = while_waiting(&desk, &["--all", "--timeout", "1"], || {});
    assert!(!ended_well, "{said}");
    assert_eq!((&said["error"]["code"], &said["error"]["kind"]), (&json!(4), &json!("timed-out")), "{said}");
    let message = said["error"]["message"].as_str().unwrap();
    assert!(message.contains("b (in_progress)") && !message.contains("a (completed)"), "{message}");
}
