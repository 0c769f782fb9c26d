//! `huddle mcp`: the tools for models that speak the Model Context Protocol, one JSON object a line.
//!
//! Both of the protocol's ways are spoken on the same stream: the one that begins with a handshake (up to 2025-11-25), and
//! the one in which every request says for itself which revision it means (2026-07-28). A request that makes no sense is
//! answered with an error, and the next one is read.

mod catalog;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod lines;
mod notices;
mod prompts;
mod resources;
mod rpc;
mod scan;

pub(crate) use lines::{Heard, Lines, stdin};

use huddle_core::model::{Json, JsonMap, Span};
use huddle_core::wire;

use crate::args::Global;
use crate::project::Project;
use crate::tools;
use notices::{Listener, Looks};
use rpc::{Answer, Fault, Request};
use scan::Scan;

/// How many requests one line may carry.
const MAX_BATCH: usize = 100;

/// How many bytes one line of answers may have.
const MAX_ANSWER: usize = 64 << 20;

/// A server for one client.
pub(crate) struct Server<'a> {
    project: &'a Project<'a>,
    /// What every call has; who acts is the agent that was named at the start, or the one that registered last.
    global: Global,
    listeners: Vec<Listener>,
    /// What was last seen of what they listen to.
    scan: Scan,
    /// How often the whole bus was read for them.
    #[cfg(test)]
    scans: std::cell::Cell<usize>,
}

impl<'a> Server<'a> {
    /// Makes a server for the project that a call was made in.
    pub(crate) fn new(project: &'a Project<'a>, global: Global) -> Self {
        Self {
            project,
            global,
            listeners: Vec::new(),
            scan: Scan::default(),
            #[cfg(test)]
            scans: std::cell::Cell::new(0),
        }
    }

    /// Answers lines until there are no more, and tells what changes meanwhile.
    pub(crate) fn serve(
        &mut self,
        lines: &mut dyn Lines,
        say: &mut dyn FnMut(&str) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        let host = self.project.host;
        let mut looks = Looks::new(host.now());
        loop {
            let heard = lines.next(self.has_listeners().then(|| looks.left(host.now())));
            let mut is_due = false;
            match heard {
                Heard::End => return Ok(()),
                Heard::Line(line) => self.hear(&line, say)?,
                Heard::TooLong => say(&Fault::parse("the line is too long").answer(&Json::Null))?,
                Heard::Nothing => is_due = true,
            }
            let began = host.now();
            if is_due || looks.left(began) == Span::default() {
                for notice in self.news() {
                    say(&notice)?;
                }
                looks.took(began, host.now());
            }
        }
    }

    /// Answers one line, which has one message or, in older revisions, a list of them.
    fn hear(&mut self, line: &[u8], say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> std::io::Result<()> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        match wire::parse(line) {
            Err(error) => say(&Fault::parse(&format!("not JSON: {error}")).answer(&Json::Null)),
            Ok(Json::Array(all)) if all.len() > MAX_BATCH => {
                say(&Fault::limit(&format!("a batch has at most {MAX_BATCH} requests")).answer(&Json::Null))
            }
            Ok(Json::Array(all)) if !all.is_empty() => {
                let answers = self.answer_all(&all);
                if answers.is_empty() { Ok(()) } else { say(&format!("[{}]", answers.join(","))) }
            }
            Ok(message) => self.answer(&message).map_or(Ok(()), |answer| say(&answer)),
        }
    }

    /// Answers the messages of a batch, for as long as there is room for answers.
    fn answer_all(&mut self, messages: &[Json]) -> Vec<String> {
        let (mut answers, mut size) = (Vec::new(), 0);
        for message in messages {
            let answer = match size < MAX_ANSWER {
                true => self.answer(message),
                false => Some(Fault::limit("not done: the answers before are too large").answer(&message["id"])),
            };
            size += answer.as_ref().map_or(0, String::len);
            answers.extend(answer);
        }
        answers
    }

    /// Answers one message; notifications and answers to questions that nobody asked get none.
    fn answer(&mut self, message: &Json) -> Option<String> {
        if rpc::is_answer(message) {
            return None;
        }
        let request = match Request::read(message) {
            Ok(request) => request,
            Err(fault) => return Some(fault.answer(&message["id"])),
        };
        let Some(id) = request.id else {
            if request.method == "notifications/cancelled" {
                self.listeners.retain(|listener| listener.id.as_ref() != Some(&request.params["requestId"]));
            }
            return None;
        };
        let answer = request.era().and_then(|era| {
            if request.method == "subscriptions/listen" && era.is_current() {
                return self.listen(id, request.params);
            }
            let result = self.result(&request, era.is_current())?;
            Ok(rpc::result(id, &era.finish(request.method, result)))
        });
        let answer =
            answer.and_then(|answer| if answer.len() > MAX_ANSWER { Err(too_large(&answer)) } else { Ok(answer) });
        Some(answer.unwrap_or_else(|fault| fault.answer(id)))
    }

    /// Does what a request asks for.
    fn result(&mut self, request: &Request<'_>, current: bool) -> Answer {
        let params = request.params;
        match request.method {
            "server/discover" if current => Ok(catalog::discover()),
            "initialize" if !current => Ok(catalog::initialize(params["protocolVersion"].as_str())),
            "ping" if !current => Ok("{}".to_owned()),
            "resources/subscribe" if !current => self.subscribe(text(params, "uri")?),
            "resources/unsubscribe" if !current => Ok(self.unsubscribe(text(params, "uri")?)),
            "tools/list" => Ok(format!(r#"{{"tools":{}}}"#, tools::listing())),
            "tools/call" => self.call(params),
            "resources/list" => Ok(self.resources(current)),
            "resources/templates/list" => Ok(resources::TEMPLATES.to_owned()),
            "resources/read" => self.read(text(params, "uri")?, current),
            "prompts/list" => Ok(prompts::LIST.to_owned()),
            "prompts/get" => prompts::get(text(params, "name")?, &params["arguments"]),
            method => Err(Fault::unknown(method)),
        }
    }

    /// Calls a tool. What goes wrong in it is an answer: a model reads it and does better.
    fn call(&mut self, params: &Json) -> Answer {
        let name = text(params, "name")?;
        if !tools::TOOLS.iter().any(|tool| tool.name == name) {
            return Err(Fault::params(&format!("there is no tool {name:?}")));
        }
        let none = JsonMap::new();
        let arguments = match &params["arguments"] {
            Json::Null => &none,
            Json::Object(arguments) => arguments,
            other => return Err(Fault::params(&format!("arguments have to be an object, not {other}"))),
        };
        let called = tools::call(self.project, &self.global, name, arguments);
        if let ("register", Ok(_), Some(me)) = (name, &called, arguments.get("name").and_then(Json::as_str)) {
            self.global.agent = Some(me.to_owned());
        }
        // Clients hold what is structured against the schema of answers, which a failure does not fit.
        let (said, structured, failed) = match called {
            Ok(said) => (Json::from(said.as_str()), format!(r#""structuredContent":{said},"#), false),
            Err(said) => (Json::from(said), String::new(), true),
        };
        Ok(format!(r#"{{"content":[{{"type":"text","text":{said}}}],{structured}"isError":{failed}}}"#))
    }
}

/// Refuses to send an answer that no client could take.
fn too_large(answer: &str) -> Fault {
    let size = answer.len();
    Fault::limit(&format!(
        "it was done, and the answer has {size} bytes, more than the {MAX_ANSWER} that are sent; ask for less at once"
    ))
}

/// Gives a text that a request has to have.
fn text<'j>(params: &'j Json, name: &str) -> Result<&'j str, Fault> {
    params[name].as_str().ok_or_else(|| Fault::params(&format!("{name:?} is missing or not a text")))
}

#[cfg(test)]
mod tests;
