//! Arranges words for clap: options of every command first and the last one counts, then the command with its options and
//! arguments. Text that begins with a dash, as in a list or in the query `-from:ann`, goes behind `--`.

use std::ffi::OsString;

use super::usage::{nearest, suggest, usage, wrong};
use crate::failure::Failure;

/// Words that have found their place.
pub(super) struct Words<'a> {
    /// The words that call the command: `huddle context create`.
    pub(super) name: String,
    /// The command.
    pub(super) command: &'a clap::Command,
    root: &'a clap::Command,
    /// Options of every command, by name.
    global: Vec<(String, String)>,
    /// The command's words and options.
    own: Vec<String>,
    /// The command's arguments, behind its options: clap tells by what follows one which of them was left out.
    arguments: Vec<String>,
    /// Arguments that may look like options.
    text: Vec<String>,
}

/// What words turn out to be.
pub(super) enum Arranged<'a> {
    /// A wish to know how a command is used.
    Help(String, &'a clap::Command),
    /// A wish to know which version this is.
    Version,
    /// Words to parse.
    Words(Words<'a>),
}

impl<'a> Words<'a> {
    /// Arranges the arguments that follow the command's own name.
    pub(super) fn arrange(root: &'a clap::Command, args: &[OsString]) -> Result<Arranged<'a>, Failure> {
        let (global, own, arguments, text) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut words = Self { name: "huddle".to_owned(), command: root, root, global, own, arguments, text };
        let mut rest = args.iter();
        while let Some(word) = words.next(&mut rest)? {
            match word.as_str() {
                "--" => {
                    while let Some(word) = words.next(&mut rest)? {
                        words.text.push(word);
                    }
                }
                "-h" | "--help" => return Ok(Arranged::Help(words.name, words.command)),
                "-V" | "--version" => return Ok(Arranged::Version),
                _ if is_option(&word) => words.option(&word, &mut rest)?,
                _ => words.argument(word)?,
            }
        }
        Ok(Arranged::Words(words))
    }

    /// Returns the words in the order that clap takes them in.
    pub(super) fn all(self) -> impl Iterator<Item = String> {
        let global = self.global.into_iter().map(|(_, word)| word);
        let text = if self.text.is_empty() { None } else { Some("--".to_owned()) };
        ["huddle".to_owned()]
            .into_iter()
            .chain(global)
            .chain(self.own)
            .chain(self.arguments)
            .chain(text)
            .chain(self.text)
    }

    fn next(&self, rest: &mut std::slice::Iter<'_, OsString>) -> Result<Option<String>, Failure> {
        let Some(word) = rest.next() else { return Ok(None) };
        let text = word.to_str().ok_or_else(|| self.wrong(format!("argument {word:?} is not text")))?;
        Ok(Some(text.to_owned()))
    }

    fn option(&mut self, word: &str, rest: &mut std::slice::Iter<'_, OsString>) -> Result<(), Failure> {
        let (dashed, attached) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        let Some(option) = dashed.strip_prefix("--").and_then(|name| self.find(name)) else {
            return Err(self.unknown(dashed));
        };
        let name = option.get_long().unwrap_or_default();
        let word = match (option.get_action().takes_values(), attached) {
            (false, None) => format!("--{name}"),
            (false, Some(_)) => return Err(self.wrong(format!("--{name} takes no value"))),
            (true, Some(value)) => format!("--{name}={value}"),
            (true, None) => {
                let value = self.next(rest)?;
                // The next word is the value, unless it is an option of this command itself.
                let is_value = |word: &String| word.strip_prefix("--").is_none_or(|name| self.find(name).is_none());
                let Some(value) = value.filter(is_value) else {
                    let shown = option.get_value_names().and_then(<[_]>::first).map_or("", |name| name.as_str());
                    return Err(self.wrong(format!("--{name} needs a value: {shown}")));
                };
                format!("--{name}={value}")
            }
        };
        if find(self.command, name).is_none_or(|_| std::ptr::eq(self.command, self.root)) {
            // A wrapper may set what every command has, and its caller may know better: the last one counts.
            self.global.retain(|(given, _)| given != name);
            self.global.push((name.to_owned(), word));
        } else {
            self.own.push(word);
        }
        Ok(())
    }

    fn argument(&mut self, word: String) -> Result<(), Failure> {
        if let Some(command) = self.command.find_subcommand(&word) {
            self.name = format!("{} {word}", self.name);
            self.command = command;
            self.own.push(word);
        } else if self.command.has_subcommands() {
            let near = nearest(&word, self.command.get_subcommands().map(clap::Command::get_name));
            return Err(self.wrong(suggest(&format!("there is no command {} {word}", self.name), near.as_deref())));
        } else if word.starts_with('-') || !self.text.is_empty() {
            self.text.push(word);
        } else {
            self.arguments.push(word);
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Option<&'a clap::Arg> {
        find(self.command, name).or_else(|| find(self.root, name))
    }

    fn unknown(&self, dashed: &str) -> Failure {
        let known = self.command.get_arguments().chain(self.root.get_arguments()).filter_map(clap::Arg::get_long);
        let near = nearest(dashed.trim_start_matches('-'), known).map(|near| format!("--{near}"));
        let message = suggest(&format!("{} has no option {dashed}", self.name), near.as_deref());
        let hint = format!("{}; text that begins with a dash goes after --", usage(&self.name, self.command));
        Failure::usage(message, hint)
    }

    fn wrong(&self, message: String) -> Failure {
        wrong(&self.name, self.command, message)
    }
}

fn find<'a>(command: &'a clap::Command, name: &str) -> Option<&'a clap::Arg> {
    command.get_arguments().find(|option| option.get_long() == Some(name))
}

/// Returns whether a word is meant as an option, rather than as text that happens to begin with a dash.
fn is_option(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    let plain = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(char::is_whitespace);
    match name.strip_prefix("--") {
        Some(name) => plain(name),
        // `-from:ann` is a query.
        None => name.strip_prefix('-').is_some_and(|name| plain(name) && !name.contains(':')),
    }
}
