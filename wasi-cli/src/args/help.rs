//! Help pages.

use super::GLOBAL;
use super::spec::{Spec, Take};
use crate::text;

const EXIT_CODES: &str = "\
Exit codes:
  0 done   1 failed   2 usage   3 not found   4 timed out   5 conflict or locked   6 invalid data
Under WASI 0.2 a program can only end with 0 or 1: there, read `kind` of the --json error.
Errors go to stderr as `error[kind]: …`; with --json they are the document on stdout:
  {\"error\": {\"code\": 3, \"kind\": \"not-found\", \"message\": …, \"hint\": …}}

`huddle COMMAND --help` says what a command takes.
`huddle primer` prints what to tell an agent about this command.";

/// Writes how a command is used.
pub(crate) fn help(spec: &Spec) -> String {
    let is_root = !spec.name.contains(' ');
    let mut parts = vec![spec.about.to_owned(), spec.more.to_owned(), spec.usage()];
    let command = |command: &Spec| text::row([&format!("  {}", command.word()), &command.about]);
    parts.push(section("Commands:", &spec.commands.iter().map(command).collect::<Vec<_>>()));
    parts.push(section("Arguments:", &rows(spec.takes, Take::is_argument)));
    parts.push(section("Options:", &rows(spec.takes, |take| !take.is_argument())));
    parts.push(section("Options of every command:", &rows(GLOBAL, |_| true)));
    parts.push(if is_root { EXIT_CODES } else { "" }.to_owned());
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

fn section(title: &str, rows: &[Vec<String>]) -> String {
    if rows.is_empty() { String::new() } else { format!("{title}\n{}", text::table(rows)) }
}

fn rows(takes: &[Take], wanted: impl Fn(&Take) -> bool) -> Vec<Vec<String>> {
    let row = |take: &Take| {
        let mut help = take.help.to_owned();
        if take.is_repeated() && !take.is_argument() {
            help += "; may be given again";
        }
        if let Some(env) = take.env {
            help += &format!(" [or {env}]");
        }
        if let Some(default) = take.default {
            help += &format!(" [default: {default}]");
        }
        text::row([&format!("  {}", take.usage().trim_end_matches('…')), &help])
    };
    takes.iter().filter(|take| wanted(take)).map(row).collect()
}
