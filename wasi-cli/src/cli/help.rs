//! Help pages.

use clap::{Arg, Command};

use super::usage::{is_repeated, shown, usage};
use crate::text;

const EXIT_CODES: &str = "\
Exit codes:
  0 done   1 failed   2 usage   3 not found   4 timed out   5 conflict or locked   6 invalid data
Under WASI 0.2 a program can only end with 0 or 1: there, read `kind` of the --json error.
Errors go to stderr as `error[kind]: …`; with --json they are the document on stdout:
  {\"error\": {\"code\": 3, \"kind\": \"not-found\", \"message\": …, \"hint\": …}}

`huddle COMMAND --help` says what a command takes.
`huddle primer` prints what to tell an agent about this command.";

/// The commands in the order that a newcomer needs them.
#[rustfmt::skip]
const ORDER: [&str; 43] = [
    "init", "register", "agents", "heartbeat", "deregister", "send", "broadcast", "publish", "subscribe", "unsubscribe",
    "inbox", "read", "reply", "ack", "ask", "answer", "context", "handoff", "session", "protocol", "state", "thread",
    "threads", "summary", "report", "trace", "history", "timeline", "view", "search", "export", "import", "migrate",
    "compress", "expand", "sweep", "dead-letters", "archive", "check", "primer", "skill", "hooks", "mcp",
];

/// Returns the page that describes how a command is used.
pub(super) fn page(name: &str, command: &Command, root: &Command) -> String {
    let is_root = !name.contains(' ');
    let mut parts = vec![about(command), more(command), usage(name, command)];
    let mut commands: Vec<_> = command.get_subcommands().collect();
    if is_root {
        commands.sort_by_key(|command| ORDER.iter().position(|name| *name == command.get_name()));
    }
    let row = |command: &&Command| text::row([&format!("  {}", command.get_name()), &about(command)]);
    parts.push(section("Commands:", &commands.iter().map(row).collect::<Vec<_>>()));
    let own = || command.get_arguments().filter(|_| !is_root);
    parts
        .push(section("Arguments:", &own().filter(|argument| argument.is_positional()).map(entry).collect::<Vec<_>>()));
    parts.push(section("Options:", &own().filter(|argument| !argument.is_positional()).map(entry).collect::<Vec<_>>()));
    parts.push(section("Options of every command:", &root.get_arguments().map(entry).collect::<Vec<_>>()));
    parts.push(if is_root { EXIT_CODES } else { "" }.to_owned());
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// Returns what a command does, in a line.
fn about(command: &Command) -> String {
    first_sentence(&command.get_about().map(ToString::to_string).unwrap_or_default())
}

/// Returns what else there is to say of a command: the rest of its documentation.
fn more(command: &Command) -> String {
    if let Some(more) = command.get_after_help() {
        return more.to_string();
    }
    let whole = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    whole.split_once("\n\n").map_or_else(String::new, |(_, more)| more.to_owned())
}

fn first_sentence(text: &str) -> String {
    text.strip_suffix('.').unwrap_or(text).to_owned()
}

fn section(title: &str, rows: &[Vec<String>]) -> String {
    if rows.is_empty() { String::new() } else { format!("{title}\n{}", text::table(rows)) }
}

fn entry(argument: &Arg) -> Vec<String> {
    let mut help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    if is_repeated(argument) && !argument.is_positional() {
        help += "; may be given again";
    }
    if let Some(env) = argument.get_env() {
        help += &format!(" [or {}]", env.display());
    }
    if let (true, [default, ..]) = (argument.get_action().takes_values(), argument.get_default_values()) {
        help += &format!(" [default: {}]", default.display());
    }
    text::row([&format!("  {}", shown(argument).trim_end_matches('…')), &help])
}
