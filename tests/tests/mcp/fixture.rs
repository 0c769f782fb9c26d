//! A bus with something on it, and a server for one of its agents: a process of its own, as clients start it.

use std::future::Future;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use huddle_tests::{Project, artifact};
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, RoleClient};
use serde_json::Value;
use tempfile::TempDir;

/// Nothing that is waited for takes so long, unless it never comes.
const TEST_TIMEOUT: Duration = Duration::from_secs(120);

/// Waits for something that has to come.
pub(crate) async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(TEST_TIMEOUT, what).await.expect("this never came")
}

/// Does something on a thread of its own: a guest waits, which a client's thread must not.
fn aside<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(act).join()).expect("the other thread panicked")
}

/// The two ways of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// A handshake first.
    Handshake,
    /// Every request speaks for itself.
    Current,
}

/// Alice and Bob on a bus and in a session; Bob has asked Alice something.
pub(crate) struct Bus {
    pub(crate) project: Project,
    _dir: TempDir,
}

/// A client that has nothing of its own to say.
pub(crate) type Service = RunningService<RoleClient, ClientConfig>;

/// A client, and the process that serves it.
pub(crate) struct Client<H: ClientHandler> {
    pub(crate) service: RunningService<RoleClient, H>,
    pub(crate) server: u32,
}

impl Bus {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let bus = Self { project: Project::at(dir.path()), _dir: dir };
        aside(|| Project::with_agents(bus.project.root(), &["alice", "bob"])).unwrap();
        bus.obey("", &["session", "start", "--id", "job", "--agent", "alice", "--agent", "bob:alice"]);
        let question = ["send", "alice", "User service", "--body", "Is the user service yours?"];
        bus.obey("bob", &[&question[..], &["--type", "question", "--needs-reply"]].concat());
        bus
    }

    /// Has another guest carry out a command, and gives its answer.
    pub(crate) fn obey(&self, agent: &str, args: &[&str]) -> Value {
        aside(|| self.project.json(agent, args)).unwrap()
    }

    /// Describes a start of the server, for Alice.
    pub(crate) fn server(&self) -> Command {
        let mut command = Command::new(host());
        command.args(["run", "--dir"]).arg(format!("{}::.", self.project.root().display()));
        command.args(["--env", "HUDDLE_AGENT=alice"]).arg(artifact::path("huddle.wasm").unwrap()).arg("mcp");
        command
    }

    /// Starts a server and has a client of the Rust SDK greet it.
    pub(crate) async fn client<H: ClientHandler>(&self, era: Era, handler: H) -> Client<H> {
        let process = TokioChildProcess::new(tokio::process::Command::from(self.server())).unwrap();
        let server = process.id().unwrap();
        let service = soon(serve_client_with_lifecycle(handler, process, era.lifecycle())).await.unwrap();
        Client { service, server }
    }
}

impl Era {
    pub(crate) fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Self::Handshake => ClientLifecycleMode::Initialize,
            Self::Current => ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] },
        }
    }

    /// The revision that both sides agree on.
    pub(crate) fn revision(self) -> ProtocolVersion {
        match self {
            Self::Handshake => ProtocolVersion::V_2025_11_25,
            Self::Current => ProtocolVersion::V_2026_07_28,
        }
    }

    /// What a client of this way says of itself.
    pub(crate) fn config(self) -> ClientConfig {
        let client = Implementation::new("huddle-tests", "0.1.0");
        ClientConfig::new(ClientCapabilities::default(), client).with_protocol_version(self.revision())
    }
}

impl<H: ClientHandler> Client<H> {
    /// Ends the client, and with it the server.
    pub(crate) async fn end(self) {
        soon(self.service.cancel()).await.unwrap();
    }
}

/// Returns the program that runs the component.
pub(crate) fn host() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_huddle-host"))
}
