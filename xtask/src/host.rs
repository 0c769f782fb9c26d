//! Programs of `huddle-tests` that people run: the demo and the benchmark.

use std::process::Command;

use anyhow::Result;

use crate::cargo;
use crate::steps::Steps;

/// Runs the steps that make what a program needs, builds the program, and describes its start.
pub(crate) fn program(name: &'static str, mut steps: Steps, profile: &'static str) -> Result<Command> {
    steps.add("the wasmtime host (the first time takes minutes)", move || {
        cargo::run(&["build", "--package", "huddle-tests", "--bin", name, "--profile", profile])
    });
    steps.run()?;
    let mut command = cargo::command(&["run", "--quiet", "--package", "huddle-tests", "--profile", profile]);
    command.args(["--bin", name, "--"]);
    Ok(command)
}
