//! `cargo xtask demo`: a story of four agents, for a newcomer.

use anyhow::Result;

use crate::steps::Steps;
use crate::{build, cargo};

/// Arguments that the story itself takes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Passed on to the story.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Builds the component and the story's host, then plays the story.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut steps = Steps::default();
    build::add_component(&mut steps);
    steps.add("the wasmtime host (the first time takes minutes)", || {
        cargo::run(&["build", "--package", "huddle-tests", "--bin", "huddle-demo"])
    });
    steps.run()?;
    let mut story = cargo::command(&["run", "--quiet", "--package", "huddle-tests"]);
    story.args(["--bin", "huddle-demo", "--"]).args(&args.rest);
    cargo::finish(story)
}
