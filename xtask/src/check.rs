//! `cargo xtask check`: formatting, clippy and the tests that need no artifact; what one runs all day.

use std::process::Command;
use std::sync::Arc;

use anyhow::Result;

use crate::results::Results;
use crate::steps::Steps;
use crate::toolchain::{self, P1, P2, WEB};
use crate::{cargo, interface};

/// Everything that is compiled natively, but for what runs guests: cargo unites the features of what it builds together, and
/// in one call the page's dependencies would have wasmtime built a second time, other than for the demo. The page itself is
/// compiled for the browser only: what it computes is in `web/model`.
///
/// Every native build of ours is of this selection, so that all of them share what they compile.
pub(crate) const NATIVE: [&str; 5] = ["--workspace", "--exclude", "huddle-tests", "--exclude", "huddle-web"];

/// What needs a server of MongoDB is compiled with the rest, and tested by `cargo xtask test`.
const WITHOUT_SERVER: [&str; 4] = ["--exclude", "huddle-mongodb", "--exclude", "huddle-mongod"];

/// Runs all checks that need nothing but the sources.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    add_quick(&mut steps);
    let results = Arc::new(Results::default());
    let counted = Arc::clone(&results);
    steps.add("clippy and native tests", move || native(&counted, &WITHOUT_SERVER));
    add_page(&mut steps);
    steps.run_tests(&results)
}

/// Adds the checks that take a moment, after what all others need is there.
pub(crate) fn add_quick(steps: &mut Steps) {
    steps.add("toolchain", || toolchain::ensure_targets(&[WEB, P1, P2]));
    steps.add("formatting", || cargo::run(&["fmt", "--all", "--check"]));
    steps.add("the version of the typed interface", interface::check);
}

/// Adds the check of the page's code, which nothing compiles natively.
pub(crate) fn add_page(steps: &mut Steps) {
    steps.add("clippy of the page", || {
        let mut check = cargo::command(&["check", "--package", "huddle-web", "--target", WEB]);
        with_clippy_wrapper(&mut check)?;
        cargo::finish(check)
    });
}

/// Adds the check of what is said about the libraries.
pub(crate) fn add_documentation(steps: &mut Steps) {
    steps.add("documentation", || {
        let mut doc = cargo::command(&["doc", "--no-deps", "--package", "huddle-core", "--package", "huddle-scan"]);
        doc.env("RUSTDOCFLAGS", "-Dwarnings");
        cargo::finish(doc)
    });
}

/// Runs native tests, all or those that more words select.
pub(crate) fn native(results: &Results, more: &[&str]) -> Result<()> {
    results.of_cargo(test(&[&NATIVE[..], more].concat())?, threads())
}

/// Describes tests, which are checked by clippy as they are compiled.
pub(crate) fn test(selection: &[&str]) -> Result<Command> {
    let mut command = cargo::command(&["test"]);
    command.args(selection);
    with_clippy_wrapper(&mut command)?;
    Ok(command)
}

/// Returns how many tests a program runs at once.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Has clippy compile what is ours, so that it is checked on the way. By itself clippy goes over everything that it depends
/// on as well, hundreds of crates, and the tests compile those once more.
///
/// Not for what is shipped: clippy turns optimizations off that come before it.
pub(crate) fn with_clippy_wrapper(command: &mut Command) -> Result<()> {
    command.env("RUSTC_WORKSPACE_WRAPPER", toolchain::clippy()?);
    // As `cargo clippy` hands over what is said after `--`.
    command.env("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__");
    Ok(())
}
