//! The search box, with completion.

use leptos::prelude::*;

/// Draws the search box.
#[component]
pub fn SearchBox() -> impl IntoView {
    view! { <p>"SearchBox"</p> }
}
