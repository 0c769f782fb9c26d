//! Keys: what each does, and the list of them.

pub mod run;
pub mod table;

use leptos::prelude::*;

use super::modal::Modal;
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
#[component]
pub fn KeysDialog() -> impl IntoView {
    let line = |keys: &'static [&'static str], name: &'static str| {
        let caps = keys.iter().map(|key| view! { <kbd>{cap(key)}</kbd> }).collect_view();
        view! { <div><dt>{name}</dt><dd>{caps}</dd></div> }
    };
    let group = move |name: &'static str, lines: Vec<AnyView>| {
        view! { <section><h3>{name}</h3><dl>{lines}</dl></section> }.into_any()
    };
    let groups = GROUPS.map(|(name, entries)| {
        let keyed = entries.iter().filter(|entry| !entry.keys.is_empty());
        group(name, keyed.map(|entry| line(entry.keys, entry.name).into_any()).collect())
    });
    let of_views = group("In the views", OF_VIEWS.map(|(keys, name)| line(keys, name).into_any()).into());
    let language = LANGUAGE.map(|(written, means)| {
        view! { <tr><th scope="row"><code>{written}</code></th><td>{means}</td></tr> }
    });
    view! {
        <Modal this=Dialog::Keys title="Keys" class="wide">
            <div class="over-body" tabindex="0">
                <div class="key-list">{groups.into_iter().collect_view()} {of_views}</div>
                <div class="language">
                    <h3>"Searching"</h3>
                    <table><tbody>{language.into_iter().collect_view()}</tbody></table>
                </div>
            </div>
        </Modal>
    }
}
