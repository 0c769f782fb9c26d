//! Agents: who there is, and who talks to whom.

use leptos::prelude::*;

/// Draws the agents.
#[component]
pub fn AgentsView() -> impl IntoView {
    view! { <p>"AgentsView"</p> }
}
