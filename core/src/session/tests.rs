//! Sessions on a file system in memory.

mod crashes;
#[cfg(not(target_family = "wasm"))]
mod interleavings;
mod lifecycle;
mod log;
mod reports;
mod stalls;

use serde_json::json;

use super::{Error, Plan, Sessions};
use crate::engine::fs::FileSystem;
use crate::engine::fs::memory::MemoryFs;
use crate::host::FixedHost;
use crate::model::{AgentName, Json, JsonMap, Member, SessionId};
use crate::wire::session::by_spec;

const BEGIN: &str = "2025-01-23T10:00:00Z";

type Real<'a> = Sessions<&'a MemoryFs, &'a FixedHost>;

/// A directory and a clock, which outlast the processes that use them.
struct Bench {
    fs: MemoryFs,
    host: FixedHost,
}

impl Bench {
    fn empty() -> Self {
        Self { fs: MemoryFs::new(), host: FixedHost::at(BEGIN) }
    }

    /// Starts the session `s`, in which `gen` waits for `sec` and `perf`.
    fn new() -> Self {
        let bench = Self::empty();
        bench.sessions().start(&plan(&[("sec", &[]), ("perf", &[]), ("gen", &["sec", "perf"])])).unwrap();
        bench
    }

    /// Puts the protocol's example in place.
    fn by_spec() -> (Self, SessionId) {
        let bench = Self::empty();
        let dir = "agents/context/a1b2c3d4-e5f6-7890-abcd-ef1234567890";
        bench.fs.create_dir(&format!("{dir}/reports")).unwrap();
        bench.fs.create_dir(&format!("{dir}/data")).unwrap();
        for (path, text) in [
            ("coordination.json", by_spec!("coordination.json")),
            ("messages.jsonl", by_spec!("messages.jsonl")),
            ("reports/security-analyzer.json", by_spec!("reports/security-analyzer.json")),
            ("data/vulnerabilities.json", by_spec!("data/vulnerabilities.json")),
        ] {
            bench.fs.write_new(&format!("{dir}/{path}"), text.as_bytes()).unwrap();
        }
        (bench, "a1b2c3d4-e5f6-7890-abcd-ef1234567890".parse().unwrap())
    }

    /// Starts a process.
    fn sessions(&self) -> Real<'_> {
        Sessions::new(&self.fs, &self.host)
    }

    fn text(&self, path: &str) -> String {
        let bytes = self.fs.read(&format!("agents/context/s/{path}"), u64::MAX).unwrap().unwrap_or_default();
        String::from_utf8(bytes).unwrap()
    }

    fn coordination(&self) -> Json {
        serde_json::from_str(&self.text("coordination.json")).unwrap()
    }

    /// Returns author, type and headline of every record.
    fn log(&self) -> Vec<String> {
        let found = self.sessions().events(&s(), &super::EventFilter::default()).unwrap();
        assert_eq!(found.findings, []);
        let line = |event: &crate::model::Event| {
            format!("{} {}: {}", event.text("from").unwrap(), event.text("type").unwrap(), event.headline())
        };
        found.value.iter().map(line).collect()
    }
}

fn s() -> SessionId {
    "s".parse().unwrap()
}

fn agent(name: &str) -> AgentName {
    name.parse().unwrap()
}

fn plan(agents: &[(&str, &[&str])]) -> Plan {
    let needs = |needs: &[&str]| needs.iter().map(|need| (*need).to_owned()).collect();
    Plan {
        id: Some(s()),
        project_type: Some("web_app".to_owned()),
        project_path: "/p".to_owned(),
        agents: agents.iter().map(|(name, all)| (agent(name), needs(all))).collect(),
        by: "coordinator".to_owned(),
    }
}

fn join(sessions: &Real<'_>, name: &str) -> Member {
    sessions.join(&s(), &agent(name), &[], &[]).unwrap().member
}

fn report(severities: &[&str]) -> JsonMap {
    let finding = |severity: &&str| json!({"type": "issue", "severity": severity, "title": "T", "description": "D", "recommendation": "R"});
    let findings: Vec<Json> = severities.iter().map(finding).collect();
    let report = json!({"status": "completed", "summary": "S", "findings": findings, "next_actions": ["N"], "own": 1});
    report.as_object().unwrap().clone()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, Box<Error>>, code: u8, message: &str) {
    let error = result.unwrap_err();
    assert_eq!((error.kind().code(), error.to_string().as_str()), (code, message));
    assert_ne!(error.hint(), "");
}
