//! What nobody can read is moved out of the way when somebody asks for it, and stays there to be looked at.

use std::fs;

use serde_json::Value;

use crate::audit::{Audit, Expect};
use crate::project::TX;
use crate::{AttackedProject, Counts, Target, Template};

type Plant = fn(&AttackedProject, &str);

const ODD: &[(&str, Plant)] = &[
    ("a link out", |project, path| project.link(path, project.outside("secret.json"))),
    ("a loop", |project, path| project.link(path, project.path(path))),
    ("a named pipe", |project, path| project.make_fifo(path)),
    ("a directory", |project, path| {
        project.make_dir(path);
        project.write(&format!("{path}/x"), "x");
    }),
    ("3 GB", |project, path| project.make_sparse(path, 3 << 30)),
    ("no JSON", |project, path| project.write(path, "\u{0}{")),
];

/// Places from which `check --mend` moves what cannot be read.
const PLACES: &[&str] = &[
    "inbox/bob/msg_odd.json",
    "outbox/msg_odd_to_bob.json",
    "broadcasts/msg_odd.json",
    "archive/2025-11-29/inbox/bob/msg_odd.json",
    "registry.json",
    ".huddle/leases/registry/not-a-number",
];

/// Plants what cannot be read, mends, and checks that it is out of the way and that nothing else is.
pub fn mending(target: &dyn Target) -> Counts {
    let template = Template::new(target);
    let mut audit = Audit::new(target);
    for place in PLACES {
        for (what, plant) in ODD {
            audit.begin(format!("{place}: {what}"));
            let project = template.copy();
            let path = format!(".agent-messages/{place}");
            plant(&project, &path);
            let mended = audit.run(&project, "check --mend --json", Expect::Success).out;
            let mended: Value = serde_json::from_str(&mended).unwrap_or_default();
            let is_directory_record =
                *what == "a directory" && !place.starts_with("inbox") && !place.contains("registry");
            // A directory among records is nobody's file, and in nobody's way.
            if !is_directory_record {
                check_moved(&mut audit, &project, place, &mended);
            }
            let names_it = |finding: &Value| finding["place"] == *place;
            let left = mended["findings"].as_array().is_some_and(|all| all.iter().any(names_it));
            audit.check(!left, || format!("it is still a finding: {mended}"));
            for command in
                ["inbox --as bob", "agents", "send bob Next --as ann", "register dan --role builder", "check"]
            {
                audit.run(&project, command, Expect::Success);
            }
            audit.check_leaks(&project);
        }
    }
    mend_journal(&mut audit, &template);
    audit.finish()
}

/// Checks that the answer says where a file went, and that it is there.
fn check_moved(audit: &mut Audit<'_>, project: &AttackedProject, place: &str, mended: &Value) {
    let moved = mended["mended"].as_array().and_then(|all| all.iter().find(|one| one["from"] == place)).cloned();
    let to = moved.as_ref().and_then(|moved| moved["to"].as_str()).unwrap_or_default().to_owned();
    audit.check(to.starts_with(".huddle/quarantine/"), || format!("it does not say where it went: {mended}"));
    let is_there = |path: &str| fs::symlink_metadata(project.path(&format!(".agent-messages/{path}"))).is_ok();
    audit.check(is_there(&to), || format!("it is not at {to}"));
    audit.check(place == "registry.json" || !is_there(place), || "it is still there".to_owned());
}

/// Plants what is no entry in the journal: any command moves it, and `check` reports it.
fn mend_journal(audit: &mut Audit<'_>, template: &Template) {
    for (what, plant) in ODD {
        audit.begin(format!("the journal: {what}"));
        let project = template.copy();
        plant(&project, &format!(".agent-messages/.huddle/work/{TX}.json"));
        let report = audit.run(&project, "check --mend", Expect::Success).out;
        audit.check(report.contains(TX), || format!("it is not reported: {report}"));
        let work = fs::read_dir(project.path(".agent-messages/.huddle/work")).expect("the journal can be listed");
        audit.check(work.count() == 0, || "the journal is not empty".to_owned());
    }
}
