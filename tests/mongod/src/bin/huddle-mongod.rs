//! Runs a command that finds the address of a MongoDB server in a variable; the server is there as long as the command runs.
//!
//! It is for tests that cannot start one: guests, and those whose own dependencies are not to change with the driver's.

use std::env;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use huddle_mongod::ReplicaSet;

/// Names the variable that tests take the address from.
const SERVER: &str = "HUDDLE_TEST_MONGODB";

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("huddle-mongod: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode> {
    let mut words = env::args_os().skip(1);
    let program = words.next().context("usage: huddle-mongod COMMAND [ARGS]")?;
    let servers = ReplicaSet::start(1)?;
    // By name, as people write it: what looks names up is tested, too.
    let address = servers.url("").replace("127.0.0.1", "localhost");
    let status = Command::new(&program).args(words).env(SERVER, address).status();
    let status = status.with_context(|| format!("starting a command failed: {}", program.display()))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
