//! The timeline.

use leptos::prelude::*;

/// Draws the timeline.
#[component]
pub fn TimelineView() -> impl IntoView {
    view! { <p>"TimelineView"</p> }
}
