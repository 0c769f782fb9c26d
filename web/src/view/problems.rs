//! Problems: all that the checks found.

use leptos::prelude::*;

/// Draws the problems.
#[component]
pub fn ProblemsView() -> impl IntoView {
    view! { <p>"ProblemsView"</p> }
}
