//! Shared contexts: documents that agents extend together, version by version.

use leptos::prelude::*;

use super::OPEN;
use crate::components::name::{AgentLink, AgentLinks, AgentName};
use crate::components::panels::{FileButton, Found, Moment, Panel};
use crate::protocol::papers::ContextCard;

/// Lists the shared contexts, if there are any.
#[component]
pub(super) fn Contexts(contexts: Vec<ContextCard>) -> impl IntoView {
    let count = contexts.len();
    (count > 0).then(|| {
        let cards = contexts.into_iter().map(|card| view! { <Context card /> }).collect_view();
        view! { <Panel title="Shared contexts" count>{cards}</Panel> }
    })
}

#[component]
fn Context(card: ContextCard) -> impl IntoView {
    // All versions, until one is chosen.
    let chosen = RwSignal::new(None::<usize>);
    let choices = card.versions.iter().enumerate().map(|(place, (agent, at, _))| {
        let (agent, at) = (agent.clone(), *at);
        let who = (!agent.is_empty()).then(|| view! { <AgentName name=agent /> });
        view! {
            <li>
                <Choice chosen version=Some(place)>
                    <span>{place + 1}</span>
                    " "
                    {who}
                    <span class="quiet"><Moment at /></span>
                </Choice>
            </li>
        }
    });
    let choices = choices.collect_view();
    let contributors = card.contributors.iter().any(|name| !name.is_empty());
    let versions = card.versions;
    let added = move || {
        let wanted =
            versions.iter().enumerate().filter(|(place, _)| chosen.get().is_none_or(|chosen| chosen == *place));
        let added = wanted.map(|(place, (agent, at, text))| {
            view! {
                <p class="by">
                    <span class="quiet">{format!("version {}", place + 1)}</span>
                    <AgentLink name=agent.clone() />
                    <span class="quiet"><Moment at=*at /></span>
                </p>
                <p class="text">{text.trim_end().to_owned()}</p>
            }
        });
        added.collect_view()
    };
    let (name, title) = (card.name.clone(), card.name.clone());
    view! {
        <article class="card context" data-context=name>
            <header>
                <h3>{title}</h3>
                <Found hit=card.hit />
                <span class="quiet">{format!("version {}, ", card.version)} <Moment at=card.updated /></span>
                <FileButton class="small end" label=OPEN of=card.name file=card.file />
            </header>
            {contributors.then(|| view! { <p class="small-text">"by " <AgentLinks names=card.contributors /></p> })}
            <div class="versions">
                <ol aria-label="Versions">
                    <li><Choice chosen version=None>"All of it"</Choice></li>
                    {choices}
                </ol>
                <div class="added">{added}</div>
            </div>
        </article>
    }
}

/// Chooses a version, or all of them.
#[component]
fn Choice(chosen: RwSignal<Option<usize>>, version: Option<usize>, children: Children) -> impl IntoView {
    view! {
        <button
            type="button"
            class="version"
            aria-pressed=move || (chosen.get() == version).to_string()
            on:click=move |_| chosen.set(version)
        >
            {children()}
        </button>
    }
}
