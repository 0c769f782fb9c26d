//! What was done, and what could not be done, for a moment.

use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use crate::store::Store;

/// How long a line is shown: enough to read the longest.
const MOMENT: u32 = 6_000;

/// Draws what has just happened; those who hear the page are told.
#[component]
pub fn Toast() -> impl IntoView {
    let store = Store::of_page();
    passes(store.notice);
    passes(store.alert);
    // Both are always there: a line that appears together with its text is not read out.
    view! {
        <div class="toast" role="status">{move || store.notice.get()}</div>
        <div class="toast alert" role="alert">{move || store.alert.get()}</div>
    }
}

/// Empties a line after a moment, unless there is something new in it by then.
fn passes(line: RwSignal<String>) {
    Effect::new(move |before: Option<Option<Timeout>>| {
        if let Some(Some(timer)) = before {
            timer.cancel();
        }
        line.with(|text| !text.is_empty()).then(|| Timeout::new(MOMENT, move || line.set(String::new())))
    });
}
