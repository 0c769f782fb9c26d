//! Tools: the commands that agents use all day, under the names and with the parameters that programs call them by.
//!
//! A tool call is a command with `--json`: it has the command's rules, its answer and its errors. The table says only what
//! is called what. MCP offers the tools to models, the flat world of the component offers them to plugin hosts.

mod schema;
mod table;

pub(crate) use schema::listing;
pub(crate) use table::TOOLS;

use huddle_core::bus::ErrorKind;
use huddle_core::model::{Json, JsonMap, Span};
use huddle_core::wire::answer;

use crate::args::{Args, Global, Spec, Take};
use crate::commands::HUDDLE;
use crate::failure::{Failure, Told};
use crate::project::Project;

/// One tool.
#[derive(Debug)]
pub(crate) struct Tool {
    /// What it is called.
    pub(crate) name: &'static str,
    /// What it does, for a model to choose by.
    about: &'static str,
    /// What it changes.
    effect: Effect,
    /// The commands that do it. With several, `action` says which: it is the command's last word.
    commands: &'static [&'static str],
    /// What it takes.
    takes: &'static [Param],
    /// Fields that its answer always has, each with its JSON type.
    gives: &'static [(&'static str, &'static str)],
}

/// What a tool changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Nothing.
    Reads,
    /// Something, but nothing more when it is called again.
    Settles,
    /// Something, each time.
    Adds,
}

/// A parameter of a tool.
#[derive(Debug)]
struct Param {
    /// What programs call it.
    name: &'static str,
    /// What it has to be.
    kind: Shape,
    /// What it is for; empty when its name says it.
    about: &'static str,
    /// What the command calls it.
    take: &'static str,
    /// Whether every call needs it.
    needed: bool,
}

/// What a parameter has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Text,
    /// One of some words, separated by `|`.
    Word(&'static str),
    /// A whole number.
    Number,
    /// Seconds to wait; more than so many are taken for so many.
    Seconds(u32),
    Truth,
    Texts,
    /// Text, which may be JSON; other JSON is taken, too, as models are not strict about it.
    Content,
    /// Text, or any other JSON.
    Any,
}

/// Calls a tool and gives its answer, one JSON object: the command's answer, or else its failure.
pub(crate) fn call(project: &Project<'_>, global: &Global, name: &str, arguments: &JsonMap) -> Result<String, String> {
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
        let known: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
        return Err(failed(&Failure::new(ErrorKind::Usage, format!("there is no tool {name:?}"), known.join(", "))));
    };
    // Nobody has to know that a bus is made once: whoever comes first makes it.
    if name == "register" {
        run(project, global, "init", Vec::new())?;
    }
    let chosen = tool.command(arguments).and_then(|words| Ok((words, tool.given(find(words), arguments)?)));
    let (words, mut given) = chosen.map_err(|failure| failed(&failure))?;
    if words == "ask" && !given.iter().any(|(take, _)| *take == "timeout") {
        let usual = project.state.settings().value.timeout.min(Span::from_seconds(table::ASKING.into()));
        given.push(("timeout", format!("{}ms", usual.millis())));
    }
    run(project, global, words, given)
}

/// Runs a command with what was given to it, each under the command's own name for it, and gives its answer.
pub(crate) fn run(
    project: &Project<'_>,
    global: &Global,
    words: &str,
    given: Vec<(&'static str, String)>,
) -> Result<String, String> {
    let args = args(find(words), global, given).map_err(|failure| failed(&failure))?;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let global = Global { json: true, ..global.clone() };
    let code = crate::follow(project, &args, &global, None, &mut out, &mut err);
    let said = String::from_utf8_lossy(out.trim_ascii_end()).into_owned();
    if code == 0 { Ok(said) } else { Err(said) }
}

/// Takes what a command was given by a program.
pub(crate) fn args(
    spec: &'static Spec,
    global: &Global,
    mut given: Vec<(&'static str, String)>,
) -> Result<Args, Failure> {
    // Whoever reports or logs does so for itself, unless it says otherwise.
    let is_needed = spec.takes.iter().any(|take| take.name == "AGENT" && take.is_needed());
    if is_needed && !given.iter().any(|(take, _)| *take == "AGENT") {
        let me = global.agent.clone().ok_or_else(nobody)?;
        given.push(("AGENT", me));
    }
    Args::complete(spec, given)
}

/// Says that nobody knows who is calling.
fn nobody() -> Failure {
    Failure::new(
        ErrorKind::Usage,
        "this command needs to know which agent is acting",
        "register first: say who you are",
    )
}

/// Finds a command by its words.
pub(crate) fn find(words: &str) -> &'static Spec {
    let step = |spec: &'static Spec, word| spec.commands.iter().find(|command| command.word() == word).unwrap_or(spec);
    words.split(' ').fold(&HUDDLE, step)
}

/// Writes a failure as commands do.
pub(crate) fn failed(Told { kind, message, hint, .. }: &Told) -> String {
    answer::failure(*kind, message, hint).to_string()
}

impl Tool {
    /// Says whether it takes something under a name.
    #[cfg(all(test, feature = "tools"))]
    pub(crate) fn takes(&self, name: &str) -> bool {
        self.params().any(|param| param == name)
    }

    /// Names what it takes.
    #[cfg(all(test, feature = "tools"))]
    pub(crate) fn params(&self) -> impl Iterator<Item = &'static str> {
        self.takes.iter().map(|param| param.name)
    }

    /// Lists what `action` can be: the last words of the commands.
    pub(crate) fn actions(&self) -> impl Iterator<Item = &'static str> {
        self.commands.iter().filter_map(|words| words.split(' ').next_back())
    }

    /// Chooses the command that a call means.
    fn command(&self, arguments: &JsonMap) -> Result<&'static str, Failure> {
        let Some(action) = arguments.get("action") else {
            return Ok(self.commands[0]);
        };
        let chosen = self.actions().position(|word| action.as_str() == Some(word));
        chosen.map(|place| self.commands[place]).ok_or_else(|| self.wrong(&format!("{} cannot do {action}", self.name)))
    }

    /// Gives each argument the name that the command has for it.
    fn given(&self, spec: &Spec, arguments: &JsonMap) -> Result<Vec<(&'static str, String)>, Failure> {
        let mut given = Vec::new();
        for (name, value) in arguments.iter().filter(|(name, value)| *name != "action" && !value.is_null()) {
            // Commands of one tool may have different names for the same thing.
            let is_taken = |param: &&Param| spec.takes.iter().any(|take| take.name == param.take);
            let Some(param) = self.takes.iter().filter(is_taken).find(|param| param.name == name) else {
                return Err(self.wrong(&format!("{} takes no {name:?} here", self.name)));
            };
            let values = param.values(value).map_err(|fault| self.wrong(&format!("{name:?} {fault}")))?;
            given.extend(values.into_iter().map(|value| (param.take, value)));
        }
        let is_given = |param: &Param| given.iter().any(|(take, _)| *take == param.take);
        // Of several commands, each needs something else; who acts is known without being said.
        let is_needed = |param: &Param| {
            let mut takes = spec.takes.iter().filter(|take| take.name == param.take && take.name != "AGENT");
            param.needed || takes.any(Take::is_needed)
        };
        match self.takes.iter().find(|param| is_needed(param) && !is_given(param)) {
            Some(missing) => Err(self.wrong(&format!("{:?} is missing", missing.name))),
            None => Ok(given),
        }
    }

    fn wrong(&self, message: &str) -> Failure {
        let mut takes = Vec::new();
        for param in self.takes {
            // What commands have different names for stands there once for each.
            if !takes.contains(&param.name) {
                takes.push(param.name);
            }
        }
        let actions: Vec<_> = self.actions().collect();
        let actions = match actions.len() {
            1 => String::new(),
            _ => format!("; action is one of {}", actions.join(", ")),
        };
        Failure::new(ErrorKind::Usage, message, format!("{} takes {}{actions}", self.name, takes.join(", ")))
    }
}

impl Param {
    /// Gives what the command is given for a value; a flag that is not set is not given at all.
    fn values(&self, value: &Json) -> Result<Vec<String>, String> {
        let wrong = || format!("has to be {}, not {value}", self.kind.words());
        let one = match (self.kind, value) {
            (Shape::Truth, Json::Bool(false)) => return Ok(Vec::new()),
            (Shape::Truth, Json::Bool(true)) => String::new(),
            (Shape::Text | Shape::Word(_) | Shape::Content | Shape::Any | Shape::Texts, Json::String(text)) => {
                text.clone()
            }
            (Shape::Texts, Json::Array(all)) => {
                return all.iter().map(|one| one.as_str().map(str::to_owned).ok_or_else(wrong)).collect();
            }
            (Shape::Seconds(most), Json::Number(seconds)) if seconds.as_f64() > Some(most.into()) => most.to_string(),
            (Shape::Number | Shape::Seconds(_), Json::Number(_)) | (Shape::Content | Shape::Any, _) => {
                value.to_string()
            }
            _ => return Err(wrong()),
        };
        Ok(vec![one])
    }
}

impl Shape {
    fn words(self) -> &'static str {
        match self {
            Self::Text | Self::Word(_) => "a text",
            Self::Number | Self::Seconds(_) => "a number",
            Self::Truth => "true or false",
            Self::Texts => "a list of texts",
            Self::Content | Self::Any => "JSON",
        }
    }
}

#[cfg(test)]
mod tests;
