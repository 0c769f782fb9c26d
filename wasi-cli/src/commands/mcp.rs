//! `huddle mcp`

use std::path::PathBuf;

use crate::call::Call;
use crate::failure::Failure;
use crate::files::Reach;
use crate::global::Global;
use crate::mcp::{Server, stdin};

/// Serve the tools over the Model Context Protocol, on standard input and output
///
/// For clients that start their servers themselves:
///   wasmtime run --dir . huddle.wasm mcp
/// Who acts is --as AGENT, HUDDLE_AGENT, or the agent that the client registers.
///
/// Paths that a model gives (artifacts of a handoff, logs to search) are seen from the project and lead nowhere but into the
/// project and the directories of --allow.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct McpArgs {
    /// let tools read the files below this directory, beside those of the project
    #[arg(long = "allow", value_name = "DIR")]
    allowed: Vec<String>,
}

impl McpArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let allowed: Vec<_> = self.allowed.into_iter().map(PathBuf::from).collect();
        if let Some(absent) = allowed.iter().find(|dir| !dir.is_dir()) {
            return Err(call.wrong(&format!("--allow needs a directory that is there: {}", absent.display())));
        }
        let global = Global { reach: Reach::Project(allowed), ..call.global.clone() };
        let mut server = Server::new(call.project, global);
        let output = &mut call.output;
        Ok(server.serve(&mut stdin(), &mut |line| output.raw(line))?)
    }
}
