//! A MongoDB server for tests that cannot start one themselves.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::check::{self, NATIVE};
use crate::{cargo, wasm};

/// Names the variable that those tests take its address from.
pub(crate) const SERVER: &str = "HUDDLE_TEST_MONGODB";

/// Describes the same command with a server beside it.
pub(crate) fn with_server(command: &Command) -> Result<Command> {
    let mut beside = Command::new(build("huddle-mongod", &[])?);
    beside.arg(command.get_program()).args(command.get_args()).current_dir(cargo::root());
    beside.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Ok(beside)
}

/// Brings a native program up to date as the native tests have it, so that it is compiled once for both.
pub(crate) fn build(name: &str, options: &[&str]) -> Result<PathBuf> {
    let mut build = cargo::command(&[&["build", "--bin", name], &NATIVE[..], options].concat());
    build.arg("--message-format=json-render-diagnostics");
    check::with_clippy_wrapper(&mut build)?;
    wasm::executable(&cargo::read(build)?, name).with_context(|| format!("cargo built {name} but named no file"))
}
