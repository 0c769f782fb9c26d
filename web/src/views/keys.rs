//! Keys: what each does, and the list of them.

pub mod run;
pub use huddle_web_model::commands as table;

use leptos::prelude::*;

use crate::components::modal::Modal;
use crate::state::Dialog;
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

/// Lists the keys, and how to search.
#[component]
pub fn KeysDialog() -> impl IntoView {
    let groups = GROUPS.iter().map(|(name, entries)| {
        let keyed = entries.iter().filter(|entry| !entry.keys.is_empty());
        let lines = keyed.map(|entry| view! { <Line keys=entry.keys name=entry.name /> }).collect_view();
        view! { <section><h3>{*name}</h3><dl>{lines}</dl></section> }
    });
    let groups = groups.collect_view();
    let of_views = OF_VIEWS.iter().map(|(keys, name)| view! { <Line keys=*keys name=*name /> }).collect_view();
    let examples = LANGUAGE.map(|(written, means)| {
        view! { <tr><th scope="row"><code>{written}</code></th><td>{means}</td></tr> }
    });
    view! {
        <Modal dialog=Dialog::Keys title="Keys" class="wide">
            <div class="over-body" tabindex="0">
                <div class="key-list">
                    {groups}
                    <section><h3>"In the views"</h3><dl>{of_views}</dl></section>
                </div>
                <div class="language">
                    <h3>"Searching"</h3>
                    <table><tbody>{examples.collect_view()}</tbody></table>
                </div>
            </div>
        </Modal>
    }
}

#[component]
fn Line(keys: &'static [&'static str], name: &'static str) -> impl IntoView {
    let caps = keys.iter().map(|key| view! { <kbd>{cap(key)}</kbd> }).collect_view();
    view! { <div><dt>{name}</dt><dd>{caps}</dd></div> }
}
