//! The palette: every command by its name.

use leptos::prelude::*;

/// Draws the palette.
#[component]
pub fn PaletteDialog() -> impl IntoView {
    view! { <p>"PaletteDialog"</p> }
}
