//! Tools: the commands that agents use all day, under the names and with the parameters that programs call them by.
//!
//! The arguments of a call become a request; the table says what a tool takes and which request that is. MCP offers the tools to models, the flat world of the component offers them to plugin hosts.

mod arguments;
mod schema;
mod table;

pub(crate) use schema::listing;
pub(crate) use table::TOOLS;

use std::io;

use huddle_api::{Context, InitBus, Project, Request, document};
use huddle_core::model::{Diagnostic, ErrorKind, Json, JsonMap, Span};
use huddle_core::wire::answer;

use self::arguments::Fault;
use self::arguments::Parse;

use crate::args::{Args, Global, Spec, Take};
use crate::call::Call;
use crate::commands::HUDDLE;
use crate::failure::{Failure, Told, exit_code};
use crate::files::Files;
use crate::input::Input;
use crate::output::Output;
use crate::remedy::Face;

/// One tool.
#[derive(Debug)]
pub(crate) struct Tool {
    /// What it is called.
    pub(crate) name: &'static str,
    /// What it does, for a model to choose by.
    about: &'static str,
    /// What it changes.
    effect: Effect,
    /// What it stands for.
    does: Does,
    /// What it takes.
    takes: &'static [Param],
    /// Fields that its answer always has, each with its JSON type.
    gives: &'static [(&'static str, &'static str)],
}

/// What a tool stands for. With several, `action` says which is meant.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Does {
    /// Requests, each with its action.
    Requests(&'static [(&'static str, Parse)]),
    /// Commands, whose last word is the action.
    Commands(&'static [&'static str]),
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

/// Calls a tool; the result and an error are JSON objects.
pub(crate) fn call(project: &Project<'_>, global: &Global, name: &str, arguments: &JsonMap) -> Result<Json, Json> {
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
        let known: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
        return Err(failed(&Failure::new(ErrorKind::Usage, format!("there is no tool {name:?}"), known.join(", "))));
    };
    match tool.does {
        Does::Requests(parsers) => {
            let parsed = tool.parser(parsers, arguments).and_then(|parse| {
                let fault = |fault| match fault {
                    Fault::Unknown(argument) => tool.unknown(&argument),
                    fault => tool.wrong(&fault.to_string()),
                };
                parse(tool.arguments(arguments)?).map_err(fault)
            });
            execute(project, global, parsed.map_err(|failure| failed(&failure))?)
        }
        Does::Commands(commands) => {
            let chosen =
                tool.command(commands, arguments).and_then(|words| Ok((words, tool.given(find(words), arguments)?)));
            let (words, mut given) = chosen.map_err(|failure| failed(&failure))?;
            if words == "ask" && !given.iter().any(|(take, _)| *take == "timeout") {
                let usual = project.state.settings().value.timeout.min(Span::from_seconds(table::ASKING.into()));
                given.push(("timeout", format!("{}ms", usual.millis())));
            }
            run(project, global, words, given)
        }
    }
}

/// Executes a request.
pub(crate) fn execute(project: &Project<'_>, global: &Global, request: Request) -> Result<Json, Json> {
    let mut context = Context::new(project, global.agent.clone());
    // Nobody has to know that a bus is made once: whoever comes first makes it.
    let made = match request {
        Request::Register(_) => context.execute(InitBus {}).map(drop),
        _ => Ok(()),
    };
    let result = made.and_then(|()| huddle_api::execute(&mut context, request));
    let document = result.map(|response| document(&response)).map_err(|error| {
        let failure = Failure::from(error);
        failed(&failure.out_of_reach(global).unwrap_or(failure))
    });
    let diagnostics = context.take_diagnostics();
    match document {
        Ok(document) => Ok(with_findings(document, &diagnostics)),
        Err(document) => Err(with_findings(document, &diagnostics)),
    }
}

fn with_findings(document: Json, diagnostics: &[Diagnostic]) -> Json {
    answer::with_findings(document, diagnostics, &|remedy| Face::Tools.hint(remedy))
}

/// Runs a command with what was given to it, each under the command's own name for it, and gives its answer.
pub(crate) fn run(
    project: &Project<'_>,
    global: &Global,
    words: &str,
    given: Vec<(&'static str, String)>,
) -> Result<Json, Json> {
    let args = args(find(words), global, given).map_err(|failure| failed(&failure))?;
    let (ended, answer, diagnostics) = follow(project, &args, global, Args::run);
    ended.map(|()| with_findings(answer, &diagnostics)).map_err(|failure| with_findings(failed(&failure), &diagnostics))
}

/// Runs a command, and returns how it ended, its answer and the diagnostics. Arguments are taken literally.
pub(crate) fn follow(
    project: &Project<'_>,
    args: &Args,
    global: &Global,
    run: fn(&Args, &mut Call<'_>) -> Result<(), Failure>,
) -> (Result<(), Failure>, Json, Vec<Diagnostic>) {
    let (mut out, mut err) = (io::sink(), io::sink());
    let mut call = Call {
        project,
        context: Context::new(project, global.agent.clone()),
        usage: String::new(),
        bus: &project.bus(),
        global,
        input: Input::literal(Files::of(global)),
        output: Output::keeping(&mut out, &mut err).for_face(Face::Tools),
    };
    let ended = run(args, &mut call);
    let (answer, diagnostics) = call.output.kept();
    (ended, answer, diagnostics)
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
pub(crate) fn failed(Told { kind, message, remedy, .. }: &Told) -> Json {
    answer::failure(exit_code(*kind), *kind, message, &Face::Tools.hint(remedy))
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

    /// Lists what `action` can be.
    pub(crate) fn actions(&self) -> Vec<&'static str> {
        match self.does {
            Does::Requests(parsers) => parsers.iter().map(|(action, _)| *action).collect(),
            Does::Commands(commands) => commands.iter().filter_map(|words| words.split(' ').next_back()).collect(),
        }
    }

    /// Chooses which of the things that it can do a call means.
    fn action(&self, arguments: &JsonMap) -> Result<usize, Failure> {
        let Some(action) = arguments.get("action") else { return Ok(0) };
        let chosen = self.actions().iter().position(|word| action.as_str() == Some(word));
        chosen.ok_or_else(|| self.wrong(&format!("{} cannot do {action}", self.name)))
    }

    fn parser(&self, parsers: &[(&str, Parse)], arguments: &JsonMap) -> Result<Parse, Failure> {
        Ok(parsers[self.action(arguments)?].1)
    }

    /// Chooses the command that a call means.
    fn command(&self, commands: &[&'static str], arguments: &JsonMap) -> Result<&'static str, Failure> {
        Ok(commands[self.action(arguments)?])
    }

    /// Returns the arguments of a request; each is what the tool's parameter has to be.
    fn arguments(&self, arguments: &JsonMap) -> Result<JsonMap, Failure> {
        let given = arguments.iter().filter(|(name, value)| *name != "action" && !value.is_null());
        given
            .map(|(name, value)| {
                let param = self.takes.iter().find(|param| param.name == name).ok_or_else(|| self.unknown(name))?;
                let value = param.value(value).map_err(|fault| self.wrong(&format!("{name:?} {fault}")))?;
                Ok((name.clone(), value))
            })
            .collect()
    }

    fn unknown(&self, argument: &str) -> Failure {
        self.wrong(&format!("{} takes no {argument:?} here", self.name))
    }

    /// Gives each argument the name that the command has for it.
    fn given(&self, spec: &Spec, arguments: &JsonMap) -> Result<Vec<(&'static str, String)>, Failure> {
        let mut given = Vec::new();
        for (name, value) in arguments.iter().filter(|(name, value)| *name != "action" && !value.is_null()) {
            // Commands of one tool may have different names for the same thing.
            let is_taken = |param: &&Param| spec.takes.iter().any(|take| take.name == param.take);
            let Some(param) = self.takes.iter().filter(is_taken).find(|param| param.name == name) else {
                return Err(self.unknown(name));
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
        let actions = self.actions();
        let actions = match actions.len() {
            1 => String::new(),
            _ => format!("; action is one of {}", actions.join(", ")),
        };
        Failure::new(ErrorKind::Usage, message, format!("{} takes {}{actions}", self.name, takes.join(", ")))
    }
}

impl Param {
    /// Returns a value as a request takes it.
    fn value(&self, value: &Json) -> Result<Json, String> {
        let is_fit = match (self.kind, value) {
            (Shape::Seconds(most), Json::Number(seconds)) if seconds.as_f64() > Some(most.into()) => {
                return Ok(most.into());
            }
            (Shape::Texts, Json::String(text)) => return Ok(Json::Array(vec![text.as_str().into()])),
            (Shape::Texts, Json::Array(all)) => all.iter().all(Json::is_string),
            (Shape::Text | Shape::Word(_), value) => value.is_string(),
            (Shape::Truth, value) => value.is_boolean(),
            (Shape::Number | Shape::Seconds(_), value) => value.is_number(),
            (Shape::Content | Shape::Any, _) => true,
            (Shape::Texts, _) => false,
        };
        if is_fit { Ok(value.clone()) } else { Err(format!("has to be {}, not {value}", self.kind.words())) }
    }

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
