//! Opening: what is seen before anything is open, and the ways to open something.

pub mod drop;
pub mod pick;
pub mod progress;

use leptos::prelude::*;

use super::icon::{FOLDER, LOCK, icon};
use super::modal::Modal;
use crate::protocol::Source;
use crate::store::{Dialog, Phase, Store};
pub use drop::DropAnywhere;
pub use pick::{Pickers, pick_directory, pick_files};
pub use progress::{Failure, Progress};

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

/// Draws the empty page.
#[component]
pub fn OpenPage() -> impl IntoView {
    let store = Store::of_page();
    let linked = Memo::new(move |_| store.place.with(|place| place.source.clone()));
    let link = move || {
        let short: String = linked.get().chars().take(8).collect();
        (!short.is_empty()).then(|| {
            view! {
                <p class="hint" role="status">
                    "This link leads into " <code>{short}</code> ": open your copy of it to go there."
                </p>
            }
        })
    };
    let understood = UNDERSTOOD.map(|(what, shown)| view! { <div><dt>{what}</dt><dd>{shown}</dd></div> });
    view! {
        <main class="welcome">
            <div class="welcome-body">
                <header>
                    <p class="wordmark">"Huddle"</p>
                    <h1>"See who said what to whom, when, and whether it arrived"</h1>
                    <p class="lead">
                        "Open what your agents wrote: their mailbox, a session, a log. You get their conversations, one timeline for all of them, what they reported, and what went wrong on the way."
                    </p>
                </header>
                {link}
                <Failure/>
                {move || if loading(store) { view! { <Progress/> }.into_any() } else { view! { <Ways/> }.into_any() }}
                <p class="promise">
                    {icon(LOCK)}
                    <span>"Nothing leaves your browser. The page reads what you open where it is, and its policy forbids it to send anything anywhere."</span>
                </p>
                <section aria-labelledby="understood">
                    <h2 id="understood">"What it understands"</h2>
                    <dl class="understands">{understood.into_iter().collect_view()}</dl>
                </section>
            </div>
        </main>
    }
}

fn loading(store: Store) -> bool {
    store.phase.with(|phase| matches!(phase, Phase::Loading { .. }))
}

/// Draws the ways to open something.
#[component]
pub fn Ways() -> impl IntoView {
    let store = Store::of_page();
    let sample = move |_| store.open(Source::Address(SAMPLE.to_owned()), js_sys::Array::new());
    view! {
        <div class="drop-zone">
            {icon(FOLDER)}
            <p class="large">"Drop a directory or files anywhere on this page"</p>
            <div class="ways">
                <button class="button main-button" on:click=move |_| pick_directory(store)>"Open a directory"</button>
                <button class="button" on:click=move |_| pick_files()>"Open files"</button>
                <button class="button" on:click=sample>"See a sample"</button>
            </div>
            <p>".jsonl, .json, .log, .txt, .md, .gz, .zip. A directory can be followed: new messages appear as they are written."</p>
        </div>
    }
}

/// Draws the ways to open something else.
#[component]
pub fn OpenDialog() -> impl IntoView {
    view! {
        <Modal this=Dialog::Open title="Open something else">
            <div class="over-body"><Ways/></div>
        </Modal>
    }
}
