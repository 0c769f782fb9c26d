//! The commands that change sessions and the shared state.

use anyhow::Result;
use huddle_tests::Project;

use super::cases::{Case, Meeting, any};
use super::view::View;

/// Starts a session in which Bob works, and Ann may.
fn session(project: &Project) -> Result<String> {
    Project::with_agents(project.root(), &["ann", "bob", "cid"])?;
    project.json("ann", &["session", "start", "--id", "s", "--agent", "ann", "--agent", "bob"])?;
    project.json("bob", &["session", "join", "bob", "--id", "s"])?;
    Ok(String::new())
}

fn at_work(project: &Project) -> Result<String> {
    session(project)?;
    project.json("ann", &["session", "join", "ann", "--id", "s"])?;
    Ok(String::new())
}

fn has_status(view: &View, agent: &str, status: &str) -> u64 {
    u64::from(view.session("s")["agents"][agent]["status"] == status)
}

fn has_progress(view: &View, text: &str) -> u64 {
    u64::from(view.session("s")["agents"]["bob"]["progress"] == text)
}

pub(crate) static START: Case = Case {
    name: "session start",
    agent: "ann",
    prepare: |project| {
        Project::with_agents(project.root(), &["ann", "bob", "cid"])?;
        Ok(String::new())
    },
    command: &["session", "start", "--id", "s", "--agent", "slow"],
    rivals: &[("cid", &["session", "start", "--id", "s", "--agent", "rival"])],
    meeting: Meeting::Instead,
    own: &[("its agent", |view| has_status(view, "slow", "waiting"))],
    others: &[("its agent", |view| has_status(view, "rival", "waiting"))],
    answers: any,
};

pub(crate) static JOIN: Case = Case {
    name: "session join",
    agent: "ann",
    prepare: session,
    command: &["session", "join", "ann", "--id", "s"],
    rivals: &[
        ("bob", &["session", "progress", "bob", "rival-1", "--id", "s"]),
        ("bob", &["session", "progress", "bob", "rival-2", "--id", "s"]),
    ],
    meeting: Meeting::Beside,
    own: &[("the state", |view| has_status(view, "ann", "in_progress"))],
    others: &[
        ("the state", |view| has_progress(view, "rival-2")),
        ("the first line", |view| view.logged("s", "rival-1")),
        ("the second line", |view| view.logged("s", "rival-2")),
    ],
    answers: any,
};

pub(crate) static PROGRESS: Case = Case {
    name: "session progress",
    prepare: at_work,
    command: &["session", "progress", "ann", "slow", "--id", "s"],
    own: &[
        ("the state", |view| u64::from(view.session("s")["agents"]["ann"]["progress"] == "slow")),
        ("the line", |view| view.logged("s", "slow")),
    ],
    ..JOIN
};

pub(crate) static COMPLETE: Case = Case {
    name: "session complete",
    prepare: at_work,
    command: &["session", "complete", "ann", "--message", "slow", "--id", "s"],
    rivals: &[("bob", &["session", "complete", "bob", "--message", "rival", "--id", "s"])],
    own: &[("the state", |view| has_status(view, "ann", "completed")), ("the line", |view| view.logged("s", "slow"))],
    others: &[
        ("the state", |view| has_status(view, "bob", "completed")),
        ("the line", |view| view.logged("s", "rival")),
    ],
    ..JOIN
};

pub(crate) static FAIL: Case = Case {
    name: "session fail",
    command: &["session", "fail", "ann", "--error", "slow", "--id", "s"],
    own: &[("the state", |view| has_status(view, "ann", "failed")), ("the line", |view| view.logged("s", "slow"))],
    ..COMPLETE
};

pub(crate) static REPORT_PUT: Case = Case {
    name: "session report put",
    command: &[
        "session",
        "report",
        "put",
        "ann",
        "{\"status\":\"completed\",\"summary\":\"slow\",\"findings\":[]}",
        "--id",
        "s",
    ],
    own: &[("the report", |view| {
        u64::from(view.json(".claude/agents/context/s/reports/ann.json")["summary"] == "slow")
    })],
    ..COMPLETE
};

pub(crate) static DATA_PUT: Case = Case {
    name: "session data put",
    command: &["session", "data", "put", "shared", "{\"by\":\"slow\"}", "--id", "s"],
    rivals: &[("bob", &["session", "data", "put", "shared", "{\"by\":\"rival\"}", "--id", "s"])],
    meeting: Meeting::Instead,
    own: &[("the data", |view| u64::from(view.json(".claude/agents/context/s/data/shared.json")["by"] == "slow"))],
    others: &[("the data", |view| u64::from(view.json(".claude/agents/context/s/data/shared.json")["by"] == "rival"))],
    ..COMPLETE
};

pub(crate) static LOG: Case = Case {
    name: "session log",
    command: &["session", "log", "ann", "finding", "--message", "slow", "--id", "s"],
    own: &[("the line", |view| view.logged("s", "slow"))],
    ..COMPLETE
};

/// More than fits into a line.
static LONG: &str = {
    static BYTES: [u8; 70_000] = [b'x'; 70_000];
    match std::str::from_utf8(&BYTES) {
        Ok(text) => text,
        Err(_) => "",
    }
};

pub(crate) static LONG_LOG: Case = Case {
    name: "session log of 70 KB",
    command: &["session", "log", "ann", "finding", "--message", "slow", "--error", LONG, "--id", "s"],
    own: &[("the line", |view| view.logged("s", "slow"))],
    ..COMPLETE
};

fn state(project: &Project) -> Result<String> {
    Project::with_agents(project.root(), &["ann", "bob", "cid"])?;
    project.json("ann", &["state", "objective", "ship"])?;
    Ok(String::new())
}

pub(crate) static DECIDE: Case = Case {
    name: "state decide",
    agent: "ann",
    prepare: state,
    command: &["state", "decide", "slow"],
    rivals: &[("bob", &["state", "decide", "rival"]), ("cid", &["state", "note", "rival"])],
    meeting: Meeting::Beside,
    own: &[("the decision", |view| view.shared("keyDecisions", "slow"))],
    others: &[
        ("the decision", |view| view.shared("keyDecisions", "rival")),
        ("the note", |view| view.shared("notes", "rival")),
        ("the versions", |view| {
            let lists = ["keyDecisions", "notes", "blockers", "artifacts"];
            let state = view.state();
            let items = lists.iter().map(|list| state["sharedContext"][*list].as_array().map_or(0, Vec::len) as u64);
            u64::from(state["version"].as_u64() == Some(1 + items.sum::<u64>()))
        }),
    ],
    answers: any,
};

pub(crate) static NOTE: Case = Case {
    name: "state note",
    command: &["state", "note", "slow"],
    own: &[("the note", |view| view.shared("notes", "slow"))],
    ..DECIDE
};

pub(crate) static BLOCK: Case = Case {
    name: "state block",
    command: &["state", "block", "slow"],
    own: &[("the blocker", |view| view.shared("blockers", "slow"))],
    ..DECIDE
};

pub(crate) static ARTIFACT: Case = Case {
    name: "state artifact",
    command: &["state", "artifact", "slow"],
    own: &[("the artifact", |view| view.shared("artifacts", "slow"))],
    ..DECIDE
};
