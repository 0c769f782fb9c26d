//! `cargo xtask bench`: how fast everything is, beside what people use without it.

use std::ffi::OsString;
use std::path::{self, PathBuf};

use anyhow::Result;
use xshell::cmd;

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
    if args.plugin || args.growth {
        build::add_component(&mut steps);
        return measure(steps, &[if args.plugin { "--plugin" } else { "--growth" }.into()]);
    }
    page::add(&mut steps, false);
    if args.page {
        steps.run()?;
    } else {
        build::add_component(&mut steps);
        build::add_others(&mut steps);
        let json = json.clone().map(|file| ["--json".into(), file.into_os_string()]);
        measure(steps, json.as_ref().map_or(&[], |args| args))?;
    }
    browser::bench(json.as_deref())
}

/// Runs the benchmark, which needs the host as a program beside it.
fn measure(mut steps: Steps, args: &[OsString]) -> Result<()> {
    for (what, bin) in
        [("the host's program (the first time takes minutes)", "huddle-host"), ("the benchmark", "huddle-bench")]
    {
        steps.add(what, move || cargo::run(&["build", "--release", "--package", "huddle-tests", "--bin", bin]));
    }
    steps.run()?;
    let sh = cargo::shell()?;
    Ok(cmd!(sh, "cargo run --quiet --release --package huddle-tests --bin huddle-bench -- {args...}").run()?)
}
