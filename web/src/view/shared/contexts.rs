//! Shared contexts: documents that agents extend together, version by version.

use leptos::prelude::*;

use super::super::papers::{agent, heading, open, time};
use crate::protocol::papers::ContextCard;
use crate::store::Store;

/// One version: who made it, when, and what it added.
type Version = (String, Option<i64>, String);

/// Draws the shared contexts.
pub(super) fn contexts(store: Store, contexts: &[ContextCard]) -> AnyView {
    if contexts.is_empty() {
        return ().into_any();
    }
    let cards = contexts.iter().map(|card| context(store, card)).collect_view();
    view! { <section class="paper">{heading("Shared contexts", Some(contexts.len()))}{cards}</section> }.into_any()
}

fn context(store: Store, card: &ContextCard) -> AnyView {
    // All versions, until one is chosen.
    let chosen = RwSignal::new(None::<usize>);
    let versions = StoredValue::new(card.versions.clone());
    let choices = card.versions.iter().enumerate().map(|(place, version)| choice(store, chosen, place, version));
    let shown = move || versions.with_value(|versions| text(store, versions, chosen.get()));
    let contributors = card.contributors.iter().enumerate().map(|(place, name)| {
        let joint = if place > 0 { ", " } else { "" };
        view! { {joint}{agent(store, name)} }
    });
    let file = card.file.clone();
    let label = format!("Open the file of {}", card.name);
    let whole = move || chosen.get().is_none().to_string();
    view! {
        <article class="card context" data-context=card.name.clone()>
            <header>
                <h3>{card.name.clone()}</h3>
                <span class="quiet">"version "{card.version}", "{time(card.updated)}</span>
                <button type="button" class="small end" aria-label=label on:click=move |_| open(store, file.clone(), 0, 0)>
                    "Open the file"
                </button>
            </header>
            <p class="small-text">"by "{contributors.collect_view()}</p>
            <div class="versions">
                <ol aria-label="Versions">
                    <li>
                        <button type="button" class="version" aria-pressed=whole on:click=move |_| chosen.set(None)>
                            "All of it"
                        </button>
                    </li>
                    {choices.collect_view()}
                </ol>
                <div class="added">{shown}</div>
            </div>
        </article>
    }
    .into_any()
}

fn choice(store: Store, chosen: RwSignal<Option<usize>>, place: usize, (who, at, _): &Version) -> AnyView {
    let pressed = move || (chosen.get() == Some(place)).to_string();
    let class = format!("agent hue-{}", store.hue(who));
    view! {
        <li>
            <button type="button" class="version" aria-pressed=pressed on:click=move |_| chosen.set(Some(place))>
                <span>{place + 1}</span>" "
                <span class=class>{who.clone()}</span>
                <span class="quiet">{time(*at)}</span>
            </button>
        </li>
    }
    .into_any()
}

/// Draws what one version added, or all of them.
fn text(store: Store, versions: &[Version], chosen: Option<usize>) -> AnyView {
    let part = |(place, (who, at, added)): (usize, &Version)| {
        let who = (!who.is_empty()).then(|| agent(store, who));
        view! {
            <p class="by">
                <span class="quiet">"version "{place + 1}</span>{who}<span class="quiet">{time(*at)}</span>
            </p>
            <p class="text">{added.trim_end().to_owned()}</p>
        }
    };
    let wanted = versions.iter().enumerate().filter(|(place, _)| chosen.is_none_or(|chosen| chosen == *place));
    wanted.map(part).collect_view().into_any()
}
