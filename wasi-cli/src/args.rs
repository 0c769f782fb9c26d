//! The command line: what every command has in common.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser};
use huddle_core::model::Span;

use crate::commands::Command;
use crate::when;

const EXIT_CODES: &str = "\
Exit codes:
  0 done   1 failed   2 usage   3 not found   4 timed out   5 conflict or locked   6 invalid data
Under WASI 0.2 a program can only end with 0 or 1: there, read `kind` of the --json error.
Errors go to stderr as `error[kind]: …`; with --json they are the document on stdout:
  {\"error\": {\"code\": 3, \"kind\": \"not-found\", \"message\": …, \"hint\": …}}

`huddle primer` prints what to tell an agent about this command.";

/// Agents talk to each other through files in a project, and people see what they said.
#[derive(Debug, Parser)]
#[command(name = "huddle", version, after_help = EXIT_CODES, disable_help_subcommand = true)]
#[command(subcommand_required = true, max_term_width = 100)]
pub struct Cli {
    /// What every command has.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The options that every command has.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Global {
    /// The agent that acts
    #[arg(id = "as", long = "as", value_name = "AGENT", env = "HUDDLE_AGENT", hide_env_values = true, global = true)]
    pub agent: Option<String>,
    /// The project that has the message bus
    #[arg(long, value_name = "DIR", env = "HUDDLE_ROOT", hide_env_values = true, default_value = ".", global = true)]
    pub root: PathBuf,
    /// Answer with one JSON document
    #[arg(long, global = true)]
    pub json: bool,
    /// How long to wait for what another agent has locked
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = when::span, global = true)]
    pub lock_wait: Span,
}

/// Writes what the command can do, for whoever calls it without a word.
pub(crate) fn help() -> String {
    Cli::command().render_help().to_string()
}

/// Says whether the arguments ask for JSON, even if nothing else can be made of them.
pub(crate) fn wants_json(args: &[OsString]) -> bool {
    args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json")
}
