//! `cargo xtask bench`: how fast the command is, beside the shell snippets that agents use today.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use huddle_tests::bench;

/// Measure the command under wasmtime and natively, beside bash and jq.
#[derive(Parser)]
struct Args {
    /// Measure the component as a plugin, and nothing else.
    #[arg(long)]
    plugin: bool,
    /// Measure what growth costs, and nothing else.
    #[arg(long, conflicts_with = "plugin")]
    growth: bool,
    /// Write the numbers to a file, too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    if args.plugin {
        println!("{}", bench::run_plugin()?);
        return Ok(());
    }
    if args.growth {
        println!("{}", bench::run_growth()?);
        return Ok(());
    }
    let table = bench::run()?;
    println!("{table}");
    if let Some(file) = args.json {
        let text = format!("{:#}\n", table.to_json());
        fs::write(&file, text).with_context(|| format!("writing the numbers failed: {}", file.display()))?;
    }
    Ok(())
}
