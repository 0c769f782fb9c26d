//! Programs of `huddle-tests` that people run: the demo and the benchmark.

use std::path::{self, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::steps::Steps;
use crate::{browser, build, cargo, page};

/// Arguments that go to the program itself.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Passed on to the program.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Plays a story of four agents on the component, for a newcomer.
pub(crate) fn demo(args: &Args) -> Result<()> {
    let mut steps = Steps::default();
    build::add_component(&mut steps);
    let mut demo = program("huddle-demo", steps, "dev")?;
    demo.args(&args.rest);
    cargo::finish(demo)
}

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Bench {
    /// Measure the page in a browser, and nothing else.
    #[arg(long)]
    page: bool,
    /// Write the numbers to a file, too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Measures the command in all its forms, on a host that is optimised as wasmtime is when people install it, then the
/// page.
pub(crate) fn bench(args: &Bench) -> Result<()> {
    let json = args.json.as_deref().map(path::absolute).transpose()?;
    let mut steps = Steps::default();
    page::add(&mut steps, false);
    if args.page {
        steps.run()?;
    } else {
        build::add_component(&mut steps);
        build::add_others(&mut steps);
        let mut bench = program("huddle-bench", steps, "release")?;
        if let Some(file) = &json {
            bench.arg("--json").arg(file);
        }
        cargo::finish(bench)?;
    }
    browser::bench(json.as_deref())
}

/// Builds what is needed, then the program, and describes its start.
fn program(name: &'static str, mut steps: Steps, profile: &'static str) -> Result<Command> {
    steps.add("the wasmtime host (the first time takes minutes)", move || {
        cargo::run(&["build", "--package", "huddle-tests", "--bin", name, "--profile", profile])
    });
    steps.run()?;
    let mut command = cargo::command(&["run", "--quiet", "--package", "huddle-tests", "--profile", profile]);
    command.args(["--bin", name, "--"]);
    Ok(command)
}
