//! Mail to somebody whose inbox cannot be written: its sender is told, and nobody else notices.

use serde_json::Value;

use crate::audit::{Audit, Expect};
use crate::{AttackedProject, Counts, Target, Template};

const INBOX: &str = ".agent-messages/inbox/bob";

type Plant = fn(&AttackedProject);

const OBSTACLES: &[(&str, Plant)] = &[
    ("a file in the inbox's place", |project| project.write(INBOX, "x")),
    ("a link out in the inbox's place", |project| project.link(INBOX, project.outside("dir"))),
    ("a dangling link in the inbox's place", |project| project.link(INBOX, project.outside("nothing"))),
    ("a loop in the inbox's place", |project| project.link(INBOX, project.path(INBOX))),
    ("a named pipe in the inbox's place", |project| project.make_fifo(INBOX)),
];

/// Sends to an agent whose inbox cannot be written, and completes the sending once it can.
pub fn undeliverable_mail(target: &dyn Target) -> Counts {
    let template = Template::new(target);
    let mut audit = Audit::new(target);
    for (what, plant) in OBSTACLES {
        audit.begin(*what);
        let project = template.copy();
        plant(&project);
        let send = "send bob,cyd Important --body now --key k9 --as ann";
        for _ in 0..2 {
            let ran = audit.run(&project, send, Expect::Any);
            audit.check(ran.code != 0, || format!("it was confirmed: {}", ran.out));
            let told = format!("{}{}", ran.out, ran.err);
            let names_whom = told.contains("not delivered to bob") && !told.contains("cyd:");
            audit.check(names_whom && told.contains("inbox/bob"), || format!("it does not say who and why: {told}"));
        }
        let copies = count(&mut audit, &project, "cyd");
        audit.check(copies == 1, || format!("cyd has it {copies} times"));
        for command in [
            "inbox --as cyd",
            "inbox --as ann",
            "agents",
            "threads",
            "send cyd Other --as ann",
            "context update api more --as cyd",
            "context update api more --as ann",
            "handoff create cyd --task Task --as ann",
            "register dan --role builder",
            "sweep",
            "archive --before 0s",
        ] {
            let concerns_bob = command.starts_with("context");
            audit.run(&project, command, if concerns_bob { Expect::Any } else { Expect::Success });
        }
        check_report(&mut audit, &project);
        project.make_dir(INBOX);
        audit.run(&project, send, Expect::Success);
        audit.run(&project, send, Expect::Success);
        for agent in ["bob", "cyd"] {
            let copies = count(&mut audit, &project, agent);
            audit.check(copies == 1, || format!("{agent} has it {copies} times"));
        }
        audit.check_leaks(&project);
    }
    audit.finish()
}

/// Counts how often an agent has the message.
fn count(audit: &mut Audit<'_>, project: &AttackedProject, agent: &str) -> usize {
    let listed = audit.run(project, &format!("inbox --all --json --as {agent}"), Expect::Success).out;
    let listed: Value = serde_json::from_str(&listed).unwrap_or_default();
    let all = listed["notifications"].as_array().cloned().unwrap_or_default();
    all.iter().filter(|message| message["subject"] == "Important").count()
}

/// Checks that `check` reports the change that waits.
fn check_report(audit: &mut Audit<'_>, project: &AttackedProject) {
    // A change that is younger may still be in the hands of its process.
    std::thread::sleep(std::time::Duration::from_millis(600));
    let report = audit.run(project, "check", Expect::Success).out;
    let is_reported = report.contains("stuck-change") && report.contains("not delivered to bob");
    audit.check(is_reported, || format!("check does not report it: {report}"));
}
