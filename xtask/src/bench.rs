//! `cargo xtask bench`: how fast everything is, beside what people use without it.

use std::path::{self, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::steps::Steps;
use crate::{browser, build, cargo, page};

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Measure the page in a browser, and nothing else.
    #[arg(long)]
    page: bool,
    /// Measure calls into the component and its start, and nothing else.
    #[arg(long, conflicts_with_all = ["page", "json"])]
    plugin: bool,
    /// Measure commands on buses of 100, 10,000 and 100,000 messages, and nothing else.
    #[arg(long, conflicts_with_all = ["page", "plugin", "json"])]
    growth: bool,
    /// Measure the bus in MongoDB on servers of its own, beside a bare driver, and nothing else.
    #[arg(long, conflicts_with_all = ["page", "plugin", "growth", "json"])]
    mongodb: bool,
    /// Write the numbers to a file, too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Measures the command in all its forms, on a host that is optimised as wasmtime is when people install it, then the
/// page.
pub(crate) fn run(args: &Args) -> Result<()> {
    let json = args.json.as_deref().map(path::absolute).transpose()?;
    let mut steps = Steps::default();
    if args.mongodb {
        return cargo::run(&["run", "--release", "--package", "huddle-mongodb", "--example", "bench"]);
    }
    let part =
        [(args.plugin, "--plugin"), (args.growth, "--growth")].into_iter().find(|(is_asked_for, _)| *is_asked_for);
    if let Some((_, part)) = part {
        build::add_component(&mut steps);
        let mut bench = program(steps)?;
        bench.arg(part);
        return cargo::finish(bench);
    }
    page::add(&mut steps, false);
    if args.page {
        steps.run()?;
    } else {
        build::add_component(&mut steps);
        build::add_others(&mut steps);
        let mut bench = program(steps)?;
        if let Some(file) = &json {
            bench.arg("--json").arg(file);
        }
        cargo::finish(bench)?;
    }
    browser::bench(json.as_deref())
}

/// Describes a start of the benchmark, which needs the host as a program beside it.
fn program(mut steps: Steps) -> Result<Command> {
    steps.add("the host's program (the first time takes minutes)", || {
        cargo::run(&["build", "--package", "huddle-tests", "--bin", "huddle-host", "--profile", "release"])
    });
    steps.add("the benchmark", || {
        cargo::run(&["build", "--package", "huddle-tests", "--bin", "huddle-bench", "--profile", "release"])
    });
    steps.run()?;
    Ok(cargo::command(&["run", "--quiet", "--package", "huddle-tests", "--release", "--bin", "huddle-bench", "--"]))
}
