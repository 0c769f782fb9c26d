//! Parts of a message in a line: who, what kind, what became of it.

use leptos::prelude::*;

pub use super::name::AgentName;
use crate::protocol::Line;
use huddle_web_model::list::words;

/// How many recipients are named in a line.
const NAMED: usize = 3;

/// From whom to whom.
#[component]
pub fn People(line: Line) -> impl IntoView {
    let names: Vec<String> = words::names(&line.to).map(str::to_owned).collect();
    let more = names.len().saturating_sub(NAMED);
    let rest = names.iter().skip(NAMED).cloned().collect::<Vec<_>>().join(", ");
    let arrow = (!names.is_empty()).then(|| view! { <span class="arrow" role="img" aria-label="to">"→"</span> });
    view! {
        {(!line.from.is_empty()).then(|| view! { <AgentName name=line.from /> })}
        {arrow}
        {names.into_iter().take(NAMED).map(|name| view! { <AgentName name /> }).collect_view()}
        {(more > 0).then(|| view! { <span class="quiet" title=rest>{format!(" +{more}")}</span> })}
    }
}

/// What kind of message it is, how much it matters, and how urgent it is.
#[component]
pub fn Kind(line: Line) -> impl IntoView {
    let shaped = |class: String, shape: &'static str, word: String| {
        view! { <span class=class><i aria-hidden="true">{shape}</i>{word}</span> }
    };
    let class = format!("kind is-{}", line.class);
    let kind = (!line.kind.is_empty()).then(|| shaped(class, words::shape(&line.class), line.kind.clone()));
    let severity = words::severity(&line.severity)
        .map(|shape| shaped(format!("severity {}", line.severity), shape, line.severity.clone()));
    let priority = words::priority(&line.priority)
        .map(|priority| view! { <span class="priority">{format!("{priority} priority")}</span> });
    view! { {kind} {severity} {priority} }
}

/// What became of it.
#[component]
pub fn Marks(line: Line) -> impl IntoView {
    let mark = |(name, meaning): words::Mark| view! { <span class=format!("mark {name}") title=meaning>{name}</span> };
    words::marks(&line).into_iter().map(mark).collect_view()
}

/// Shows that the query finds something, where that is not to be seen by its color.
#[component]
pub fn FoundMark(hit: bool) -> impl IntoView {
    hit.then(|| view! { <span class="is-found">"found"</span> })
}
