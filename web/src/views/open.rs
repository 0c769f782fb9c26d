//! Opening: what is seen before anything is open, and the ways to open something.

pub mod drop;
pub mod pick;
pub mod progress;

use leptos::prelude::*;

use crate::components::icon::{FOLDER, Icon, LOCK};
use crate::components::modal::Modal;
use crate::protocol::Source;
use crate::state::{DatasetState, Dialog, Phase, RouteState, use_store};
pub use drop::DropTarget;
pub use pick::{Pickers, pick_directory, pick_files};
pub use progress::{Failure, LeftOut, Progress};

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

/// Shows the page with nothing open.
#[component]
pub fn OpenPage() -> impl IntoView {
    let dataset = use_store::<DatasetState>();
    let loading = Memo::new(move |_| dataset.phase.with(|phase| matches!(phase, Phase::Loading { .. })));
    let understood = UNDERSTOOD.map(|(what, shown)| view! { <div><dt>{what}</dt><dd>{shown}</dd></div> });
    view! {
        <main class="welcome">
            <div class="welcome-body">
                <header>
                    <p class="wordmark">"Huddle"</p>
                    <h1>{TITLE}</h1>
                    <p class="lead">{LEAD}</p>
                </header>
                <LinkHint />
                <Failure />
                <Show when=move || loading.get() fallback=|| view! { <Ways /> }>
                    <Progress />
                </Show>
                <p class="promise">
                    <Icon path=LOCK />
                    <span>{PROMISE}</span>
                </p>
                <section aria-labelledby="understood">
                    <h2 id="understood">"What it understands"</h2>
                    <dl class="understands">{understood.collect_view()}</dl>
                </section>
            </div>
        </main>
    }
}

/// Names what a link was made for.
#[component]
fn LinkHint() -> impl IntoView {
    let (dataset, route) = (use_store::<DatasetState>(), use_store::<RouteState>());
    let linked = Memo::new(move |_| match dataset.phase.with(|phase| matches!(phase, Phase::Stopped { .. })) {
        // The route is one in what was open.
        true => String::new(),
        false => route.route.with(|route| route.source.chars().take(8).collect()),
    });
    view! {
        <Show when=move || linked.with(|linked| !linked.is_empty())>
            <p class="hint" role="status">
                "This link leads into "
                <code>{linked}</code>
                ": open your copy of it to go there."
            </p>
        </Show>
    }
}

/// Offers the ways to open something.
#[component]
fn Ways() -> impl IntoView {
    let dataset = use_store::<DatasetState>();
    let sample = move |_| dataset.open(Source::Address(SAMPLE.to_owned()), js_sys::Array::new());
    view! {
        <div class="drop-zone">
            <Icon path=FOLDER />
            <p class="large">"Drop a directory or files anywhere on this page"</p>
            <div class="ways">
                <button class="button main-button" on:click=move |_| pick_directory(dataset)>"Open a directory"</button>
                <button class="button" on:click=|_| pick_files()>"Open files"</button>
                <button class="button" on:click=sample>"See a sample"</button>
            </div>
            <p>{FILES}</p>
        </div>
    }
}

/// Offers the ways to open something else.
#[component]
pub fn OpenDialog() -> impl IntoView {
    view! {
        <Modal dialog=Dialog::Open title="Open something else">
            <div class="over-body"><Ways /></div>
        </Modal>
    }
}
