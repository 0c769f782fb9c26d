//! Keys: what each does, and the list of them.

pub mod run;
pub use huddle_web_model::commands as table;

use super::modal::modal;
use crate::dom::{El, el};
use crate::store::Dialog;
use table::{GROUPS, OF_VIEWS};

/// How to search, in examples.
const LANGUAGE: [(&str, &str); 11] = [
    ("deploy fail*", "both in one of its texts; * stands for any characters"),
    ("\"not yet\"", "exactly this"),
    ("/time-?out/i", "a regular expression; i ignores case"),
    ("from:ann", "who said it; as well to: type: severity: thread: priority:"),
    ("from:\"agent x\"", "a value with spaces; from:\"\" where nobody is named"),
    ("file:logs/2025", "in the path of its file"),
    ("after:2025-01-23T10:00", "from then on; as well before:"),
    ("is:unread", "as well unanswered, overdue, crossed, damaged"),
    ("has:artifact", "names a file"),
    ("-from:ann", "not from her"),
    ("(a OR b) c", "a or b, and c"),
];

/// Writes a key as it stands on the keyboard.
pub fn cap(key: &str) -> &str {
    match key {
        "Escape" => "Esc",
        key => key,
    }
}

/// Draws the list of keys.
pub fn keys_dialog() -> El {
    let mut list = el("div").class("key-list");
    for (name, entries) in GROUPS {
        let keyed = entries.iter().filter(|entry| !entry.keys.is_empty());
        list = list.with(group(name, keyed.map(|entry| line(entry.keys, entry.name)).collect()));
    }
    list = list.with(group("In the views", OF_VIEWS.iter().map(|(keys, name)| line(keys, name)).collect()));
    let mut examples = el("tbody");
    for (written, means) in LANGUAGE {
        let written = el("th").attr("scope", "row").with(el("code").text(written));
        examples = examples.with(el("tr").with(written).with(el("td").text(means)));
    }
    let language = el("div").class("language").with(el("h3").text("Searching")).with(el("table").with(examples));
    let body = el("div").class("over-body").attr("tabindex", "0").with(list).with(language);
    modal(Dialog::Keys, "Keys", "wide", false, vec![body])
}

fn group(name: &str, lines: Vec<El>) -> El {
    el("section").with(el("h3").text(name)).with(el("dl").all(lines))
}

fn line(keys: &[&str], name: &str) -> El {
    let mut caps = el("dd");
    for key in keys {
        caps = caps.with(el("kbd").text(cap(key)));
    }
    el("div").with(el("dt").text(name)).with(caps)
}
