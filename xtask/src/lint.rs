//! `cargo xtask lint`: formatting, clippy and documentation, with warnings as errors.

use std::process::Command;

use anyhow::Result;

use crate::steps::Steps;
use crate::toolchain::{self, P2, WEB};
use crate::{cargo, interface};

/// Runs all checks that need no test.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    add_quick(&mut steps);
    add_clippy(&mut steps);
    add_documentation(&mut steps);
    steps.run()
}

/// Adds the checks that take a moment, after what all others need is there.
pub(crate) fn add_quick(steps: &mut Steps) {
    steps.add("toolchain", || {
        toolchain::ensure_targets(&[WEB, toolchain::P1, P2])?;
        toolchain::ensure_lint_tools()
    });
    steps.add("formatting", || cargo::run(&["fmt", "--all", "--check"]));
    steps.add("the version of the typed interface", interface::check);
}

/// Adds the checks that compile everything.
fn add_clippy(steps: &mut Steps) {
    steps.add("clippy", || clippy(&["--workspace", "--all-targets"]));
    // Code behind cfg(target_arch) or cfg(target_os) is seen only when built for that target.
    steps.add("clippy of the page", || {
        clippy(&["--package", "huddle-web", "--package", "huddle-core", "--package", "huddle-scan", "--target", WEB])
    });
    steps.add("clippy of the component", || {
        clippy(&[
            "--package",
            "huddle-scan",
            "--package",
            "huddle-core",
            "--package",
            "huddle",
            "--no-default-features",
            "--all-targets",
            "--target",
            P2,
        ])
    });
    steps.add("clippy of the tools", || {
        clippy(&["--package", "huddle", "--no-default-features", "--features", "tools", "--all-targets"])
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

/// Has clippy compile what is ours, so that it is checked on the way. By itself clippy goes over everything that it depends
/// on as well, hundreds of crates, and the tests compile those once more: a quarter of an hour. The page's code is seen where
/// it is compiled for tests that need no browser: none of it is for one target only.
pub(crate) fn on_the_way(command: &mut Command) -> Result<()> {
    command.env("RUSTC_WORKSPACE_WRAPPER", toolchain::clippy()?);
    // As `cargo clippy` hands over what is said after `--`.
    command.env("CLIPPY_ARGS", format!("{STRICTLY}__CLIPPY_HACKERY__"));
    Ok(())
}

/// Makes errors of warnings.
const STRICTLY: &str = "-Dwarnings";

fn clippy(selection: &[&str]) -> Result<()> {
    let mut args = vec!["clippy"];
    args.extend(selection);
    args.extend(["--", STRICTLY]);
    cargo::run(&args)
}
