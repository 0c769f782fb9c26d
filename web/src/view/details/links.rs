//! What the selected message has to do with others: what it answers, what answered and what crossed it, and its
//! conversation as a small tree.

use crate::dom::{El, el};
use crate::format;
use crate::protocol::{Details, Line};
use crate::store::Store;
use crate::view::conversation::row::{agent, found};
use huddle_web_model::list::words;

/// Draws the other messages.
pub(super) fn links(store: Store, details: &Details) -> Vec<El> {
    let group = |title: &str, lines: &[Line]| {
        let items = lines.iter().map(|line| el("li").with(link(store, line, false)));
        (!lines.is_empty()).then(|| el("section").with(el("h3").text(title)).with(el("ul").class("links").all(items)))
    };
    let groups = [
        group("Answers", details.answers.as_slice()),
        group("Answered by", &details.answered_by),
        group("Crossed", &details.crossed),
        tree(store, details),
    ];
    groups.into_iter().flatten().collect()
}

fn tree(store: Store, details: &Details) -> Option<El> {
    if details.conversation.len() < 2 {
        return None;
    }
    let count = format::count(details.conversation_count.into(), "message");
    let shown = details.conversation.len() as u64;
    let part = (shown < u64::from(details.conversation_count))
        .then(|| el("p").class("quiet").text(&format!("The {} around this one.", format::number(shown))));
    let item = |line: &Line| {
        let class = format!("depth-{}", line.depth.min(6));
        el("li").class(&class).with(link(store, line, line.key == details.line.key))
    };
    let about = el("span").class("quiet").text(&format!("{} · {count}", details.thread));
    let title = el("h3").text("Conversation ").with(about);
    let items = el("ol").class("links tree").all(details.conversation.iter().map(item));
    Some(el("section").with(title).maybe(part).with(items))
}

/// Draws a message as a way to it.
fn link(store: Store, line: &Line, current: bool) -> El {
    let key = line.key.clone();
    el("button")
        .attr("type", "button")
        .class("line")
        .attr_if("aria-current", current.then_some("true"))
        .press(move || store.select(key.clone()))
        .with(el("i").attr("aria-hidden", "true").text(words::shape(&line.class)))
        .with(agent(store, &line.from))
        .with(el("span").class("subject").text(&line.subject))
        .maybe(found(line.hit))
        .with(el("time").text(&line.at.map(format::clock).unwrap_or_default()))
}
