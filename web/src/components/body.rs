//! What a message says, as readable structure. Everything is text: nothing that is written is ever taken for markup.

use leptos::prelude::*;

use super::text::Text;
use crate::format;
use crate::protocol::Body as Said;
use huddle_web_model::body::{beginning, readable, short, sum};

/// A list of more parts than this is folded.
const PARTS: usize = 50;

/// Parts that lie deeper than this are folded.
const DEPTH: usize = 3;

/// What a message says.
#[component]
pub fn Body(said: Said) -> impl IntoView {
    match said {
        Said::Word(word) if word == "null" => view! { <span class="quiet">"nothing more"</span> }.into_any(),
        said => part(said, 0),
    }
}

/// Named parts of a message.
#[component]
pub fn Fields(fields: Vec<(String, Said)>) -> impl IntoView {
    named(fields, 0)
}

fn part(said: Said, depth: usize) -> AnyView {
    match said {
        Said::Text(text) => view! { <LongText text /> }.into_any(),
        Said::Word(word) => view! { <code class="word">{word}</code> }.into_any(),
        Said::List(parts) if parts.is_empty() => view! { <span class="quiet">"an empty list"</span> }.into_any(),
        Said::Fields(parts) if parts.is_empty() => view! { <span class="quiet">"nothing"</span> }.into_any(),
        Said::List(_) | Said::Fields(_) if depth > DEPTH => {
            let summary = sum(&said);
            view! { <Folded summary said /> }.into_any()
        }
        Said::List(parts) => list(parts, depth),
        Said::Fields(parts) => named(parts, depth),
    }
}

/// A part that the reader has to open; what is in it is made only then, and stays.
#[component]
fn Folded(summary: String, said: Said) -> impl IntoView {
    let open = RwSignal::new(false);
    let said = StoredValue::new(said);
    view! {
        <details class="deep" on:toggle=move |_| if !open.get_untracked() { open.set(true) }>
            <summary>{summary}</summary>
            {move || open.get().then(|| part(said.get_value(), 0))}
        </details>
    }
}

fn list(mut parts: Vec<Said>, depth: usize) -> AnyView {
    let class = match &parts {
        parts if parts.iter().all(|part| matches!(part, Said::Word(_))) => "parts words",
        parts if parts.iter().all(short) => "parts short",
        _ => "parts",
    };
    let rest = parts.split_off(parts.len().min(PARTS));
    let items = parts.into_iter().map(|said| view! { <li>{part(said, depth + 1)}</li> }).collect_view();
    let more = more(rest.len(), Said::List(rest));
    view! { <ul class=class>{items}</ul>{more} }.into_any()
}

fn named(mut fields: Vec<(String, Said)>, depth: usize) -> AnyView {
    let rest = fields.split_off(fields.len().min(PARTS));
    let items = fields.into_iter().map(|(name, said)| {
        let class = if short(&said) { "field" } else { "field tall" };
        view! { <div class=class><dt>{readable(&name)}</dt><dd>{part(said, depth + 1)}</dd></div> }
    });
    let items = items.collect_view();
    let more = more(rest.len(), Said::Fields(rest));
    view! { <dl class="fields">{items}</dl>{more} }.into_any()
}

/// Folds the parts that are too many; they are shown in pieces again.
fn more(count: usize, said: Said) -> Option<impl IntoView> {
    let summary = format!("{} more", format::number(count as u64));
    (count > 0).then(|| view! { <Folded summary said /> })
}

/// A text, of which only the beginning is shown if it is long.
#[component]
fn LongText(text: String) -> impl IntoView {
    let begun = beginning(&text).map(|(start, lines)| {
        let label = match lines {
            0 | 1 => format!("Show all {}", format::count(text.chars().count() as u64, "character")),
            lines => format!("Show all {} lines", format::number(lines as u64)),
        };
        (start.to_owned(), label)
    });
    let Some((start, label)) = begun else { return view! { <span class="text"><Text text /></span> }.into_any() };
    let whole = RwSignal::new(false);
    let shown = move || if whole.get() { text.clone() } else { start.clone() };
    view! {
        <span class="text">{move || view! { <Text text=shown() /> }}</span>
        <Show when=move || !whole.get()>
            <button type="button" class="more" on:click=move |_| whole.set(true)>{label.clone()}</button>
        </Show>
    }
    .into_any()
}
