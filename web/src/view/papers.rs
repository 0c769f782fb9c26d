//! What the views of agents, reports, shared things and problems have in common.

mod words;

use std::sync::Arc;

use leptos::prelude::*;

pub use words::{Sign, name_of, place, severity, state, term, when};

use crate::format;
use crate::place::View;
use crate::protocol::papers::Artifact;
use crate::protocol::{Answer, Ask, Passage};
use crate::store::{Dialog, Store};

/// Holds the newest answer; what is the same as before is not drawn again.
pub fn answer(store: Store, ask: Ask) -> Memo<Option<Arc<Answer>>> {
    let answer = store.answer(move || Some(ask.clone()));
    Memo::new(move |_| answer.get())
}

/// Draws what stands in for an answer that is none: it has not come yet, or it could not be given.
pub fn instead(answer: Option<&Answer>) -> AnyView {
    match answer {
        Some(Answer::Failed(why)) => empty("This cannot be shown.", why.clone()),
        _ => view! { <p class="papers-wait" role="status">"Looking…"</p> }.into_any(),
    }
}

/// Draws what stands where nothing is: that there is nothing, and what would be here.
pub fn empty(what: &'static str, would: impl Into<String>) -> AnyView {
    view! {
        <div class="papers-empty">
            <p class="papers-none">{what}</p>
            <p>{would.into()}</p>
        </div>
    }
    .into_any()
}

/// Draws a heading with how many things stand below it.
pub fn heading(title: &'static str, many: Option<usize>) -> AnyView {
    let many = many.map(|many| view! { " " <span class="papers-count">{format::number(many as u64)}</span> });
    view! { <h2>{title}{many}</h2> }.into_any()
}

/// Draws a sign: a shape in a colour, and a word.
pub fn sign(sign: &Sign) -> AnyView {
    view! {
        <span class=format!("sign tone-{}", sign.tone)>
            <span class="shape" aria-hidden="true">{sign.shape}</span>
            {sign.word.clone()}
        </span>
    }
    .into_any()
}

/// Draws how many things are of high, medium and low severity; those that are none are left out.
pub fn severities(counts: [u32; 3]) -> AnyView {
    let drawn = ["high", "medium", "low"].into_iter().zip(counts).filter(|(_, count)| *count > 0);
    let drawn = drawn.map(|(name, count)| {
        let sign = severity(name);
        view! {
            <span class=format!("sign tone-{}", sign.tone) title=format!("{count} {name}")>
                <span class="shape" aria-hidden="true">{sign.shape}</span>
                {format::number(count.into())}
                <span class="unseen">" "{name}</span>
            </span>
        }
    });
    view! { <span class="severities">{drawn.collect_view()}</span> }.into_any()
}

/// Draws an agent's name; it leads to what the agent said.
pub fn agent(store: Store, name: &str) -> AnyView {
    let class = format!("plain agent hue-{}", store.hue(name));
    let query = term("from", name);
    view! {
        <button type="button" class=class title="What it said" on:click=move |_| find(store, query.clone())>
            {name.to_owned()}
        </button>
    }
    .into_any()
}

/// Draws a moment: the day and the time of day, exact when it is pointed at.
pub fn time(at: Option<i64>) -> AnyView {
    let drawn = at.map(|at| {
        let machine = format::moment(at).replace(' ', "T") + "Z";
        view! { <time datetime=machine title=format!("{} UTC", format::moment(at))>{when(at)}</time> }
    });
    drawn.into_any()
}

/// Draws a file that something refers to, under a name: it opens, or it is said to be missing.
pub fn artifact(store: Store, artifact: &Artifact, name: &str) -> AnyView {
    let (path, file) = (name.to_owned(), artifact.path.clone());
    let whole = artifact.path.clone();
    match artifact.size {
        Some(size) => view! {
            <button type="button" class="file" title=whole on:click=move |_| open(store, file.clone(), 0, 0)>
                <code>{path}</code>
                <span class="quiet">{format::size(size)}</span>
            </button>
        }
        .into_any(),
        None => view! {
            <span class="file is-missing" title=whole>
                <code>{path}</code>
                <span class="sign tone-bad"><span class="shape" aria-hidden="true">"✕"</span>"missing"</span>
            </span>
        }
        .into_any(),
    }
}

/// Draws a button that copies something as Markdown.
pub fn copy_button(store: Store, passage: Passage, what: &str) -> AnyView {
    let label = format!("Copy {what} as Markdown");
    let copied = move |_| store.copy(passage.clone());
    view! { <button type="button" class="small" title="Copy as Markdown" aria-label=label on:click=copied>"Copy"</button> }
        .into_any()
}

/// Draws where something is; pressing it copies it.
pub fn location(store: Store, location: &str) -> AnyView {
    if location.is_empty() {
        return ().into_any();
    }
    let (shown, text) = (location.to_owned(), location.to_owned());
    view! {
        <button type="button" class="where" title="Copy" on:click=move |_| store.copy_text(text.clone(), "Copied where it is.")>
            <span class="unseen">"Copy "</span>
            <code>{shown}</code>
        </button>
    }
    .into_any()
}

/// Shows what a query finds, in the conversation.
pub fn find(store: Store, query: String) {
    store.go(|place| (place.view, place.query, place.only) = (View::Conversation, query, true));
}

/// Opens a part of a file over the page.
pub fn open(store: Store, path: String, offset: u64, length: u32) {
    store.dialog.set(Some(Dialog::File(path, offset, length)));
}
