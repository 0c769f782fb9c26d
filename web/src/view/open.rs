//! Opening: what is seen before anything is open, and the ways to open something.

pub mod drop;
pub mod pick;
pub mod progress;

use leptos::prelude::*;

use super::icon::{FOLDER, LOCK, drawn};
use super::modal::modal;
use crate::dom::{El, el, memo};
use crate::protocol::Source;
use crate::store::{Dialog, Phase, Store};
pub use drop::drop_anywhere;
pub use pick::{pick_directory, pick_files, pickers};
pub use progress::{failure, left_out, progress};

/// Where the sample lies.
pub const SAMPLE: &str = "sample/index.json";

/// What can be opened, and what is shown of it.
const UNDERSTOOD: [(&str, &str); 8] = [
    ("A mailbox", "Messages between agents as files, with who has seen, acknowledged and answered each."),
    ("A session", "Coordination, messages, data and reports of agents that do one job."),
    ("An orchestrator’s state", "Shared state, event log and decisions."),
    ("Documents", "Exports of messages, handoffs and contexts from a database."),
    ("Transcripts", "What coding agents log of their own sessions."),
    ("Teams", "Inboxes of agents in teams, one array each."),
    ("Any JSONL", "Lines with a time, an author or a text. Damaged ones are recovered and reported."),
    ("Archives", "A .zip or .gz of any of these."),
];

const TITLE: &str = "See who said what to whom, when, and whether it arrived";
const LEAD: &str = "Open what your agents wrote: their mailbox, a session, a log. You get their conversations, one timeline for all of them, what they reported, and what went wrong on the way.";
const PROMISE: &str = "Nothing leaves your browser. The page reads what you open where it is, and its policy forbids it to send anything anywhere.";
const FILES: &str =
    ".jsonl, .json, .log, .txt, .md, .gz, .zip. A directory can be followed: new messages appear as they are written.";

/// Draws the empty page.
pub fn open_page() -> El {
    let store = Store::of_page();
    let linked = memo(move || match store.phase.with(|phase| matches!(phase, Phase::Stopped { .. })) {
        // The place is one in what was open.
        true => String::new(),
        false => store.place.with(|place| place.source.clone()),
    });
    let reading = progress(store);
    let header = el("header")
        .with(el("p").class("wordmark").text("Huddle"))
        .with(el("h1").text(TITLE))
        .with(el("p").class("lead").text(LEAD));
    let understood = UNDERSTOOD.iter().map(|(what, shown)| {
        let what = el("dt").text(what);
        el("div").with(what).with(el("dd").text(shown))
    });
    let understood = el("section")
        .attr("aria-labelledby", "understood")
        .with(el("h2").attr("id", "understood").text("What it understands"))
        .with(el("dl").class("understands").all(understood));
    let body = el("div")
        .class("welcome-body")
        .with(header)
        .live_one(move || link(&linked.get()))
        .live_one(failure(store))
        .live_one(move || reading().or_else(|| Some(ways(store))))
        .with(el("p").class("promise").with(drawn(LOCK)).with(el("span").text(PROMISE)))
        .with(understood);
    el("main").class("welcome").with(body)
}

/// Draws what a link was made for.
fn link(source: &str) -> Option<El> {
    let short: String = source.chars().take(8).collect();
    (!short.is_empty()).then(|| {
        let hint = el("p").class("hint").attr("role", "status").text("This link leads into ");
        hint.with(el("code").text(&short)).text(": open your copy of it to go there.")
    })
}

/// Draws the ways to open something.
fn ways(store: Store) -> El {
    let way = |class: &str, name: &str| el("button").class(class).text(name);
    let sample = move || store.open(Source::Address(SAMPLE.to_owned()), js_sys::Array::new());
    let ways = el("div")
        .class("ways")
        .with(way("button main-button", "Open a directory").press(move || pick_directory(store)))
        .with(way("button", "Open files").press(pick_files))
        .with(way("button", "See a sample").press(sample));
    el("div")
        .class("drop-zone")
        .with(drawn(FOLDER))
        .with(el("p").class("large").text("Drop a directory or files anywhere on this page"))
        .with(ways)
        .with(el("p").text(FILES))
}

/// Draws the ways to open something else.
pub fn open_dialog() -> El {
    let body = el("div").class("over-body").with(ways(Store::of_page()));
    modal(Dialog::Open, "Open something else", "", false, vec![body])
}
