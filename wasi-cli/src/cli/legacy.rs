//! Commands that a [`Spec`] describes, for clap.

use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::args::{Args, Spec, Take};
use crate::commands::HUDDLE;

/// Describes a command to clap.
pub(super) fn command(spec: &'static Spec) -> Command {
    let mut command = Command::new(spec.word()).about(spec.about).disable_help_flag(true);
    if !spec.more.is_empty() {
        command = command.after_help(spec.more);
    }
    command = spec.takes.iter().fold(command, |command, take| command.arg(argument(take)));
    let command = command.subcommand_required(spec.run.is_none()).disable_help_subcommand(true);
    spec.commands.iter().fold(command, |command, spec| command.subcommand(self::command(spec)))
}

fn argument(take: &'static Take) -> Arg {
    let mut argument = Arg::new(take.name).help(take.help).required(take.is_needed());
    if !take.is_argument() {
        argument = argument.long(take.name);
    }
    argument = match (take.is_repeated(), take.value) {
        (_, "") => return argument.action(ArgAction::SetTrue),
        (true, value) => argument.action(ArgAction::Append).value_name(value),
        (false, value) => argument.action(ArgAction::Set).value_name(value),
    };
    if take.is_argument() && take.is_repeated() {
        argument = argument.num_args(1..);
    }
    match take.default {
        Some(default) => argument.default_value(default),
        None => argument,
    }
}

/// Returns what a command that a [`Spec`] describes was given, if it was one.
pub(super) fn args(matches: &ArgMatches) -> Option<Args> {
    let (mut spec, mut matches) = (&HUDDLE, matches);
    while let Some((word, below)) = matches.subcommand() {
        spec = spec.commands.iter().find(|command| command.word() == word)?;
        matches = below;
    }
    let mut given = Vec::new();
    for take in spec.takes {
        if take.value.is_empty() {
            given.extend(matches.get_flag(take.name).then(|| (take.name, String::new())));
        } else if matches.value_source(take.name) != Some(clap::parser::ValueSource::DefaultValue) {
            let values = matches.get_many::<String>(take.name).into_iter().flatten();
            given.extend(values.map(|value| (take.name, value.clone())));
        }
    }
    Some(Args::given(spec, given))
}
