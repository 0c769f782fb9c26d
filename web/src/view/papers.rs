//! What the views of agents, reports, shared things and problems have in common.

pub(super) mod held;

use leptos::prelude::*;

pub use huddle_web_model::words::{Sign, name_of, place, severity, state, term, when};

use crate::dom::{El, el, memo, text};
use crate::format;
use crate::protocol::Reply;
use crate::protocol::papers::Artifact;
use crate::protocol::{Passage, Request, RequestError, Response};
use crate::store::{Dialog, Store};
use held::hold;
use huddle_web_model::route::View;

/// What draws an answer, if it is the right one.
pub type Draw = Box<dyn Fn(&Response) -> Option<Vec<El>>>;

/// Draws a view of what the worker answers, or what stands in for that. What is the same as before is not drawn again.
pub fn sheet(store: Store, view: &str, ask: Request, draw: Draw) -> El {
    let reply = store.live(move || Some(ask.clone()));
    let reply = memo(move || reply.get());
    let papers = el("div").class("papers").attr("data-view", view);
    let here = papers.clone();
    papers.live(move || {
        let reply = reply.get();
        hold(&here);
        let drawn = reply.as_deref().and_then(|reply| draw(reply.as_ref().ok()?));
        drawn.unwrap_or_else(|| vec![instead(reply.as_deref())])
    })
}

/// Gives those that are there.
pub fn there(parts: Vec<Option<El>>) -> Vec<El> {
    parts.into_iter().flatten().collect()
}

/// Draws what stands in for an answer that is none: it has not come yet, or it could not be given.
fn instead(reply: Option<&Reply>) -> El {
    match reply {
        Some(Err(RequestError::Failed(why))) => empty("This cannot be shown.", why),
        _ => el("p").class("papers-wait").attr("role", "status").text("Looking…"),
    }
}

/// Draws what stands where nothing is: that there is nothing, and what would be here.
pub fn empty(what: &str, would: &str) -> El {
    let what = el("p").class("papers-none").text(what);
    el("div").class("papers-empty").with(what).with(el("p").text(would))
}

/// Begins a part with a heading, and how many things stand below it.
pub fn paper(title: &str, many: Option<usize>) -> El {
    let heading = el("h2").text(title);
    let heading = match many {
        Some(many) => heading.text(" ").with(counted(many)),
        None => heading,
    };
    el("section").class("paper").with(heading)
}

/// Draws how many things there are.
pub fn counted(many: usize) -> El {
    el("span").class("papers-count").text(&format::number(many as u64))
}

/// Draws words that matter less.
pub fn quiet(words: &str) -> El {
    el("span").class("quiet").text(words)
}

/// Begins a button.
pub fn button(class: &str, act: impl Fn() + 'static) -> El {
    el("button").attr("type", "button").class(class).press(act)
}

/// Draws a sign: a shape in a colour, and a word.
pub fn sign(sign: &Sign) -> El {
    shape(sign).text(&sign.word)
}

/// Begins a sign with its shape, which says the same as the words after it.
fn shape(sign: &Sign) -> El {
    let shape = el("span").class("shape").attr("aria-hidden", "true").text(sign.shape);
    el("span").class(&format!("sign tone-{}", sign.tone)).with(shape)
}

/// Draws how many things are of high, medium and low severity; those that are none are left out.
pub fn severities(counts: [u32; 3]) -> El {
    let mut drawn = el("span").class("severities");
    for (name, count) in ["high", "medium", "low"].into_iter().zip(counts) {
        if count > 0 {
            let unseen = el("span").class("unseen").text(" ").text(name);
            let many = shape(&severity(name)).attr("title", &format!("{count} {name}"));
            drawn = drawn.with(many.text(&format::number(count.into())).with(unseen));
        }
    }
    drawn
}

/// Draws an agent's name; it leads to what the agent said. Nobody has no name.
pub fn agent(store: Store, name: &str) -> Option<El> {
    if name.is_empty() {
        return None;
    }
    let query = term("from", name);
    let drawn = button(&format!("plain agent hue-{}", store.hue(name)), move || find(store, query.clone()));
    Some(drawn.attr("title", "What it said").text(name))
}

/// Draws the names of agents, with commas between them.
pub fn agents(store: Store, names: &[String]) -> Vec<El> {
    let mut drawn = Vec::new();
    for agent in names.iter().filter_map(|name| agent(store, name)) {
        if !drawn.is_empty() {
            drawn.push(text(", "));
        }
        drawn.push(agent);
    }
    drawn
}

/// Draws an agent's name that leads nowhere.
pub fn named(store: Store, name: &str) -> El {
    el("span").class(&format!("agent hue-{}", store.hue(name))).text(name)
}

/// Draws a moment: the day and the time of day, exact when it is pointed at.
pub fn time(at: Option<i64>) -> Option<El> {
    at.map(|at| {
        let exact = format::moment(at);
        let machine = exact.replace(' ', "T") + "Z";
        el("time").attr("datetime", &machine).attr("title", &format!("{exact} UTC")).text(&when(at))
    })
}

/// Draws a file that something refers to, under a name: it opens, or it is said to be missing.
pub fn artifact(store: Store, artifact: &Artifact, name: &str) -> El {
    let file = artifact.path.clone();
    let drawn = match artifact.size {
        Some(_) => button("file", move || open(store, file.clone(), 0, 0)),
        None => el("span").class("file is-missing"),
    };
    let about = match artifact.size {
        Some(size) => quiet(&format::size(size)),
        None => sign(&Sign { shape: "✕", tone: "bad", word: "missing".to_owned() }),
    };
    drawn.attr("title", &artifact.path).with(el("code").text(name)).with(about)
}

/// Draws a button that copies something as Markdown.
pub fn copy_button(store: Store, passage: Passage, what: &str) -> El {
    let label = format!("Copy {what} as Markdown");
    let drawn = button("small", move || store.copy(passage.clone()));
    drawn.attr("title", "Copy as Markdown").attr("aria-label", &label).text("Copy")
}

/// Draws a button that opens a file. Where there are several such buttons, its name says of what the file is.
pub fn file_button(store: Store, class: &str, words: &str, of: Option<&str>, file: &str) -> El {
    let (label, file) = (of.map(|of| format!("{words} of {of}")), file.to_owned());
    let drawn = button(class, move || open(store, file.clone(), 0, 0));
    drawn.attr_if("aria-label", label.as_deref()).text(words)
}

/// Draws where something is; pressing it copies it.
pub fn location(store: Store, location: &str) -> Option<El> {
    if location.is_empty() {
        return None;
    }
    let place = location.to_owned();
    let drawn = button("where", move || store.copy_text(place.clone(), "Copied where it is."));
    let copy = el("span").class("unseen").text("Copy ");
    Some(drawn.attr("title", "Copy").with(copy).with(el("code").text(location)))
}

/// Shows what a query finds, in the conversation.
pub fn find(store: Store, query: String) {
    store.go(|place| (place.view, place.query, place.only) = (View::Conversation, query, true));
}

/// Opens a part of a file over the page.
pub fn open(store: Store, path: String, offset: u64, length: u32) {
    store.dialog.set(Some(Dialog::File(path, offset, length)));
}
