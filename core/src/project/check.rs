//! Checking a whole project.

use crate::Host;
use crate::bus::{Bus, CheckReport, Error, Result};
use crate::engine;
use crate::engine::fs::FileSystem;
use crate::model::{AgentName, Diagnostic, Severity};
use crate::session::Sessions;
use crate::state::State;
use crate::wire::mailbox::layout;

/// The directory of the worktrees, in the project's root.
const WORKTREES: &str = "worktrees";

/// The result of checking a project.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProjectCheck {
    /// What there is on the bus; none where there is no bus.
    pub bus: Option<CheckReport>,
    /// How many sessions there are.
    pub sessions: usize,
    /// All findings, those of the bus among them, most severe first.
    pub findings: Vec<Diagnostic>,
}

/// Looks at everything in a project and tells what is wrong with it; changes nothing.
pub fn check<F, H>(bus: &Bus<'_>, sessions: &Sessions<F, H>, state: &State<F, H>) -> Result<ProjectCheck>
where
    F: FileSystem + Clone,
    H: Host + Clone,
{
    let bus = match bus.check() {
        Ok(report) => Some(report),
        Err(error) if matches!(*error, Error::Engine(engine::Error::NoBus { .. })) => None,
        Err(error) => return Err(error),
    };
    let (count, in_sessions) = sessions.check().map_err(|error| Box::new(Error::Session(error)))?;
    let mut findings: Vec<Diagnostic> = bus.iter().flat_map(|report| report.findings.clone()).collect();
    findings.extend(in_sessions);
    findings.extend(state.check());
    findings.sort();
    findings.dedup();
    Ok(ProjectCheck { bus, sessions: count, findings })
}

/// Finds buses in worktrees, where nobody looks for them, and agents whose worktrees are not there. The file system's root is
/// the project's.
pub fn check_worktrees(fs: &dyn FileSystem, agents: &[(AgentName, String)]) -> std::io::Result<Vec<Diagnostic>> {
    let mut findings = Vec::new();
    for entry in fs.list(WORKTREES)?.into_iter().filter(|entry| entry.is_dir()) {
        let place = format!("{WORKTREES}/{}/{}", entry.name, layout::ROOT);
        if fs.exists(&place)? {
            findings.push(Diagnostic {
                severity: Severity::Warning,
                code: "second-bus",
                place,
                message: "a bus in a worktree is one of its own: who works there does not hear the others".to_owned(),
                remedy: "use the project's bus from there, and move this one away".into(),
            });
        }
    }
    for (name, worktree) in agents {
        // A path that leads elsewhere is none of the project's.
        if worktree != "."
            && !crate::wire::orchestrator::shared_context::leads_out(worktree)
            && !worktree.starts_with('/')
            && !fs.exists(worktree)?
        {
            findings.push(Diagnostic {
                severity: Severity::Info,
                code: "absent-worktree",
                place: format!("agent {name}"),
                message: format!("it is said to work in {worktree:?}, which is not there"),
                remedy: "register it with the directory that it works in".into(),
            });
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::NewAgent;
    use crate::engine::files::FilesEngine;
    use crate::engine::fs::memory::MemoryFs;
    use crate::host::FixedHost;
    use crate::model::SessionId;
    use crate::session;

    fn put(fs: &MemoryFs, path: &str, text: &str) {
        fs.create_dir(crate::engine::fs::parent(path)).unwrap();
        fs.remove(path).unwrap();
        fs.write_new(path, text.as_bytes()).unwrap();
    }

    /// Checks a project whose bus and `.claude` are as `spoil` leaves them.
    fn codes(spoil: impl Fn(&MemoryFs, &MemoryFs)) -> Vec<String> {
        let host = FixedHost::at("2025-11-29T14:30:52Z");
        let (mail, claude) = (MemoryFs::new(), MemoryFs::new());
        let engine = FilesEngine::new(&mail, &host);
        let bus = Bus::new(&engine, &host);
        bus.init().unwrap();
        bus.register(&"ann".parse().unwrap(), &NewAgent::with_role("builder")).unwrap();
        let (sessions, state) = (Sessions::new(&claude, &host), State::new(&claude, &host));
        let id: SessionId = "s".parse().unwrap();
        let agents = vec![("ann".parse().unwrap(), Vec::new())];
        let plan = session::Plan { id: Some(id), agents, by: "ann".into(), ..session::Plan::default() };
        sessions.start(&plan).unwrap();
        spoil(&mail, &claude);
        let checked = check(&bus, &sessions, &state).unwrap();
        assert_eq!((checked.bus.unwrap().agents, checked.sessions), (1, 1));
        checked.findings.iter().map(|finding| format!("{} {}", finding.code, finding.place)).collect()
    }

    #[test]
    fn every_part_of_a_project_is_checked() {
        let check = |expected: &[&str], spoil: &dyn Fn(&MemoryFs, &MemoryFs)| assert_eq!(codes(spoil), expected);
        check(&[], &|_, _| {});
        check(&["damaged-state .claude/state/shared-context.json"], &|_, claude| {
            put(claude, "state/shared-context.json", "{\"taskId\": ");
        });
        check(&["odd-state .claude/state/shared-context.json"; 2], &|_, claude| {
            let text = r#"{"currentPhase": [], "sharedContext": {"notes": [], "artifacts": [{"path": "../../x"}, {"path": "../y"}]}}"#;
            put(claude, "state/shared-context.json", text);
        });
        check(&["wrong-setting .claude/config/orchestrator-settings.json"; 2], &|_, claude| {
            let text = r#"{"agentCommunication": {"protocols": ["Handoff"], "timeoutMs": "1"}}"#;
            put(claude, "config/orchestrator-settings.json", text);
        });
        check(&["logging-disabled .claude/config/orchestrator-settings.json"], &|_, claude| {
            put(
                claude,
                "config/orchestrator-settings.json",
                r#"{"agentCommunication": {"sharedStateEnabled": false}}"#,
            );
        });
        check(&["damaged-line .claude/state/decisions.jsonl:1"], &|_, claude| {
            put(claude, "state/decisions.jsonl", "nonsense\n");
        });
        check(&["routing-not-followed routing.json"], &|mail, _| {
            put(mail, "routing.json", r#"{"routes": {"direct": "mail/"}}"#);
        });
        let coordination = ".claude/agents/context/s/coordination.json";
        check(&[&format!("damaged-coordination {coordination}")], &|_, claude| {
            put(claude, "agents/context/s/coordination.json", "{");
        });
        check(&[&format!("completed-without-report {coordination}")], &|_, claude| {
            put(claude, "agents/context/s/coordination.json", r#"{"agents": {"ann": {"status": "completed"}}}"#);
        });
        check(
            &[&format!("absent-report {coordination}"), &format!("circular-dependencies {coordination}")],
            &|_, claude| {
                let text = r#"{"agents": {"a": {"status": "waiting", "dependencies": ["a"]},
                "b": {"status": "in_progress", "report_path": "../../../x"}}}"#;
                put(claude, "agents/context/s/coordination.json", text);
            },
        );
        check(&["damaged-line .claude/agents/context/s/messages.jsonl, line 1, byte 0"], &|_, claude| {
            put(claude, "agents/context/s/messages.jsonl", "nonsense\n");
        });
        check(&["damaged-report .claude/agents/context/s/reports/ann.json"], &|_, claude| {
            put(claude, "agents/context/s/reports/ann.json", "{");
        });
        check(&["odd-body message m1", "unregistered-sender agent bob"], &|mail, _| {
            let text = r#"{"message_id": "m1", "timestamp": "2025-11-29T14:30:00Z", "from_agent": "bob", "to_agent": "ann",
                "message_type": "task", "subject": "t", "payload": {"taskId": "t"}}"#;
            put(mail, "inbox/ann/m1.json", text);
        });
    }

    #[test]
    fn worktrees_are_checked() {
        let fs = MemoryFs::new();
        put(&fs, "worktrees/builder-1/.agent-messages/registry.json", "{}");
        put(&fs, "worktrees/builder-2/a.rs", "");
        let agents = ["worktrees/builder-2", "worktrees/gone", ".", "../elsewhere"];
        let agents = agents.map(|worktree| ("ann".parse().unwrap(), worktree.to_owned()));
        let found = check_worktrees(&fs, &agents).unwrap();
        let found: Vec<_> = found.iter().map(|finding| (finding.code, finding.message.as_str())).collect();
        assert_eq!(found.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["second-bus", "absent-worktree"]);
        assert!(found[1].1.contains("worktrees/gone"));
    }
}
