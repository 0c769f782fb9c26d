//! Handoffs, shared contexts and the orchestrator's shared state.

mod contexts;

use leptos::prelude::*;

use crate::components::body::Body;
use crate::components::name::AgentLink;
use crate::components::panels::{
    ArtifactFile, Empty, FileButton, Found, Moment, Panel, Panels, SignWord, name_of, state,
};
use crate::protocol::papers::{HandoffCard, SharedView as Answer, StateCard};
use crate::protocol::{Request, Response};
use contexts::Contexts;

/// What buttons say that open the file of something shared.
const OPEN: &str = "Open the file";

/// Shows what is shared.
#[component]
pub fn SharedView() -> impl IntoView {
    let draw = move |response: &Response| match response {
        Response::Shared(all) => Some(everything(all)),
        _ => None,
    };
    view! { <Panels view="shared" request=Request::Shared draw /> }
}

fn everything(all: &Answer) -> AnyView {
    if all.handoffs.is_empty() && all.contexts.is_empty() && all.states.is_empty() {
        let hint = "Work that one agent hands to another (handoffs/), documents that agents extend together \
                    (shared-context/), and the orchestrator's shared state (.claude/state/) would be listed here.";
        return view! { <Empty title="Nothing is shared." hint /> }.into_any();
    }
    view! {
        <Handoffs handoffs=all.handoffs.clone() />
        <Contexts contexts=all.contexts.clone() />
        <States states=all.states.clone() />
    }
    .into_any()
}

#[component]
fn Handoffs(handoffs: Vec<HandoffCard>) -> impl IntoView {
    let count = handoffs.len();
    (count > 0).then(|| {
        let cards = handoffs.into_iter().map(|card| view! { <Handoff card /> }).collect_view();
        view! { <Panel title="Handoffs" count>{cards}</Panel> }
    })
}

#[component]
fn Handoff(card: HandoffCard) -> impl IntoView {
    let task = if card.task.is_empty() { "No task is named".to_owned() } else { card.task };
    let to = (!card.to.is_empty()).then(|| view! { " → " <AgentLink name=card.to /> });
    let notes = (!card.notes.is_empty()).then(|| view! { <p class="text saying">{card.notes}</p> });
    let artifacts = (!card.artifacts.is_empty()).then(|| {
        let rows = card.artifacts.into_iter().map(|artifact| {
            let name = name_of(&artifact.path).to_owned();
            view! { <li><ArtifactFile artifact name /></li> }
        });
        view! { <ul class="files">{rows.collect_view()}</ul> }
    });
    let documents = card.documents.into_iter().map(|(title, text)| {
        view! { <details><summary>{title}</summary><p class="text">{text}</p></details> }
    });
    let id = card.id.clone();
    view! {
        <article class="card handoff" data-handoff=id>
            <header>
                <h3>{task}</h3>
                <Found hit=card.hit />
                <SignWord sign=state(&card.status) />
            </header>
            <p class="by">
                <AgentLink name=card.from />
                {to}
                <span class="quiet"><Moment at=card.at /></span>
                <FileButton class="small end" label=OPEN of=card.id file=card.file />
            </p>
            {card.decided.map(|(agent, at)| view! { <Decided status=card.status agent at /> })}
            {notes}
            {artifacts}
            {documents.collect_view()}
        </article>
    }
}

/// Shows who decided on a handoff, and when.
#[component]
fn Decided(status: String, agent: String, at: Option<i64>) -> impl IntoView {
    let by = (!agent.is_empty()).then_some(" by ");
    view! {
        <p class="by">
            {state(&status).word}
            {by}
            <AgentLink name=agent />
            <span class="quiet"><Moment at /></span>
        </p>
    }
}

#[component]
fn States(states: Vec<StateCard>) -> impl IntoView {
    (!states.is_empty()).then(|| {
        let cards = states.into_iter().map(|card| view! { <SharedState card /> }).collect_view();
        view! { <Panel title="Shared state">{cards}</Panel> }
    })
}

#[component]
fn SharedState(card: StateCard) -> impl IntoView {
    let objective = if card.objective.is_empty() { "No objective".to_owned() } else { card.objective };
    view! {
        <article class="card">
            <header>
                <h3>{objective}</h3>
                <span class="quiet">{format!("version {}", card.version)}</span>
                <FileButton class="small end" label=OPEN file=card.file />
            </header>
            <div class="structure"><Body said=card.body /></div>
        </article>
    }
}
