//! `cargo xtask lint`: formatting, clippy and documentation, with warnings as errors.

use anyhow::Result;

use crate::steps::Steps;
use crate::toolchain::{self, P2, WEB};
use crate::{cargo, interface};

/// Runs all checks that need no test.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    add(&mut steps);
    steps.run()
}

/// Adds all checks that need no test.
pub(crate) fn add(steps: &mut Steps) {
    add_quick(steps);
    add_clippy(steps);
}

/// Adds the checks that take a moment, after what all others need is there.
pub(crate) fn add_quick(steps: &mut Steps) {
    steps.add("toolchain", || {
        toolchain::ensure_targets(&[WEB, toolchain::P1, P2])?;
        toolchain::ensure_source()?;
        toolchain::ensure_lint_tools()
    });
    steps.add("formatting", || cargo::run(&["fmt", "--all", "--check"]));
    steps.add("the version of the typed interface", interface::check);
}

/// Adds the checks that compile everything.
pub(crate) fn add_clippy(steps: &mut Steps) {
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
    steps.add("documentation", || {
        let mut doc = cargo::command(&["doc", "--no-deps", "--package", "huddle-core", "--package", "huddle-scan"]);
        doc.env("RUSTDOCFLAGS", "-Dwarnings");
        cargo::finish(doc)
    });
}

fn clippy(selection: &[&str]) -> Result<()> {
    let mut args = vec!["clippy"];
    args.extend(selection);
    args.extend(["--", "-Dwarnings"]);
    cargo::run(&args)
}
