//! `huddle mcp`

use crate::args::{Args, Spec};
use crate::call::Call;
use crate::failure::Failure;
use crate::mcp::{Server, stdin};

pub(super) const SPEC: Spec = Spec::command(
    "huddle mcp",
    "Serve the tools over the Model Context Protocol, on standard input and output",
    &[],
    run,
)
.more(
    "\
For clients that start their servers themselves:
  wasmtime run --dir . huddle.wasm mcp
Who acts is --as AGENT, HUDDLE_AGENT, or the agent that the client registers.",
);

fn run(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let mut server = Server::new(call.project, call.global.clone());
    let output = &mut call.output;
    Ok(server.serve(&mut stdin(), &mut |line| output.raw(line))?)
}
