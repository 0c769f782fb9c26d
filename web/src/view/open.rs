//! Opening: what is seen before anything is open.

use leptos::prelude::*;

/// Draws the empty page.
#[component]
pub fn OpenPage() -> impl IntoView {
    view! { <p>"OpenPage"</p> }
}
