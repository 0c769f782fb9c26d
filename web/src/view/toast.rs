//! What was done, and what could not be done, for a moment.

use std::cell::Cell;

use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use crate::dom::{El, effect, el};
use crate::store::Store;

/// How long a line is shown: enough to read the longest.
const MOMENT: u32 = 6_000;

/// Draws what has just happened; those who hear the page are told.
pub fn toast() -> [El; 2] {
    let store = Store::of_page();
    // Both are always there: a line that appears together with its text is not read out.
    [line("toast", "status", store.notice), line("toast alert", "alert", store.alert)]
}

/// Draws a line, which is emptied after a moment unless there is something new in it by then.
fn line(class: &str, role: &str, line: RwSignal<String>) -> El {
    let timer = Cell::new(None);
    effect(move || {
        let said = !line.with(String::is_empty);
        // The one that was there before is stopped.
        timer.set(said.then(|| Timeout::new(MOMENT, move || line.set(String::new()))));
    });
    el("div").class(class).attr("role", role).live_text(move || line.get())
}
