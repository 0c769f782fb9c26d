//! `wasmtime run`, from wasmtime's own library: what people who have wasmtime type, with nothing to install.

use std::process::ExitCode;

use clap::Parser;
use wasmtime_cli::commands::RunCommand;
use wasmtime_wasi::I32Exit;

/// The one command of wasmtime's that the tests need, with its own options.
#[derive(Parser)]
#[command(name = "wasmtime")]
enum Cli {
    /// Run a WebAssembly file, or call one of its functions.
    Run(Box<RunCommand>),
}

fn main() -> ExitCode {
    let Cli::Run(command) = Cli::parse();
    match command.execute() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => match error.downcast_ref::<I32Exit>() {
            Some(exit) => ExitCode::from(u8::try_from(exit.0).unwrap_or(u8::MAX)),
            None => {
                eprintln!("Error: {error:?}");
                ExitCode::FAILURE
            }
        },
    }
}
