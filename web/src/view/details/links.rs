//! What the selected message has to do with others: what it answers, what answered and what crossed it, and its
//! conversation as a small tree.

use leptos::prelude::*;

use crate::format;
use crate::protocol::{Details, Line};
use crate::store::Store;
use crate::view::conversation::row::agent;
use crate::view::conversation::words;

/// Draws the other messages.
pub(super) fn links(store: Store, details: &Details) -> AnyView {
    let group = |title: &'static str, lines: &[Line]| {
        let lines: Vec<_> = lines.iter().map(|line| view! { <li>{link(store, line, false)}</li> }).collect();
        (!lines.is_empty()).then(|| view! { <section><h3>{title}</h3><ul class="links">{lines}</ul></section> })
    };
    view! {
        {group("Answers", details.answers.as_slice())}
        {group("Answered by", &details.answered_by)}
        {group("Crossed", &details.crossed)}
        {tree(store, details)}
    }
    .into_any()
}

fn tree(store: Store, details: &Details) -> Option<AnyView> {
    if details.conversation.len() < 2 {
        return None;
    }
    let count = format::count(details.conversation_count.into(), "message");
    let shown = details.conversation.len() as u64;
    let part = (shown < u64::from(details.conversation_count))
        .then(|| view! { <p class="quiet">{format!("The {} around this one.", format::number(shown))}</p> });
    let item = |line: &Line| {
        let class = format!("depth-{}", line.depth.min(6));
        view! { <li class=class>{link(store, line, line.key == details.line.key)}</li> }
    };
    let items: Vec<_> = details.conversation.iter().map(item).collect();
    Some(
        view! {
            <section>
                <h3>"Conversation "<span class="quiet">{details.thread.clone()}" · "{count}</span></h3>
                {part}
                <ol class="links tree">{items}</ol>
            </section>
        }
        .into_any(),
    )
}

/// Draws a message as a way to it.
fn link(store: Store, line: &Line, current: bool) -> AnyView {
    let key = line.key.clone();
    view! {
        <button type="button" class="line" aria-current=current.then_some("true") on:click=move |_| store.select(key.clone())>
            <i aria-hidden="true">{words::shape(&line.class)}</i>
            {agent(store, &line.from)}
            <span class="subject">{line.subject.clone()}</span>
            <time>{line.at.map(format::clock)}</time>
        </button>
    }
    .into_any()
}
