//! The side: source, agents, filters.

use leptos::prelude::*;

/// Draws the side.
#[component]
pub fn SidePane() -> impl IntoView {
    view! { <p>"SidePane"</p> }
}
