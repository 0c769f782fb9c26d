//! Reports: what agents found.

use leptos::prelude::*;

/// Draws the reports.
#[component]
pub fn ReportsView() -> impl IntoView {
    view! { <p>"ReportsView"</p> }
}
