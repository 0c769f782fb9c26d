//! Names of agents: colored, cut in the middle where they are too long, and links to what they sent.

use leptos::prelude::*;

pub use huddle_web_model::words::term;

use crate::state::{RouteState, SettingsState, use_store};
use huddle_web_model::route::View;
use huddle_web_model::words::ends_of_name;

/// Shows an agent's name in its color.
#[component]
pub fn AgentName(#[prop(into)] name: String) -> impl IntoView {
    let class = format!("agent hue-{}", use_store::<SettingsState>().color(&name));
    view! { <span class=class><LongName name /></span> }
}

/// Shows an agent's name, which leads to what the agent sent, or what it received when it sent nothing. An empty name shows
/// nothing.
#[component]
pub fn AgentLink(#[prop(into)] name: String, #[prop(optional)] silent: bool) -> impl IntoView {
    let (settings, route) = (use_store::<SettingsState>(), use_store::<RouteState>());
    (!name.is_empty()).then(|| {
        let class = format!("plain agent hue-{}", settings.color(&name));
        let (field, title) = if silent { ("to", "What it received") } else { ("from", "What it sent") };
        let query = term(field, &name);
        let (title, label) = (format!("{title}: {name}"), name.clone());
        view! {
            <button
                type="button"
                class=class
                title=title
                aria-label=label
                on:click=move |_| find(route, query.clone())
            >
                <LongName name />
            </button>
        }
    })
}

/// Shows names that lead to what the agents sent, with commas between them.
#[component]
pub fn AgentLinks(names: Vec<String>) -> impl IntoView {
    let links = names.into_iter().filter(|name| !name.is_empty()).enumerate();
    links.map(|(place, name)| view! { {(place > 0).then_some(", ")} <AgentLink name /> }).collect_view()
}

/// Shows a name. Where there is no room for a long one, its middle is cut: names often differ at their ends.
#[component]
pub fn LongName(#[prop(into)] name: String) -> impl IntoView {
    match ends_of_name(&name) {
        Some((start, end)) => {
            let (start, end) = (start.to_owned(), end.to_owned());
            view! { <span class="long-name" title=name><span>{start}</span><span>{end}</span></span> }.into_any()
        }
        None => name.into_any(),
    }
}

/// Shows what a query finds, in the conversation.
pub fn find(route: RouteState, query: String) {
    route.push(|route| (route.view, route.query, route.only) = (View::Conversation, query, true));
}
