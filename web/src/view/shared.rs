//! Handoffs and shared contexts.

mod contexts;

use leptos::prelude::*;

use super::body::body_view as body;
use super::papers::{agent, answer, artifact, empty, heading, instead, name_of, open, sign, state, time};
use crate::protocol::papers::{HandoffCard, StateCard};
use crate::protocol::{Answer, Ask, papers};
use crate::store::Store;

/// Draws what is shared.
#[component]
pub fn SharedView() -> impl IntoView {
    let store = Store::of_page();
    let answer = answer(store, Ask::Shared);
    let drawn = move || match answer.get().as_deref() {
        Some(Answer::Shared(all)) => everything(store, all),
        other => instead(other),
    };
    view! { <div class="papers" data-view="shared">{drawn}</div> }
}

fn everything(store: Store, all: &papers::SharedView) -> AnyView {
    if all.handoffs.is_empty() && all.contexts.is_empty() && all.states.is_empty() {
        let would = "Work that one agent hands to another (handoffs/), documents that agents extend together \
                     (shared-context/), and the orchestrator's shared state (.claude/state/) would stand here.";
        return empty("Nothing is shared.", would);
    }
    view! {
        {handoffs(store, &all.handoffs)}
        {contexts::contexts(store, &all.contexts)}
        {states(store, &all.states)}
    }
    .into_any()
}

fn handoffs(store: Store, handoffs: &[HandoffCard]) -> AnyView {
    if handoffs.is_empty() {
        return ().into_any();
    }
    let cards = handoffs.iter().map(|card| handoff(store, card)).collect_view();
    view! { <section class="paper">{heading("Handoffs", Some(handoffs.len()))}{cards}</section> }.into_any()
}

fn handoff(store: Store, card: &HandoffCard) -> AnyView {
    let notes = (!card.notes.is_empty()).then(|| view! { <p class="text saying">{card.notes.clone()}</p> });
    let artifacts = (!card.artifacts.is_empty()).then(|| {
        let rows = card.artifacts.iter().map(|one| view! { <li>{artifact(store, one, name_of(&one.path))}</li> });
        view! { <ul class="files">{rows.collect_view()}</ul> }
    });
    let documents = card.documents.iter().map(|(title, text)| {
        view! {
            <details>
                <summary>{title.clone()}</summary>
                <p class="text">{text.clone()}</p>
            </details>
        }
    });
    let file = card.file.clone();
    let label = format!("Open the package of {}", card.id);
    let task = if card.task.is_empty() { "It is not said what".to_owned() } else { card.task.clone() };
    view! {
        <article class="card handoff" data-handoff=card.id.clone()>
            <header>
                <h3>{task}</h3>
                {sign(&state(&card.status))}
            </header>
            <p class="by">
                {agent(store, &card.from)}" → "{agent(store, &card.to)}
                <span class="quiet">{time(card.at)}</span>
                <button type="button" class="small end" aria-label=label on:click=move |_| open(store, file.clone(), 0, 0)>
                    "Open the file"
                </button>
            </p>
            {decided(store, card)}
            {notes}
            {artifacts}
            {documents.collect_view()}
        </article>
    }
    .into_any()
}

/// Draws who decided on a handoff, and when.
fn decided(store: Store, card: &HandoffCard) -> AnyView {
    let Some((who, at)) = &card.decided else { return ().into_any() };
    let word = state(&card.status).word;
    let by = (!who.is_empty()).then(|| view! { " by "{agent(store, who)} });
    view! { <p class="by">{word}{by}<span class="quiet">{time(*at)}</span></p> }.into_any()
}

fn states(store: Store, states: &[StateCard]) -> AnyView {
    if states.is_empty() {
        return ().into_any();
    }
    let cards = states.iter().map(|card| shared_state(store, card)).collect_view();
    view! { <section class="paper">{heading("Shared state", None)}{cards}</section> }.into_any()
}

fn shared_state(store: Store, card: &StateCard) -> AnyView {
    let objective = match card.objective.as_str() {
        "" => "No objective".to_owned(),
        objective => objective.to_owned(),
    };
    let file = card.file.clone();
    view! {
        <article class="card">
            <header>
                <h3>{objective}</h3>
                <span class="quiet">"version "{card.version}</span>
                <button type="button" class="small end" on:click=move |_| open(store, file.clone(), 0, 0)>"Open the file"</button>
            </header>
            <div class="structure">{body(&card.body)}</div>
        </article>
    }
    .into_any()
}
