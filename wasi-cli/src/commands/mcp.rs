//! `huddle mcp`

use std::path::PathBuf;

use crate::args::{Args, Global, Spec, repeated};
use crate::call::Call;
use crate::failure::Failure;
use crate::files::Reach;
use crate::mcp::{Server, stdin};

pub(super) const SPEC: Spec = Spec::command(
    "huddle mcp",
    "Serve the tools over the Model Context Protocol, on standard input and output",
    &[repeated("allow", "DIR", "let tools read the files below this directory, beside those of the project")],
    run,
)
.more(
    "\
For clients that start their servers themselves:
  wasmtime run --dir . huddle.wasm mcp
Who acts is --as AGENT, HUDDLE_AGENT, or the agent that the client registers.

Paths that a model gives (artifacts of a handoff, logs to search) are seen from the project and lead nowhere but into the
project and the directories of --allow.",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let allowed: Vec<PathBuf> = args.all("allow").into_iter().map(PathBuf::from).collect();
    if let Some(absent) = allowed.iter().find(|dir| !dir.is_dir()) {
        return Err(args.wrong(format!("--allow needs a directory that is there: {}", absent.display())));
    }
    let global = Global { reach: Reach::Project(allowed), ..call.global.clone() };
    let mut server = Server::new(call.project, global);
    let output = &mut call.output;
    Ok(server.serve(&mut stdin(), &mut |line| output.raw(line))?)
}
