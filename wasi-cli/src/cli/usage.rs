//! How a command is used, and what is wrong with a use of it.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};

use crate::failure::Failure;

/// Returns how a command is called.
pub(super) fn usage(name: &str, command: &Command) -> String {
    let mut usage = format!("usage: {name}");
    if command.has_subcommands() {
        usage += if command.is_subcommand_required_set() || !name.contains(' ') { " COMMAND" } else { " [COMMAND]" };
    }
    let is_shown = |argument: &&Arg| argument.is_positional() || argument.is_required_set();
    let own = || command.get_arguments().filter(|_| name.contains(' '));
    for argument in own().filter(is_shown) {
        usage += &format!(" {}", shown(argument));
    }
    if own().any(|argument| !is_shown(&argument)) {
        usage += " [OPTION]…";
    }
    usage
}

/// Returns an argument as it is given.
pub(super) fn shown(argument: &Arg) -> String {
    let value = argument.get_value_names().and_then(<[_]>::first).map_or("", |name| name.as_str());
    let name = match argument.get_long() {
        None => value.to_owned(),
        Some(long) if argument.get_action().takes_values() => format!("--{long} {value}"),
        Some(long) => format!("--{long}"),
    };
    let again = if is_repeated(argument) { "…" } else { "" };
    let is_optional = argument.is_positional() && !argument.is_required_set();
    if is_optional { format!("[{name}]{again}") } else { format!("{name}{again}") }
}

/// Returns whether an argument may be given more than once.
pub(super) fn is_repeated(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
}

/// Creates the failure of a command that was used in a wrong way.
pub(super) fn wrong(name: &str, command: &Command, message: String) -> Failure {
    Failure::usage(message, usage(name, command))
}

/// Words an error of clap.
pub(super) fn failure(name: &str, command: &Command, error: &clap::Error) -> Failure {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        Some(ContextValue::Strings(all)) => all.first().map_or("", String::as_str),
        _ => "",
    };
    let argument = plain(text(ContextKind::InvalidArg));
    let message = match error.kind() {
        ErrorKind::MissingRequiredArgument => format!("{} is missing", missing(command, error)),
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            let value = text(ContextKind::InvalidValue);
            let fault = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            format!("{value:?} is no good for {argument}: {fault}")
        }
        ErrorKind::ArgumentConflict => format!("{argument} was given twice"),
        ErrorKind::UnknownArgument => {
            format!("{:?} is one argument too many", text(ContextKind::InvalidArg))
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let words: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
            format!("{name} needs a command: {}", words.join(", "))
        }
        kind => kind.to_string(),
    };
    wrong(name, command, message)
}

/// Returns the first argument that is missing, in the order in which the command lists them.
fn missing(command: &Command, error: &clap::Error) -> String {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else { return String::new() };
    let missing: Vec<_> = missing.iter().map(|shown| plain(shown)).collect();
    let known = command.get_arguments().map(|argument| match argument.get_long() {
        Some(long) => format!("--{long}"),
        None => shown(argument).trim_end_matches('…').to_owned(),
    });
    known.into_iter().find(|known| missing.contains(known)).unwrap_or_default()
}

/// Takes what stands for a value away from an argument as clap shows it: `--kind <KIND>`, `<NAME>...`.
fn plain(shown: &str) -> String {
    let name = shown.split_whitespace().next().unwrap_or_default();
    name.trim_matches(|c| "<>[].".contains(c)).to_owned()
}

/// Adds a suggestion to a message.
pub(super) fn suggest(message: &str, near: Option<&str>) -> String {
    near.map_or_else(|| message.to_owned(), |near| format!("{message}; did you mean {near}?"))
}

/// Finds the word that a slip of the pen was meant to be.
pub(super) fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    known
        .map(|word| (strsim::levenshtein(wanted, word), word))
        .filter(|(distance, word)| *distance <= 1 + word.len() / 4)
        .min()
        .map(|(_, word)| word.to_owned())
}
