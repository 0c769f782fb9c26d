//! `cargo xtask bench`: how fast the component is under wasmtime.

use anyhow::Result;

use crate::steps::Steps;
use crate::{build, cargo};

/// Arguments that the measurements themselves take.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Passed on to the measurements.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Builds the command in all its forms and the host, then measures.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut steps = Steps::default();
    build::add_component(&mut steps);
    build::add_others(&mut steps);
    steps.add("the wasmtime host (the first time takes minutes)", || {
        cargo::run(&["build", "--package", "huddle-tests", "--bin", "huddle-bench"])
    });
    steps.run()?;
    let mut measure = cargo::command(&["run", "--quiet", "--package", "huddle-tests"]);
    measure.args(["--bin", "huddle-bench", "--"]).args(&args.rest);
    cargo::finish(measure)
}
