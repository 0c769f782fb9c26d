//! Reading the command line.

use std::ffi::OsString;

use huddle_core::bus::ErrorKind;

use super::spec::{Spec, Take};
use super::{Args, GLOBAL};
use crate::failure::Failure;

/// What a caller asks for.
pub(crate) enum Asked {
    /// To know how a command is used.
    Help(&'static Spec),
    /// To know which version this is.
    Version,
    /// To run a command.
    Run(Args),
}

/// Says whether the arguments ask for JSON, even if nothing else can be made of them.
pub(crate) fn wants_json(args: &[OsString]) -> bool {
    args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json")
}

/// Reads the arguments that follow the command's own name.
pub(crate) fn parse(root: &'static Spec, args: &[OsString]) -> Result<Asked, Failure> {
    let mut reading = Reading { args: Args { spec: root, given: Vec::new() }, rest: args.iter(), places: 0 };
    while let Some(word) = reading.next()? {
        if word == "--" {
            while let Some(word) = reading.next()? {
                reading.argument(word)?;
            }
        } else if word == "-h" || word == "--help" {
            return Ok(Asked::Help(reading.args.spec));
        } else if word == "-V" || word == "--version" {
            return Ok(Asked::Version);
        } else if is_option(&word) {
            reading.option(&word)?;
        } else {
            reading.argument(word)?;
        }
    }
    reading.finish()
}

/// Says whether a word is meant as an option, rather than as text that happens to begin with a dash, as in a list.
fn is_option(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    let plain = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(char::is_whitespace);
    match name.strip_prefix("--") {
        Some(name) => plain(name),
        // `-from:ann` is a query.
        None => name.strip_prefix('-').is_some_and(|name| plain(name) && !name.contains(':')),
    }
}

struct Reading<'a> {
    args: Args,
    rest: std::slice::Iter<'a, OsString>,
    /// How many arguments have found their place.
    places: usize,
}

impl Reading<'_> {
    fn next(&mut self) -> Result<Option<String>, Failure> {
        let Some(word) = self.rest.next() else { return Ok(None) };
        let text = word.to_str().ok_or_else(|| self.args.wrong(format!("argument {word:?} is not text")))?;
        Ok(Some(text.to_owned()))
    }

    fn option(&mut self, word: &str) -> Result<(), Failure> {
        let (name, attached) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        let Some(take) = name.strip_prefix("--").and_then(|name| self.find(name)) else {
            return Err(self.unknown(name));
        };
        let value = match (take.value, attached) {
            ("", None) => String::new(),
            ("", Some(_)) => return Err(self.args.wrong(format!("--{} takes no value", take.name))),
            (_, Some(value)) => value.to_owned(),
            (_, None) => self.value_of(take)?,
        };
        let is_own = self.args.spec.takes.iter().any(|own| own.name == take.name);
        if !is_own {
            // A wrapper may set what every command has, and its caller may know better: the last one counts.
            self.args.given.retain(|(given, _)| *given != take.name);
        } else if !take.is_repeated() && self.args.given.iter().any(|(given, _)| *given == take.name) {
            return Err(self.args.wrong(format!("--{} was given twice", take.name)));
        }
        self.args.given.push((take.name, value));
        Ok(())
    }

    /// Takes the next word as an option's value, unless it is an option of this command itself.
    fn value_of(&mut self, take: &Take) -> Result<String, Failure> {
        let next = self.next()?;
        let is_value = |word: &String| word.strip_prefix("--").is_none_or(|name| self.find(name).is_none());
        let missing = || self.args.wrong(format!("--{} needs a value: {}", take.name, take.value));
        next.filter(is_value).ok_or_else(missing)
    }

    fn find(&self, name: &str) -> Option<&'static Take> {
        let all = self.args.spec.takes.iter().chain(GLOBAL);
        all.filter(|take| !take.is_argument()).find(|take| take.name == name)
    }

    fn argument(&mut self, word: String) -> Result<(), Failure> {
        let spec = self.args.spec;
        if let Some(command) = spec.commands.iter().find(|command| command.word() == word) {
            self.args.spec = command;
            return Ok(());
        }
        if !spec.commands.is_empty() {
            let near = nearest(&word, spec.commands.iter().map(Spec::word));
            let message = format!("there is no command {} {word}", spec.name);
            return Err(self.args.wrong(suggest(&message, near)));
        }
        let places = spec.takes.iter().filter(|take| take.is_argument());
        let last = places.clone().next_back().filter(|take| take.is_repeated());
        let Some(take) = places.clone().nth(self.places).or(last) else {
            return Err(self.args.wrong(format!("{word:?} is one argument too many")));
        };
        self.places += 1;
        self.args.given.push((take.name, word));
        Ok(())
    }

    fn unknown(&self, name: &str) -> Failure {
        let known = self.args.spec.takes.iter().chain(GLOBAL).filter(|take| !take.is_argument());
        let near = nearest(name.trim_start_matches('-'), known.map(|take| take.name));
        let near = near.map(|near| format!("--{near}"));
        let message = suggest(&format!("{} has no option {name}", self.args.spec.name), near.as_deref());
        Failure::new(
            ErrorKind::Usage,
            message,
            format!("{}; text that begins with a dash goes after --", self.args.spec.usage()),
        )
    }

    fn finish(self) -> Result<Asked, Failure> {
        let spec = self.args.spec;
        if spec.run.is_none() {
            let words: Vec<_> = spec.commands.iter().map(Spec::word).collect();
            return Err(self.args.wrong(format!("{} needs a command: {}", spec.name, words.join(", "))));
        }
        Args::complete(spec, self.args.given).map(Asked::Run)
    }
}

fn suggest(message: &str, near: Option<&str>) -> String {
    near.map_or_else(|| message.to_owned(), |near| format!("{message}; did you mean {near}?"))
}

/// Finds the word that a slip of the pen was meant to be.
fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|word| (slips(wanted, word), word))
        .filter(|(slips, word)| *slips <= 1 + word.len() / 4)
        .min()
        .map(|(_, word)| word)
}

/// Counts the letters to add, drop or change between two words.
fn slips(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let best = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{flag, many, must, needed, option, repeated};

    static ROOT: Spec = Spec::group("x", "", &[ADD, LIST]);
    const ADD: Spec = Spec::command(
        "x add",
        "",
        &[must("NAME", ""), many("ITEM", ""), needed("kind", "KIND", ""), repeated("tag", "TAG", ""), flag("fast", "")],
        |_, _| Ok(()),
    );
    const LIST: Spec = Spec::command("x list", "", &[option("limit", "N", "")], |_, _| Ok(()));

    fn check(line: &str, expected: &str) {
        let words: Vec<OsString> = line.split(' ').map(|word| word.replace('_', " ").into()).collect();
        let got = match parse(&ROOT, &words) {
            Err(failure) => failure.message.clone(),
            Ok(Asked::Help(spec)) => format!("help {}", spec.name),
            Ok(Asked::Version) => "version".to_owned(),
            Ok(Asked::Run(args)) => {
                let given = args.given.iter().filter(|(name, _)| *name != "as" && *name != "root");
                given.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
            }
        };
        assert_eq!(got, expected, "{line}");
    }

    #[test]
    fn words_find_their_place() {
        check("add n i --kind k", "NAME=n ITEM=i kind=k");
        check(
            "--json add --kind=k --tag a --tag b n i j --fast",
            "json= kind=k tag=a tag=b NAME=n ITEM=i ITEM=j fast=",
        );
        check("add n --kind --x -- --fast --json", "NAME=n kind=--x ITEM=--fast ITEM=--json");
        check("add -_a_list - --kind -", "NAME=- a list ITEM=- kind=-");
        check("add n -5 --kind -k", "NAME=n ITEM=-5 kind=-k");
        check("list", "");
        check("--json --lock-wait 1 list --json --lock-wait=2", "json= lock-wait=2");
    }

    #[test]
    fn help_and_version_are_answered_before_anything_is_missed() {
        check("--help", "help x");
        check("add --help", "help x add");
        check("add n -h", "help x add");
        check("-V", "version");
    }

    #[test]
    fn what_is_wrong_is_named() {
        check("ad", "there is no command x ad; did you mean add?");
        check("zzzzz", "there is no command x zzzzz");
        check("add", "NAME is missing");
        check("add n --kind k", "ITEM is missing");
        check("add n i", "--kind is missing");
        check("add n i --kind", "--kind needs a value: KIND");
        check("add n i --kind --fast", "--kind needs a value: KIND");
        check("add n i --kind a --kind b", "--kind was given twice");
        check("add n i --fast=yes --kind k", "--fast takes no value");
        check("add n i --knd k", "x add has no option --knd; did you mean --kind?");
        check("list all", "\"all\" is one argument too many");
        check("list -n", "x list has no option -n");
        check("mongodb://ann:s3cret@db/x", "there is no command x mongodb://…@db/x");
        check("list mongodb://ann:s3cret@db/x", "\"mongodb://…@db/x\" is one argument too many");
        check("list --mongodb://ann:s3cret@db/x", "x list has no option --mongodb://…@db/x");
    }
}
