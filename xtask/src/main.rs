//! The one entry for everything this repository does to itself.

mod bench;
mod browser;
mod build;
mod cargo;
mod check;
mod demo;
mod dist;
mod fuzz;
mod interface;
mod mongod;
mod names;
mod page;
mod progress;
mod results;
mod sizes;
mod steps;
mod test;
mod toolchain;
mod tools;
mod wasm;
mod zig;

use std::process::ExitCode;

use clap::Parser;

/// Builds, tests, measures and demonstrates Huddle.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
enum Cli {
    /// Make dist/: the component in its forms, the core module, the native command and the page.
    Build,
    /// Make dist/web, the page, and print how large it is.
    Web(page::PageProfile),
    /// Play a story of four agents, each step the component under wasmtime, and show it in the page.
    Demo(demo::Args),
    /// Check formatting, run clippy and the tests that need no artifact.
    Check,
    /// Run everything that must hold: checks, artifacts, native and wasm tests, the page in a browser.
    Test(test::Args),
    /// Test the page in a browser, and nothing else.
    Browser(browser::Args),
    /// Take the pictures of the page that the documentation shows, docs/shots.
    Shots(page::PageProfile),
    /// Measure the component under wasmtime, and the page in a browser.
    Bench(bench::Args),
    /// Feed what reads others' files and input with bytes that nobody would write.
    Fuzz(fuzz::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse() {
        Cli::Build => build::run(),
        Cli::Web(profile) => page::run(&profile),
        Cli::Demo(args) => demo::run(&args),
        Cli::Check => check::run(),
        Cli::Test(args) => test::run(args),
        Cli::Browser(args) => browser::run(args),
        Cli::Shots(profile) => browser::shots(&profile),
        Cli::Bench(args) => bench::run(&args),
        Cli::Fuzz(args) => fuzz::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_of_all_commands_fit_together() {
        Cli::command().debug_assert();
    }
}
