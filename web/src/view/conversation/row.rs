//! One row of the list: a message, or the head of a conversation.

use std::sync::Arc;

use leptos::prelude::*;

use super::reel::{Reel, pixels};
use crate::dom::{El, el, memo};
use crate::format;
use crate::protocol::{Head, Key, Line, Row};
use crate::store::Store;
use crate::view::body::body;
use huddle_web_model::list::pages::Slot;
use huddle_web_model::list::words;

/// From this depth on, answers are not moved in any further.
const DEEPEST: u32 = 6;

/// Draws a row.
pub(super) fn row(reel: Reel, slot: &Slot) -> El {
    match slot.row.as_deref() {
        None => waiting(reel, slot.index),
        Some(Row::Head(it)) => head(reel, slot.index, it),
        Some(Row::Said(it)) => said(reel, slot, it),
    }
}

/// Holds the place of a row that is on its way.
fn waiting(reel: Reel, index: u32) -> El {
    let height = reel.kept(|kept| kept.heights.expected());
    let row = el("div").class("row waiting").attr("data-index", &index.to_string()).attr("aria-hidden", "true");
    row.style("height", &pixels(height))
}

/// Begins a row that is heard as one of so many.
fn article(reel: Reel, index: u32, class: &str, spoken: &str) -> El {
    el("article")
        .class(class)
        .attr("data-index", &index.to_string())
        .attr("tabindex", "-1")
        .attr("aria-posinset", &(index + 1).to_string())
        .live_attr("aria-setsize", move || Some(reel.total.get().unwrap_or_default().to_string()))
        .attr("aria-label", spoken)
}

fn head(reel: Reel, index: u32, head: &Head) -> El {
    let mark = |count: u32, class: &str, what: &str| {
        (count > 0).then(|| el("span").class(&format!("mark {class}")).text(&format!("{count} {what}")))
    };
    let title = |class: &str| el("h3").class(class).text(words::title(head));
    let row = |class: &str| article(reel, index, class, &words::spoken_head(head)).attr("data-first", &head.first);
    // Of one message, its own row says all: there is only a line between it and what is above.
    if head.count == 1 {
        return row("row head single").with(title("unseen"));
    }
    let start = head.start.map(|at| format::moment(at).get(..16).unwrap_or_default().to_owned()).unwrap_or_default();
    let marks = el("span").class("marks").maybe(mark(head.hits, "hits", "found"));
    row("row head")
        .with(title("title"))
        .with(el("span").class("people").all(people(reel.store, &head.participants)))
        .with(el("span").class("sum").text(&format!("{start} · {}", words::sum(head))))
        .with(marks.maybe(mark(head.unanswered, "unanswered", "unanswered")))
}

fn people(store: Store, names: &[String]) -> Vec<El> {
    let more = names.len().saturating_sub(6);
    let mut people: Vec<El> = names.iter().take(6).map(|name| agent(store, name)).collect();
    if more > 0 {
        people.push(el("span").class("quiet").text(&format!("and {more} more")));
    }
    people
}

/// Draws an agent's name.
pub(crate) fn agent(store: Store, name: &str) -> El {
    el("span").class(&format!("agent hue-{}", store.hue(name))).text(name)
}

fn said(reel: Reel, slot: &Slot, line: &Line) -> El {
    let (key, whole, selected) = (line.key.clone(), line.key.clone(), reel.selected);
    let current = move || selected.with(|selected| selected.as_ref() == Some(&key)).then(|| "true".to_owned());
    let key = line.key.clone();
    let is_open = memo(move || reel.open.with(|open| open.contains(&key)));
    let day = slot.new_day.then(|| line.at.map(format::day)).flatten();
    let mut class = format!("row said depth-{} is-{}", line.depth.min(DEEPEST), line.class);
    if line.hit {
        class.push_str(" hit");
    }
    if slot.apart {
        class.push_str(" apart");
    }
    if day.is_some() {
        class.push_str(" new-day");
    }
    // What has no subject is known by its beginning: that stands in both lines, once.
    let (subject, preview) = match words::begins(line) {
        true => (el("span").class("subject two").text(&line.preview), None),
        false => {
            let short = words::is_short(line);
            let preview = (!line.preview.is_empty())
                .then(|| el(if short { "span" } else { "div" }).class("preview").text(&line.preview));
            let subject = el("span").class("subject").text(&line.subject);
            if short { (subject.text(" ").maybe(preview), None) } else { (subject, preview) }
        }
    };
    article(reel, slot.index, &class, &words::spoken(line))
        .attr("data-key", &line.key)
        .live_class("is-open", move || is_open.get())
        .live_attr("aria-current", current)
        .maybe(day.map(|day| el("div").class("day").text(&day)))
        .with(first_line(reel, line, is_open, subject))
        .maybe(preview)
        .live_one(move || is_open.get().then(|| opened(reel, &whole)).flatten())
}

fn first_line(reel: Reel, line: &Line, is_open: Memo<bool>, subject: El) -> El {
    let fold = el("button")
        .class("fold")
        .attr("type", "button")
        .attr("tabindex", "-1")
        .attr("aria-label", "What it says")
        .live_attr("aria-expanded", move || Some(is_open.get().to_string()));
    let at = line.at.map(format::clock).unwrap_or_default();
    let gap = el("span").class("gap").text(&words::gap(line.gap));
    el("div")
        .class("line")
        .with(fold)
        .with(el("span").class("when").with(el("time").text(&at)).with(gap))
        .with(el("span").class("who").all(who(reel.store, line)))
        .all(kind(line))
        .with(subject)
        .with(el("span").class("marks").all(marks(line)))
}

/// Draws from whom to whom.
pub(crate) fn who(store: Store, line: &Line) -> Vec<El> {
    let mut people = Vec::new();
    if !line.from.is_empty() {
        people.push(agent(store, &line.from));
    }
    let names: Vec<&str> = words::names(&line.to).collect();
    if !names.is_empty() {
        people.push(el("span").class("arrow").attr("aria-label", "to").attr("role", "img").text("→"));
    }
    people.extend(names.iter().take(3).map(|name| agent(store, name)));
    if names.len() > 3 {
        people.push(el("span").class("quiet").text(&format!("+{}", names.len() - 3)));
    }
    people
}

/// Draws what kind of message it is, how much it matters, and how urgent it is.
pub(crate) fn kind(line: &Line) -> Vec<El> {
    let shaped = |class: &str, shape: &str, word: &str| {
        el("span").class(class).with(el("i").attr("aria-hidden", "true").text(shape)).text(word)
    };
    let mut kinds = Vec::new();
    if !line.kind.is_empty() {
        kinds.push(shaped(&format!("kind is-{}", line.class), words::shape(&line.class), &line.kind));
    }
    if let Some(shape) = words::severity(&line.severity) {
        kinds.push(shaped(&format!("severity {}", line.severity), shape, &line.severity));
    }
    if let Some(priority) = words::priority(&line.priority) {
        kinds.push(el("span").class("priority").text(&format!("{priority} priority")));
    }
    kinds
}

/// Draws what became of it.
pub(crate) fn marks(line: &Line) -> Vec<El> {
    let mark =
        |(name, meaning): (&str, &str)| el("span").class(&format!("mark {name}")).attr("title", meaning).text(name);
    words::marks(line).into_iter().map(mark).collect()
}

/// Draws that the query finds something, where that is not to be seen by its colour.
pub(crate) fn found(hit: bool) -> Option<El> {
    hit.then(|| el("span").class("is-found").text("found"))
}

/// Draws what a message says, in place.
fn opened(reel: Reel, key: &Key) -> Option<El> {
    let said = reel.kept(|kept| kept.open.iter().find(|(known, _)| known == key).map(|(_, said)| Arc::clone(said)))?;
    Some(el("div").class("opened").with(body(&said)))
}
