//! What was done, and what could not be done, for a moment.

use std::time::Duration;

use leptos::prelude::*;

use crate::state::{Feedback, use_store};

/// How long a text is shown: enough to read the longest.
const SHOWN: Duration = Duration::from_secs(6);

/// Shows notices and alerts; screen readers speak them.
#[component]
pub fn Toasts() -> impl IntoView {
    let feedback = use_store::<Feedback>();
    // Both are always there: a live region that appears together with its text is not spoken.
    view! {
        <Toast class="toast" role="status" text=feedback.notice />
        <Toast class="toast alert" role="alert" text=feedback.alert />
    }
}

/// Shows a text, and empties it after a moment unless it is another by then.
#[component]
fn Toast(class: &'static str, role: &'static str, text: RwSignal<String>) -> impl IntoView {
    Effect::new(move || {
        if text.with(String::is_empty) {
            return;
        }
        let timer = set_timeout_with_handle(move || text.set(String::new()), SHOWN);
        on_cleanup(move || timer.into_iter().for_each(|timer| timer.clear()));
    });
    view! {
        <div class=class role=role>
            {text}
        </div>
    }
}
