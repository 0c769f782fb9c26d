//! Programs of `huddle-tests` that people run: the demo and the benchmark.

use anyhow::Result;

use crate::steps::Steps;
use crate::{build, cargo};

/// Arguments that go to the program itself.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Passed on to the program.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Plays a story of four agents on the component, for a newcomer.
pub(crate) fn demo(args: &Args) -> Result<()> {
    let mut steps = Steps::default();
    build::add_component(&mut steps);
    run("huddle-demo", steps, "dev", args)
}

/// Measures the command in all its forms, on a host that is optimised as wasmtime is when people install it.
pub(crate) fn bench(args: &Args) -> Result<()> {
    let mut steps = Steps::default();
    build::add_component(&mut steps);
    build::add_others(&mut steps);
    run("huddle-bench", steps, "release", args)
}

/// Builds what is needed, then the program, then runs it.
fn run(program: &'static str, mut steps: Steps, profile: &'static str, args: &Args) -> Result<()> {
    steps.add("the wasmtime host (the first time takes minutes)", move || {
        cargo::run(&["build", "--package", "huddle-tests", "--bin", program, "--profile", profile])
    });
    steps.run()?;
    let mut show = cargo::command(&["run", "--quiet", "--package", "huddle-tests", "--profile", profile]);
    show.args(["--bin", program, "--"]).args(&args.rest);
    cargo::finish(show)
}
