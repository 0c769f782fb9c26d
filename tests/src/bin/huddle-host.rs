//! Runs a wasm command with the host's stdio: what `wasmtime run` does, with nothing to install.
//!
//! Cargo uses it as the runner of tests that are built for a WASI target.

use std::env;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Parser};
use huddle_tests::{Guest, Run};

/// Runs a WASI command, component or core module, under the embedded wasmtime.
#[derive(Parser)]
#[command(name = "huddle-host")]
enum Cli {
    /// Start a wasm file and exit with its exit code.
    Run(RunArgs),
}

#[derive(Args)]
struct RunArgs {
    /// Open a host directory to the guest, under its own name or another.
    #[arg(long, value_name = "HOST[::GUEST]")]
    dir: Vec<String>,
    /// Set an environment variable for the guest; without a value, to the one that it has here.
    #[arg(long, value_name = "NAME[=VALUE]")]
    env: Vec<String>,
    /// Let the guest use the network and look up names.
    #[arg(long)]
    network: bool,
    /// The file is a component that wasmtime has compiled, and is trusted: it runs as it is, in no sandbox.
    #[arg(long)]
    allow_precompiled: bool,
    /// Open a new temporary directory as /tmp, set TMPDIR to it, and remove it at the end.
    #[arg(long)]
    temp: bool,
    // One list, so that the first word ends our own options and `FILE --help` reaches the guest.
    /// The wasm file, and arguments for the guest.
    #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true, value_name = "FILE [ARGS]")]
    command: Vec<String>,
}

fn main() -> ExitCode {
    let Cli::Run(args) = Cli::parse();
    match run(&args) {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)),
        Err(error) => {
            eprintln!("huddle-host: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &RunArgs) -> Result<i32> {
    let (file, _) = args.command.split_first().context("no wasm file was named")?;
    #[expect(unsafe_code, reason = "whoever says so answers for the file")]
    let guest = if args.allow_precompiled { unsafe { Guest::load_compiled(file)? } } else { Guest::load(file)? };
    let temp = args.temp.then(tempfile::tempdir).transpose()?;
    let outcome = describe(args, &guest, temp.as_ref().map(|dir| dir.path()))?.start()?;
    if let Some(trap) = outcome.trap {
        eprintln!("huddle-host: the guest trapped: {trap}");
    }
    Ok(outcome.code)
}

fn describe<'a>(args: &'a RunArgs, guest: &'a Guest, temp: Option<&Path>) -> Result<Run<'a>> {
    let mut run = Run::new(guest).inherit_stdio().args(&args.command[1..]);
    for dir in &args.dir {
        let (host, inside) = dir.split_once("::").unwrap_or((dir, dir));
        run = run.dir(host, inside);
    }
    for pair in &args.env {
        run = match pair.split_once('=') {
            Some((name, value)) => run.env(name, value),
            None => run
                .env(pair, env::var(pair).with_context(|| format!("--env names a variable that is not set: {pair}"))?),
        };
    }
    if args.network {
        run = run.network();
    }
    if let Some(temp) = temp {
        run = run.dir(temp, "/tmp").env("TMPDIR", "/tmp");
    }
    Ok(run)
}
