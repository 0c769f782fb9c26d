//! Details: the selected message, whole.

mod actions;
mod delivery;
mod links;

use std::sync::Arc;

use leptos::prelude::*;

use crate::dom::{El, el, memo, soon, together};
use crate::format;
use crate::protocol::Details;
use crate::store::{Dialog, Store};
use crate::view::body::{body, fields};
use crate::view::conversation::row::{found, kind, marks, who};

/// Draws the details.
pub fn details_pane() -> El {
    let store = Store::of_page();
    let selected = memo(move || store.place.with(|place| place.selected.is_some()));
    // While a large file is read, what is missing may still come.
    let whole_read = memo(move || store.overview.with(|it| it.as_ref().is_some_and(|it| !it.partial)));
    let absent = memo(move || store.absent.get() && whole_read.get());
    // Equal details that come again, because there are new messages, change nothing.
    let details = memo(move || store.details.get());
    let record =
        memo(move || details.with(|it| it.as_ref().map(|it| (it.line.key.clone(), it.offset, it.raw.clone()))));
    let pane = el("div").class("details");
    let shown = pane.clone();
    pane.live_one(move || {
        Some(match record.get().and_then(|_| details.get_untracked()) {
            Some(now) => {
                from_its_beginning(shown.clone());
                whole(store, &now, details)
            }
            None if absent.get() => el("p").class("no-details").text("This message is not in what is open."),
            // What is selected is asked for: the hint would only flash by.
            None if selected.get() => el("p").class("no-details").attr("aria-busy", "true"),
            None => hint(),
        })
    })
}

/// Sees to it that another message is read from its beginning.
fn from_its_beginning(pane: El) {
    soon(move || pane.element().parent_element().into_iter().for_each(|scrolled| scrolled.set_scroll_top(0)));
}

fn hint() -> El {
    let key = |name: &str| el("kbd").text(name);
    let keys = el("p").class("quiet").with(key("j")).text(" and ").with(key("k")).text(" go from message to message, ");
    el("div")
        .class("no-details")
        .with(el("p").text("Select a message to see all of it here."))
        .with(keys.with(key("?")).text(" lists all keys."))
}

/// Draws a message. What others did to it may change while it is read, what it says does not.
fn whole(store: Store, said: &Details, details: Memo<Option<Arc<Details>>>) -> El {
    let others =
        (!said.others.is_empty()).then(|| section("Other fields", said.others.len(), vec![fields(&said.others)]));
    let changing = |host: El, draw: fn(Store, &Details) -> Vec<El>| {
        host.live(move || details.with(|details| details.as_ref().map(|it| draw(store, it))).unwrap_or_default())
    };
    let host = el("div").class("host");
    let host = changing(host, top).with(actions::actions(store, said));
    let host = host.with(el("div").class("said-whole").with(body(&said.body))).maybe(artifact(store, said));
    let host = changing(changing(host, delivery::deliveries), links::links);
    host.maybe(others).with(source(store, said)).with(raw(said))
}

fn top(store: Store, details: &Details) -> Vec<El> {
    let line = &details.line;
    let at = line.at.map(|at| el("time").text(&format!("{} UTC", format::moment(at))));
    let due = details.due.map(|due| {
        let class = if line.overdue { "due late" } else { "due" };
        el("span").class(class).text(&format!("answer due {} UTC", format::moment(due)))
    });
    let id = (!details.id.is_empty()).then(|| el("code").class("id").attr("title", "Id").text(&details.id));
    let marks = el("span").class("marks").all(marks(line)).maybe(found(line.hit));
    let about = el("p").class("about").all(kind(line)).with(marks);
    let header = el("header").with(el("h2").text(&line.subject)).with(el("p").class("who").all(who(store, line)));
    vec![header.with(about).with(el("p").class("about quiet").maybe(at).maybe(due).maybe(id))]
}

/// Draws a part that is closed at first.
fn section(title: &str, count: usize, inside: Vec<El>) -> El {
    let count = (count > 0).then(|| el("span").class("quiet").text(&format!(" {count}")));
    el("details").class("section").with(el("summary").text(title).maybe(count)).all(inside)
}

fn artifact(store: Store, details: &Details) -> Option<El> {
    let (path, there) = details.artifact.clone()?;
    let file = if there {
        path_button(store, (path, 0, 0))
    } else {
        let absent = el("span").class("quiet").text(" (not among the files)");
        together(vec![el("code").class("path").text(&path), absent])
    };
    Some(el("p").class("artifact").with(el("span").class("quiet").text("File ")).with(file))
}

/// Draws a path as a way to a part of the file.
fn path_button(store: Store, (path, offset, length): (String, u64, u32)) -> El {
    let button = el("button").attr("type", "button").class("link path").text(&path);
    button.press(move || store.dialog.set(Some(Dialog::File(path.clone(), offset, length))))
}

/// Draws where the record lies.
fn source(store: Store, details: &Details) -> El {
    let damaged = if details.line.recovered { ", damaged and recovered" } else { "" };
    let length = format::count(details.length.into(), "byte");
    let place = format!("at byte {}, {length}{damaged}", format::number(details.offset));
    let file = path_button(store, (details.file.clone(), details.offset, details.length));
    el("p").class("lies").with(file).with(el("span").class("quiet").text(&place))
}

fn raw(details: &Details) -> El {
    let cut = details.cut.then(|| el("p").class("quiet").text("There is more of it: open the file to see all."));
    let raw = el("pre").attr("tabindex", "0").attr("aria-label", "The record as it was written").text(&details.raw);
    section("Record as written", 0, std::iter::once(raw).chain(cut).collect())
}
