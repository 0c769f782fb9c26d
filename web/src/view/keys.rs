//! Keys: what each does, and the list of them.

use leptos::prelude::*;

/// Draws the list of keys.
#[component]
pub fn KeysDialog() -> impl IntoView {
    view! { <p>"KeysDialog"</p> }
}
