//! `cargo xtask bench`: how fast everything is, beside what people use without it.

use std::path::{self, PathBuf};

use anyhow::Result;

use crate::steps::Steps;
use crate::{browser, build, cargo, host, page};

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Measure the page in a browser, and nothing else.
    #[arg(long)]
    page: bool,
    /// Write the numbers to a file, too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Measures the command in all its forms, on a host that is optimised as wasmtime is when people install it, then the
/// page.
pub(crate) fn run(args: &Args) -> Result<()> {
    let json = args.json.as_deref().map(path::absolute).transpose()?;
    let mut steps = Steps::default();
    page::add(&mut steps, false);
    if args.page {
        steps.run()?;
    } else {
        build::add_component(&mut steps);
        build::add_others(&mut steps);
        let mut bench = host::program("huddle-bench", steps, "release")?;
        if let Some(file) = &json {
            bench.arg("--json").arg(file);
        }
        cargo::finish(bench)?;
    }
    browser::bench(json.as_deref())
}
