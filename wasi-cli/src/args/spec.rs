//! What a command is called, what it takes, and what it does.

use super::{Args, GLOBAL};
use crate::call::Call;
use crate::failure::Failure;

/// One command, or a group of them.
#[derive(Debug)]
pub(crate) struct Spec {
    /// The words that call it: `huddle context create`.
    pub(crate) name: &'static str,
    /// What it does, in a line.
    pub(crate) about: &'static str,
    /// What else there is to say.
    pub(crate) more: &'static str,
    /// Arguments in their order, and options.
    pub(crate) takes: &'static [Take],
    /// What it does; a group may have none.
    pub(crate) run: Option<Run>,
    /// The commands of a group.
    pub(crate) commands: &'static [Spec],
}

type Run = fn(&Args, &mut Call<'_>) -> Result<(), Failure>;

impl Spec {
    /// Describes a command.
    pub(crate) const fn command(name: &'static str, about: &'static str, takes: &'static [Take], run: Run) -> Self {
        Self { name, about, more: "", takes, run: Some(run), commands: &[] }
    }

    /// Describes a group of commands.
    pub(crate) const fn group(name: &'static str, about: &'static str, commands: &'static [Self]) -> Self {
        Self { name, about, more: "", takes: &[], run: None, commands }
    }

    /// Adds what else there is to say.
    #[must_use]
    pub(crate) const fn more(mut self, more: &'static str) -> Self {
        self.more = more;
        self
    }

    /// Gives the last word of its name, by which its group knows it.
    pub(crate) fn word(&self) -> &'static str {
        self.name.rsplit(' ').next().unwrap_or_default()
    }

    /// Writes how it is called.
    pub(crate) fn usage(&self) -> String {
        let mut usage = format!("usage: {}", self.name);
        if !self.commands.is_empty() {
            usage += if self.run.is_some() { " [COMMAND]" } else { " COMMAND" };
        }
        for take in self.takes.iter().filter(|take| take.is_argument() || take.is_needed()) {
            usage += &format!(" {}", take.usage());
        }
        if self.takes.iter().any(|take| !take.is_argument() && !take.is_needed()) {
            usage += " [OPTION]…";
        }
        usage
    }

    /// Writes the name of something it takes as callers know it.
    pub(crate) fn shown(&self, name: &str) -> String {
        let take = self.takes.iter().chain(GLOBAL).find(|take| take.name == name);
        if take.is_some_and(Take::is_argument) { name.to_owned() } else { format!("--{name}") }
    }
}

/// Something that a command takes.
#[derive(Debug)]
pub(crate) struct Take {
    /// An argument's name in capitals, or an option's without its dashes.
    pub(crate) name: &'static str,
    /// What stands for an option's value; empty for a flag.
    pub(crate) value: &'static str,
    /// What it means.
    pub(crate) help: &'static str,
    /// How often it may be given.
    pub(crate) times: Times,
    /// What it is when it is not given.
    pub(crate) default: Option<&'static str>,
    /// The variable that gives it when the caller does not.
    pub(crate) env: Option<&'static str>,
}

/// How often something may be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Times {
    Maybe,
    Once,
    Any,
    OnceOrMore,
}

/// Takes an argument.
pub(crate) const fn must(name: &'static str, help: &'static str) -> Take {
    Take::new(name, name, help, Times::Once)
}

/// Takes an argument that may be left out.
pub(crate) const fn maybe(name: &'static str, help: &'static str) -> Take {
    Take::new(name, name, help, Times::Maybe)
}

/// Takes one or more arguments.
pub(crate) const fn many(name: &'static str, help: &'static str) -> Take {
    Take::new(name, name, help, Times::OnceOrMore)
}

/// Takes any number of arguments, none among them.
pub(crate) const fn any(name: &'static str, help: &'static str) -> Take {
    Take::new(name, name, help, Times::Any)
}

/// Takes an option with a value.
pub(crate) const fn option(name: &'static str, value: &'static str, help: &'static str) -> Take {
    Take::new(name, value, help, Times::Maybe)
}

/// Takes an option that cannot be left out.
pub(crate) const fn needed(name: &'static str, value: &'static str, help: &'static str) -> Take {
    Take::new(name, value, help, Times::Once)
}

/// Takes an option that may be given again and again.
pub(crate) const fn repeated(name: &'static str, value: &'static str, help: &'static str) -> Take {
    Take::new(name, value, help, Times::Any)
}

/// Takes an option without a value.
pub(crate) const fn flag(name: &'static str, help: &'static str) -> Take {
    Take::new(name, "", help, Times::Maybe)
}

impl Take {
    const fn new(name: &'static str, value: &'static str, help: &'static str, times: Times) -> Self {
        Self { name, value, help, times, default: None, env: None }
    }

    /// Sets what it is when it is not given.
    #[must_use]
    pub(crate) const fn default(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// Names the variable that gives it when the caller does not.
    #[must_use]
    pub(crate) const fn env(mut self, env: &'static str) -> Self {
        self.env = Some(env);
        self
    }

    /// Says whether it is known by its place rather than by its name.
    pub(crate) fn is_argument(&self) -> bool {
        self.name.starts_with(|c: char| c.is_ascii_uppercase())
    }

    /// Says whether it cannot be left out.
    pub(crate) fn is_needed(&self) -> bool {
        matches!(self.times, Times::Once | Times::OnceOrMore)
    }

    /// Says whether it may be given more than once.
    pub(crate) fn is_repeated(&self) -> bool {
        matches!(self.times, Times::Any | Times::OnceOrMore)
    }

    /// Writes it as it is given.
    pub(crate) fn usage(&self) -> String {
        let name = match (self.is_argument(), self.value) {
            (true, name) => name.to_owned(),
            (false, "") => format!("--{}", self.name),
            (false, value) => format!("--{} {value}", self.name),
        };
        let again = if self.is_repeated() { "…" } else { "" };
        if self.is_argument() && !self.is_needed() { format!("[{name}]{again}") } else { format!("{name}{again}") }
    }
}
