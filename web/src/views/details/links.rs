//! What the selected message has to do with others: what it answers, what answered and what crossed it, and its
//! conversation as a small tree.

use std::sync::Arc;

use leptos::prelude::*;

use crate::components::message::{AgentName, FoundMark};
use crate::format;
use crate::protocol::{Details, Line};
use crate::state::{SelectionState, use_store};
use huddle_web_model::list::words;

/// The other messages.
#[component]
pub fn Links(details: Arc<Details>) -> impl IntoView {
    let group = |title: &'static str, lines: Vec<Line>| {
        (!lines.is_empty()).then(|| {
            let items = lines.into_iter().map(|line| view! { <li><Link line current=false /></li> }).collect_view();
            view! { <section><h3>{title}</h3><ul class="links">{items}</ul></section> }
        })
    };
    view! {
        {group("Answers", details.answers.iter().cloned().collect())}
        {group("Answered by", details.answered_by.clone())}
        {group("Crossed", details.crossed.clone())}
        <Tree details />
    }
}

/// The conversation, or the part around the message.
#[component]
fn Tree(details: Arc<Details>) -> impl IntoView {
    let shown = details.conversation.len() as u64;
    let part = (shown < u64::from(details.conversation_count))
        .then(|| view! { <p class="quiet">{format!("The {} around this one.", format::number(shown))}</p> });
    let item = |line: Line| {
        let current = line.key == details.line.key;
        let class = format!("depth-{}", line.depth.min(6));
        view! { <li class=class><Link line current /></li> }
    };
    let about = format!("{} · {}", details.thread, format::count(details.conversation_count.into(), "message"));
    let items = details.conversation.iter().cloned().map(item).collect_view();
    (shown >= 2).then(|| {
        view! {
            <section>
                <h3>"Conversation " <span class="quiet">{about}</span></h3>
                {part}
                <ol class="links tree">{items}</ol>
            </section>
        }
    })
}

/// A message as a way to it.
#[component]
fn Link(line: Line, current: bool) -> impl IntoView {
    let selection: SelectionState = use_store();
    let key = line.key.clone();
    view! {
        <button
            type="button"
            class="line"
            aria-current=current.then_some("true")
            on:click=move |_| selection.select(key.clone())
        >
            <i aria-hidden="true">{words::shape(&line.class)}</i>
            <AgentName name=line.from.clone() />
            <span class="subject">{line.subject.clone()}</span>
            <FoundMark hit=line.hit />
            <time>{line.at.map(format::clock).unwrap_or_default()}</time>
        </button>
    }
}
