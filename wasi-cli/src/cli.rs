//! The command line: words become a [`Command`], or a page that was asked for.

mod help;
mod usage;
mod words;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser};
use huddle_api::span;
use huddle_core::model::Span;

use crate::commands::Command;
use crate::failure::Failure;
use words::Words;

/// Agents talk to each other through files in a project, and people see what they said
#[derive(Parser)]
#[command(name = "huddle", disable_help_flag = true, disable_help_subcommand = true)]
struct Cli {
    #[command(flatten)]
    global: GlobalOptions,
    #[command(subcommand)]
    command: Command,
}

/// The options of every command.
#[derive(Clone, clap::Args)]
pub(crate) struct GlobalOptions {
    /// the agent that acts
    #[arg(long = "as", value_name = "AGENT", env = "HUDDLE_AGENT")]
    pub(crate) agent: Option<String>,
    /// the project that has the message bus
    #[arg(long, value_name = "DIR", env = "HUDDLE_ROOT", default_value = ".")]
    pub(crate) root: String,
    /// a bus in MongoDB instead: mongodb://HOST/DATABASE
    #[arg(long, value_name = "ADDRESS", env = "HUDDLE_BUS")]
    pub(crate) bus: Option<String>,
    /// answer with one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    /// how long to wait for what another agent has locked
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = span)]
    pub(crate) lock_wait: Span,
}

/// What a command line asks for.
pub(crate) enum Asked {
    /// A page: help, or the version.
    Page(String),
    /// A command.
    Run(Box<Run>),
}

/// A command to run.
pub(crate) struct Run {
    /// The options of every command.
    pub(crate) global: GlobalOptions,
    /// The command.
    pub(crate) command: Command,
    /// How it is used.
    pub(crate) usage: String,
}

/// Returns the page that lists all commands.
pub(crate) fn help() -> String {
    let root = Cli::command();
    help::page("huddle", &root, &root)
}

/// Reads the arguments that follow the command's own name.
pub(crate) fn parse(args: &[OsString]) -> Result<Asked, Failure> {
    let root = Cli::command();
    let words = match Words::arrange(&root, args)? {
        words::Arranged::Help(name, command) => return Ok(Asked::Page(help::page(&name, command, &root))),
        words::Arranged::Version => return Ok(Asked::Page(crate::VERSION.to_owned())),
        words::Arranged::Words(words) => words,
    };
    let (name, command) = (words.name.clone(), words.command.clone());
    let failure = |error: clap::Error| usage::failure(&name, &command, &error);
    let mut matches = root.clone().try_get_matches_from(words.all()).map_err(failure)?;
    let global = GlobalOptions::from_arg_matches_mut(&mut matches).map_err(failure)?;
    let chosen = Command::from_arg_matches_mut(&mut matches).map_err(failure)?;
    Ok(Asked::Run(Box::new(Run { global, command: chosen, usage: usage::usage(&name, &command) })))
}

/// Returns whether the arguments ask for JSON, even if nothing else can be made of them.
pub(crate) fn wants_json(args: &[OsString]) -> bool {
    args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json")
}

#[cfg(test)]
mod tests;
