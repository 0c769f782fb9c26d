//! Details: the selected message, whole.

use leptos::prelude::*;

/// Draws the details.
#[component]
pub fn DetailsPane() -> impl IntoView {
    view! { <p>"DetailsPane"</p> }
}
