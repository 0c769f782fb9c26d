//! A bus goes from files to MongoDB and back, and is killed on its way.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use huddle_tests::artifact;
use serde_json::Value;

use super::new_database;

const MESSAGES: usize = 10_000;

/// Runs the native command, which must succeed, and gives its answer.
pub(super) fn huddle(dir: &Path, args: &[&str]) -> Value {
    let output = command(dir, args).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{args:?}: {said}");
    serde_json::from_str(&said).unwrap()
}

pub(super) fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(artifact::native().unwrap());
    command.args(args).arg("--json").current_dir(dir).env_remove("HUDDLE_BUS").stdin(Stdio::null());
    command
}

/// Writes messages as a plain driver would have left them, every third of them read.
fn documents() -> String {
    let mut lines = String::new();
    for number in 0..MESSAGES {
        let (from, to) = (number % 7, (number + 3) % 7);
        let at = format!("2026-01-10T{:02}:{:02}:{:02}Z", number / 3600, number / 60 % 60, number % 60);
        let read = match number % 3 {
            0 => format!(r#""read":true,"readAt":{{"$date":"{at}"}}"#),
            _ => r#""read":false"#.to_owned(),
        };
        let message =
            format!(r#""id":"m-{number}","from":"agent-{from}","to":"agent-{to}","content":"number {number}""#);
        let rest = format!(r#""type":"status","priority":"normal","createdAt":{{"$date":"{at}"}},{read}"#);
        writeln!(lines, "{{{message},{rest}}}").unwrap();
    }
    lines
}

/// Moves a bus, kills it at some point on its way, and moves it again to the end. Gives what the second move says.
fn moved_in_two_goes(dir: &Path, from: &str, to: &mut dyn FnMut() -> String) -> (String, Value) {
    // How long it takes until messages move, and until all have, depends on the machine: between these it is looked for.
    let (mut too_early, mut too_late) = (0, 3200);
    for _ in 0..10 {
        let millis = u64::midpoint(too_early, too_late);
        let to = to();
        let args = ["migrate", "--from", from, "--to", &to];
        let mut first = command(dir, &args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(millis));
        first.kill().unwrap();
        first.wait().unwrap();
        let told = huddle(dir, &args);
        let new = usize::try_from(told["newCopies"].as_u64().unwrap()).unwrap();
        match new {
            0 => too_late = millis,
            MESSAGES => too_early = millis,
            _ => return (to, told),
        }
    }
    panic!("it was always killed before it had begun or after it was done");
}

#[test]
fn ten_thousand_messages_go_to_mongodb_and_back_though_killed_on_the_way() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path();
    fs::write(dir.join("messages.jsonl"), documents()).unwrap();
    fs::create_dir(dir.join("a")).unwrap();
    huddle(dir, &["init", "--root", "a"]);
    huddle(dir, &["import", "messages.jsonl", "--root", "a"]);
    let (bus, there) = moved_in_two_goes(dir, "a", &mut new_database);
    let mut turn = 0;
    let (_, back) = moved_in_two_goes(dir, &bus, &mut || {
        turn += 1;
        format!("b-{turn}")
    });
    assert_eq!(there["kinds"], back["kinds"], "the same counts and the same hashes");
    let copies = there["kinds"].as_array().unwrap().iter().find(|kind| kind["kind"] == "copies").unwrap();
    assert_eq!((&copies["count"], &copies["others"]), (&MESSAGES.into(), &0.into()));
}
