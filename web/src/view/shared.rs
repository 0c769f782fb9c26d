//! Handoffs and shared contexts.

use leptos::prelude::*;

/// Draws what is shared.
#[component]
pub fn SharedView() -> impl IntoView {
    view! { <p>"SharedView"</p> }
}
