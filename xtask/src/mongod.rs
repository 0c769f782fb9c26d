//! A MongoDB server for tests that cannot start one themselves.

use std::process::Command;

use anyhow::{Context, Result};

use crate::{cargo, lint, wasm};

/// Names the variable that those tests take its address from.
pub(crate) const SERVER: &str = "HUDDLE_TEST_MONGODB";

const NAME: &str = "huddle-mongod";

/// Selects what is built with the driver, as the native command is, so that the driver is compiled once for all of them.
pub(crate) const WITH_DRIVER: [&str; 5] = ["--release", "--package", "huddle-mongodb", "--package", NAME];

/// Runs a command to its end, with a server beside it.
pub(crate) fn run_beside(command: &Command) -> Result<()> {
    let mut build = cargo::command(&[&["build", "--bin", NAME], &WITH_DRIVER[..]].concat());
    build.arg("--message-format=json-render-diagnostics");
    // As the tests of it are compiled, so that it is once.
    lint::on_the_way(&mut build)?;
    let server = wasm::executable(&cargo::read(build)?, NAME);
    let mut beside = Command::new(server.with_context(|| format!("cargo built {NAME} but named no file"))?);
    beside.arg(command.get_program()).args(command.get_args()).current_dir(cargo::root());
    beside.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    cargo::finish(beside)
}
