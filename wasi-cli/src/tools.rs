//! Tools: the commands that agents use all day, under the names and with the parameters that programs call them by.
//!
//! The arguments of a call become a request; the table says what a tool takes and which request that is. MCP offers the tools to models, the flat world of the component offers them to plugin hosts.

mod arguments;
mod schema;
mod table;

pub(crate) use schema::listing;
pub(crate) use table::TOOLS;

use huddle_api::{InitBus, Project, Request, document};
use huddle_core::model::{Diagnostic, ErrorKind, Json, JsonMap, Span};
use huddle_core::wire::answer;

#[cfg(all(not(feature = "tools"), any(test, all(target_os = "wasi", target_env = "p2"))))]
pub(crate) use self::arguments::request;
pub(crate) use self::arguments::{Fault, Parse};

use crate::failure::{Failure, Told, exit_code};
use crate::files::Files;
use crate::global::Global;
use crate::remedy::Face;
use crate::sources::ProjectHistories;

/// One tool.
#[derive(Debug)]
pub(crate) struct Tool {
    /// What it is called.
    pub(crate) name: &'static str,
    /// What it does, for a model to choose by.
    about: &'static str,
    /// What it changes.
    effect: Effect,
    /// The requests that it stands for, each with its action. With several, `action` says which is meant.
    requests: &'static [(&'static str, Parse)],
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
    let parsed = tool.parser(arguments).and_then(|parse| {
        let fault = |fault| match fault {
            Fault::Unknown(argument) => tool.unknown(&argument),
            fault => tool.wrong(&fault.to_string()),
        };
        parse(tool.arguments(arguments)?).map_err(fault)
    });
    let mut request = parsed.map_err(|failure| failed(&failure))?;
    if let Request::Ask(ask) = &mut request {
        let usual = || project.state.settings().value.timeout.min(Span::from_seconds(table::ASKING.into()));
        ask.timeout.get_or_insert_with(usual);
    }
    execute(project, global, request)
}

/// Executes a request.
pub(crate) fn execute(project: &Project<'_>, global: &Global, request: Request) -> Result<Json, Json> {
    let files = Files::of(global);
    let histories = ProjectHistories::new(project, global);
    let mut context = global.context(project, &files).with_histories(&histories);
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
        self.requests.iter().map(|(action, _)| *action).collect()
    }

    /// Chooses the request that a call means.
    fn parser(&self, arguments: &JsonMap) -> Result<Parse, Failure> {
        let Some(action) = arguments.get("action") else { return Ok(self.requests[0].1) };
        let chosen = self.requests.iter().find(|(word, _)| action.as_str() == Some(*word));
        chosen.map(|(_, parse)| *parse).ok_or_else(|| self.wrong(&format!("{} cannot do {action}", self.name)))
    }

    /// Returns the arguments of a request; each is what the tool's parameter has to be.
    fn arguments(&self, arguments: &JsonMap) -> Result<JsonMap, Failure> {
        let given = arguments.iter().filter(|(name, value)| *name != "action" && !value.is_null());
        let given: JsonMap = given
            .map(|(name, value)| {
                let param = self.takes.iter().find(|param| param.name == name).ok_or_else(|| self.unknown(name))?;
                let value = param.value(value).map_err(|fault| self.wrong(&format!("{name:?} {fault}")))?;
                Ok((name.clone(), value))
            })
            .collect::<Result<_, Failure>>()?;
        match self.takes.iter().find(|param| param.needed && !given.contains_key(param.name)) {
            Some(missing) => Err(self.wrong(&format!("{:?} is missing", missing.name))),
            None => Ok(given),
        }
    }

    fn unknown(&self, argument: &str) -> Failure {
        self.wrong(&format!("{} takes no {argument:?} here", self.name))
    }

    fn wrong(&self, message: &str) -> Failure {
        let takes: Vec<_> = self.takes.iter().map(|param| param.name).collect();
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
