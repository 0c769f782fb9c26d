//! State files: registries, coordination files, reports, handoffs, contexts and shared states.

use crate::model::{
    AgentName, Context, ContextName, Diagnostic, Directory, Handoff, Json, JsonMap, Session, SessionId, Severity,
};
use crate::wire::mailbox::{context, handoff, parse_object, registry::Registry};
use crate::wire::orchestrator::shared_context::SharedContext;
use crate::wire::session::coordination::Coordination;
use crate::wire::session::report::Report;

use super::source::{Role, Root};

/// A parsed file.
#[derive(Debug, Clone)]
pub struct StateFile<T> {
    /// The file's number.
    pub file: u32,
    /// The number of the directory that it belongs to.
    pub root: Option<usize>,
    /// Its contents.
    pub value: T,
}

/// All state files of a history.
#[derive(Debug, Clone, Default)]
pub struct StateFiles {
    /// The directories of agents.
    pub registries: Vec<StateFile<Directory>>,
    /// The sessions.
    pub sessions: Vec<StateFile<Session>>,
    /// The reports.
    pub reports: Vec<StateFile<Report>>,
    /// The handoffs.
    pub handoffs: Vec<StateFile<Handoff>>,
    /// The shared contexts.
    pub contexts: Vec<StateFile<Context>>,
    /// The orchestrator's shared states.
    pub states: Vec<StateFile<SharedContext>>,
}

impl StateFiles {
    /// Takes a file. What is wrong with it is told with its path as the place.
    pub(super) fn load(
        &mut self,
        at: (u32, Option<usize>),
        path: &str,
        role: &Role,
        roots: &[Root],
        bytes: &[u8],
    ) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        let loaded = match role {
            Role::Registry => Registry::decode(bytes).map(|read| push_file(&mut self.registries, at, read.directory)),
            Role::Coordination => self.load_coordination(at, roots, bytes, &mut findings),
            Role::Report(agent) => report(agent, bytes).map(|read| push_file(&mut self.reports, at, read)),
            Role::Handoff => handoff::decode_metadata(bytes).map(|read| push_file(&mut self.handoffs, at, read)),
            Role::SharedState => SharedContext::decode(bytes).map(|read| push_file(&mut self.states, at, read)),
            Role::Context => {
                let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
                let text = String::from_utf8_lossy(bytes);
                let read = ContextName::new(name).map(|name| context::decode(&name, &text));
                read.map(|read| push_file(&mut self.contexts, at, read)).map_err(|error| error.to_string())
            }
            _ => Ok(()),
        };
        if let Err(fault) = loaded {
            findings.push(Diagnostic {
                severity: Severity::Error,
                code: "damaged-file",
                place: path.to_owned(),
                message: format!("it cannot be used: {fault}"),
                hint: "look at the file; what it would say is missing here".to_owned(),
            });
        }
        for finding in &mut findings {
            path.clone_into(&mut finding.place);
        }
        findings
    }

    fn load_coordination(
        &mut self,
        at: (u32, Option<usize>),
        roots: &[Root],
        bytes: &[u8],
        findings: &mut Vec<Diagnostic>,
    ) -> Result<(), String> {
        let read = Coordination::decode(bytes)?;
        let document = read.document();
        let declared = document.get("session_id").and_then(Json::as_str);
        let name = at.1.map_or("session", |root| roots[root].name());
        // The directory has the last word, as it has for everybody who looks for the session; a file that carries one along
        // is no directory.
        let names = if name.ends_with('!') { [declared, Some(name)] } else { [Some(name), declared] };
        let names = names.into_iter().flatten().chain(["session"]);
        let Some(id) = names.into_iter().find_map(|name| SessionId::new(name).ok()) else { return Ok(()) };
        let found = read.session(&id);
        findings.extend(found.findings);
        push_file(&mut self.sessions, at, found.value);
        Ok(())
    }
}

fn push_file<T>(state_files: &mut Vec<StateFile<T>>, (file, root): (u32, Option<usize>), value: T) {
    state_files.push(StateFile { file, root, value });
}

fn report(agent: &str, bytes: &[u8]) -> Result<Report, String> {
    let fields: JsonMap = parse_object(bytes)?;
    let agent = AgentName::new(agent).map_err(|error| error.to_string())?;
    Ok(Report { agent, fields })
}
