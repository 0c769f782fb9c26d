//! Both kinds of agent work on the same shared contexts and handoffs.

use std::fs;
use std::time::Duration;

use huddle_tests::Clock;
use huddle_tests::snippets::{Shell, read};
use huddle_tests::test_project::{TestProject, at};
use serde_json::{Value, json};

use super::{START, bus, each, findings};

const NOW: Duration = Duration::ZERO;

fn with_context() -> (TestProject, Shell) {
    let project = bus();
    project.json("ann", at(START), &["context", "create", "api-contracts", "# API"]).unwrap();
    let shell = Shell::new(project.root(), "2025-11-29T14:31:00Z");
    (project, shell)
}

fn lock(project: &TestProject) -> Value {
    read(&project.bus("shared-context/api-contracts.md.lock")).unwrap()
}

#[test]
fn a_context_grows_by_both_kinds() {
    let (project, mut shell) = with_context();
    let free = json!({"locked": false, "locked_by": null, "locked_at": null});
    assert_eq!(lock(&project), free);
    let notice = shell.update_shared_context("api-contracts", "bob", "Login is done.", NOW).unwrap();
    let update = ["context", "update", "api-contracts", "Logout is done.", "--expect-version", "2"];
    let updated = project.json("ann", at("2025-11-29T14:32:00Z"), &update).unwrap();
    assert_eq!((&updated["version"], &updated["contributors"]), (&json!(3), &json!(["bob", "ann"])));
    assert_eq!(lock(&project), free);
    shell.set_clock("2025-11-29T14:33:00Z");
    shell.update_shared_context("api-contracts", "cyd", "All is tested.", NOW).unwrap();

    let shown = project.json("", at("2025-11-29T14:34:00Z"), &["context", "show", "api-contracts"]).unwrap();
    assert_eq!((&shown["version"], &shown["contributors"]), (&json!(4), &json!(["bob", "ann", "cyd"])));
    let text = shown["content"].as_str().unwrap();
    let updates = text.lines().filter(|line| line.starts_with("## Update: ")).collect::<Vec<_>>();
    let expected = [
        "## Update: 2025-11-29T14:31:00Z by bob",
        "## Update: 2025-11-29T14:32:00Z by ann",
        "## Update: 2025-11-29T14:33:00Z by cyd",
    ];
    assert_eq!(updates, expected);
    assert_eq!(text.matches("is done.").count(), 2);

    let told = project.json("ann", at("2025-11-29T14:34:00Z"), &["inbox", "--type", "context_updated"]).unwrap();
    assert_eq!(told["count"], 2);
    assert_eq!(told["notifications"][0]["id"], notice);
    let mail = shell.check_inbox("bob").unwrap();
    let subjects = mail.iter().map(|mail| (mail.from.as_str(), mail.subject.as_str())).collect::<Vec<_>>();
    let subject = "Shared context 'api-contracts' updated";
    assert_eq!(subjects, [("ann", subject), ("cyd", subject)]);
    // `sed -i.bak` leaves a file beside the document: it is nobody's fault and no context.
    assert!(project.bus("shared-context/api-contracts.md.bak").exists());
    let check = project.json("", at("2025-11-29T14:40:00Z"), &["check"]).unwrap();
    assert_eq!(findings(&check), [""; 0]);
}

#[test]
fn a_lock_that_a_snippet_holds_is_waited_for_and_named() {
    let (project, mut shell) = with_context();
    // Huddle waits in real time, and there no lock is older than one that is yet to come.
    shell.set_clock("2999-01-01T00:00:00Z");
    shell.lock_context("api-contracts", "bob", NOW).unwrap();
    let before = fs::read(project.bus("shared-context/api-contracts.md")).unwrap();
    let update = ["context", "update", "api-contracts", "Mine.", "--lock-wait", "1"];
    let refused = project.refusal("ann", Clock::Host, &update).unwrap();
    assert_eq!((&refused["kind"], &refused["code"]), (&json!("conflict"), &json!(5)));
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("bob") && message.contains("api-contracts"), "{message}");
    assert_eq!(lock(&project)["locked_by"], "bob", "the holder still has it");
    assert_eq!(fs::read(project.bus("shared-context/api-contracts.md")).unwrap(), before);
    assert_eq!(project.json("cyd", Clock::Host, &["inbox"]).unwrap()["count"], 0, "nobody was told of anything");

    shell.unlock_context("api-contracts").unwrap();
    assert_eq!(project.json("ann", Clock::Host, &update).unwrap()["version"], 2);
}

#[test]
fn a_lock_that_a_dead_agent_left_is_passed_over() {
    let (project, shell) = with_context();
    shell.lock_context("api-contracts", "bob", NOW).unwrap();
    let held = shell.lock_context("api-contracts", "cyd", NOW);
    assert!(held.is_err(), "among snippets, it holds");
    let update = ["context", "update", "api-contracts", "Mine.", "--lock-wait", "1"];
    assert_eq!(project.json("ann", at("2025-11-29T14:33:00Z"), &update).unwrap()["version"], 2);
    assert_eq!(lock(&project)["locked"], false);
}

#[test]
fn a_snippet_accepts_what_huddle_hands_over() {
    let project = bus();
    fs::create_dir_all(project.root().join("docs")).unwrap();
    fs::write(project.root().join("docs/design.md"), "RS256").unwrap();
    let create = ["handoff", "create", "bob", "--task", "Build the JWT service", "--artifact", "docs/design.md"];
    let made = project.json("ann", at("2025-11-29T14:31:00Z"), &create).unwrap();
    let id = made["id"].as_str().unwrap();
    let dir = project.bus(&format!("handoffs/{id}"));
    for file in ["HANDOFF.md", "metadata.json", "context-links.md", "acceptance-checklist.md"] {
        assert!(dir.join(file).is_file(), "{file}");
    }
    assert_eq!(fs::read(dir.join("artifacts/design.md")).unwrap(), b"RS256");

    let shell = Shell::new(project.root(), "2025-11-29T14:32:00Z");
    let mail = shell.check_inbox("bob").unwrap();
    let request = shell.read_message("bob", &mail[0].file).unwrap();
    assert_eq!((request.kind.as_str(), &mail[0].priority), ("handoff_request", &"high".to_owned()));
    assert_eq!(request.subject, "Handoff ready: Build the JWT service");
    assert_eq!(request.payload["handoff_dir"], format!(".agent-messages/handoffs/{id}"));
    let accepted = shell.accept_handoff("bob", request.payload["handoff_id"].as_str().unwrap(), "Got it.").unwrap();

    let shown = project.json("ann", at("2025-11-29T14:33:00Z"), &["handoff", "show", id]).unwrap();
    let fields = ["status", "decidedBy", "decidedAt", "notes"].map(|field| shown[field].as_str().unwrap());
    assert_eq!(fields, ["accepted", "bob", "2025-11-29T14:32:00Z", "Got it."]);
    assert!(shown["document"].as_str().unwrap().contains("\n## Handoff Accepted\n"));
    let inbox = project.json("ann", at("2025-11-29T14:33:00Z"), &["inbox"]).unwrap();
    assert_eq!(each(&inbox["notifications"], "id"), [accepted.as_str()]);
    let again = project.refusal("bob", at("2025-11-29T14:34:00Z"), &["handoff", "accept", id]).unwrap();
    assert_eq!(again["kind"], "conflict");
}

#[test]
fn huddle_accepts_what_a_snippet_hands_over() {
    let project = bus();
    fs::write(project.root().join("design.md"), "RS256").unwrap();
    let shell = Shell::new(project.root(), "2025-11-29T14:31:00Z");
    let id = shell.create_handoff_package(["ann", "bob"], "Build it", &["design.md"], "Take care.").unwrap();
    let accept = ["handoff", "accept", &id, "--notes", "Got it."];
    project.json("bob", at("2025-11-29T14:32:00Z"), &accept).unwrap();

    let metadata = read(&project.bus(&format!("handoffs/{id}/metadata.json"))).unwrap();
    let fields = ["handoff_id", "from_agent", "to_agent", "created_at", "status", "accepted_by", "accepted_at"];
    let fields = fields.map(|field| metadata[field].as_str().unwrap());
    let times = ["2025-11-29T14:31:00Z", "2025-11-29T14:32:00Z"];
    assert_eq!(fields, [&id, "ann", "bob", times[0], "accepted", "bob", times[1]]);
    assert_eq!((&metadata["acceptance_notes"], &metadata["artifacts"]), (&json!("Got it."), &json!(["design.md"])));
    let document = fs::read_to_string(project.bus(&format!("handoffs/{id}/HANDOFF.md"))).unwrap();
    assert!(document.contains("Take care.") && document.contains("**Accepted by**: bob"), "{document}");
    let mail = shell.check_inbox("ann").unwrap();
    assert_eq!(
        (mail[0].kind.as_str(), mail[0].subject.as_str()),
        ("handoff_accepted", format!("Handoff {id} accepted").as_str())
    );
    let check = project.json("", at("2025-11-29T14:40:00Z"), &["check"]).unwrap();
    assert_eq!(findings(&check), [""; 0]);
}
