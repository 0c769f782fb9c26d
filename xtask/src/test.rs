//! `cargo xtask test`: everything that must hold, from formatting to guests under wasmtime and the page in a browser.

use std::process::Command;

use anyhow::{Context, Result};

use crate::steps::Steps;
use crate::toolchain::{P1, P2};
use crate::wasm::{self, Program};
use crate::{browser, build, cargo, lint, mongod, tools};

/// The shipped component has none of what is on by default.
const WITHOUT_MONGODB: &str = "--no-default-features";

/// Apart from those that run guests, because cargo unites the features of what it builds together: in one call the page's
/// dependencies would have wasmtime built a second time, other than for the demo. And without the driver of MongoDB, which
/// is compiled for the native command already.
const NATIVE_TESTS: [&str; 10] = [
    "--workspace",
    "--exclude",
    "huddle-tests",
    "--exclude",
    "huddle-mongodb",
    "--exclude",
    "huddle-mongod",
    "--no-default-features",
    "--features",
    "huddle/moving",
];

/// Runs lint, makes the artifacts, and runs all tests on them.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    // A test that calls what is missing would fail much later.
    steps.add("Node", tools::require_node);
    steps.add("jq and Python", tools::require_jq_and_python);
    lint::add_quick(&mut steps);
    let (mut compiled, mut made) = (Steps::default(), Steps::default());
    lint::add_documentation(&mut compiled);
    compiled.add("native tests, compiled", || test(&[&NATIVE_TESTS[..], &["--no-run"]].concat()));
    compiled.add("the wasmtime host (the first time takes minutes)", || wasm::build(Program::HOST).map(drop));
    compiled.add("core and command on wasm32-wasip2", || {
        on_wasi(P2, &["--package", "huddle-scan", "--package", "huddle-core", "--package", "huddle", WITHOUT_MONGODB])
    });
    build::add_all(&mut made);
    // What links on one core leaves the other to what compiles.
    steps.add_lanes([compiled, made]);
    build::add_sizes(&mut steps);
    let (mut native, mut guests) = (Steps::default(), Steps::default());
    native.add("native tests", || test(&NATIVE_TESTS));
    native.add("the command as tools", || {
        test(&["--package", "huddle", "--lib", WITHOUT_MONGODB, "--features", "tools"])
    });
    native.add("the bus in MongoDB", with_driver);
    guests.add("core on wasm32-wasip1", || on_wasi(P1, &["--package", "huddle-scan", "--package", "huddle-core"]));
    guests.add("the bus in MongoDB on wasm32-wasip2", mongodb_on_wasi);
    guests.add("guests under wasmtime, compiled", || test(&["--package", "huddle-tests", "--no-run"]));
    steps.add_lanes([native, guests]);
    steps.add("guests under wasmtime", || mongod::run_beside(&command(&["--package", "huddle-tests"])?));
    browser::add(&mut steps, Vec::new());
    steps.run()
}

/// Describes tests, which are checked by clippy as they are compiled.
fn command(selection: &[&str]) -> Result<Command> {
    let mut command = cargo::command(&["test"]);
    command.args(selection);
    lint::on_the_way(&mut command)?;
    Ok(command)
}

fn test(selection: &[&str]) -> Result<()> {
    cargo::finish(command(selection)?)
}

/// Runs tests that are built for a WASI target, each in a temporary directory of its own.
fn on_wasi(target: &str, selection: &[&str]) -> Result<()> {
    cargo::finish(guests(target, &[], selection)?)
}

/// Checks what is compiled with the driver and has no tests, and tests the rest.
fn with_driver() -> Result<()> {
    let mut build = cargo::command(&["build", "--release", "--package", "huddle", "--package", "huddle-mongodb"]);
    build.args(["--lib", "--examples"]);
    lint::on_the_way(&mut build)?;
    cargo::finish(build)?;
    // Not the benchmark, which is an example.
    test(&[&["--lib", "--bins", "--tests"], &mongod::WITH_DRIVER[..]].concat())
}

/// Runs the engine's suite as a guest, against a server that has a name.
fn mongodb_on_wasi() -> Result<()> {
    let selection = ["--package", "huddle-mongodb", "--test", "suite", "--profile", wasm::NETWORK];
    let mut command = guests(P2, &["--network", "--env", mongod::SERVER], &selection)?;
    wasm::give_network(&mut command)?;
    mongod::run_beside(&command)
}

/// Describes tests that are built for a WASI target; the host gives them a temporary directory, and what else it is told.
fn guests(target: &str, given: &[&str], selection: &[&str]) -> Result<Command> {
    let host = wasm::build(Program::HOST)?;
    let host = host.to_str().context("the host's path is not text")?;
    let words = [&[host, "run", "--temp"], given].concat();
    // A list, not CARGO_TARGET_…_RUNNER, because that one splits a path at its spaces.
    let runner = format!("target.{target}.runner={words:?}");
    // After `test`, because cargo forgets what it is told before when it is told more after.
    command(&[&["--config", &runner, "--target", target], selection].concat())
}
