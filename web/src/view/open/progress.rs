//! How far opening is, and why it failed.

use leptos::prelude::*;

use crate::format::{count, size};
use crate::store::{Phase, Store};
use crate::view::icon::{CROSS, icon};

/// Writes how far opening is.
fn so_far(bytes: u64, total: u64, rows: u64) -> String {
    match (total, rows) {
        (0, _) => "Looking at what is there…".to_owned(),
        (total, 0) => format!("{} of {}", size(bytes), size(total)),
        (total, rows) => format!("{} of {}, {}", size(bytes), size(total), count(rows, "record")),
    }
}

/// Draws how far opening is, while it goes on.
#[component]
pub fn Progress() -> impl IntoView {
    let store = Store::of_page();
    let going = Memo::new(move |_| store.phase.with(|phase| matches!(phase, Phase::Loading { .. })));
    let read = Memo::new(move |_| match store.phase.get() {
        Phase::Loading { bytes, total, rows } => (bytes, total, rows),
        _ => (0, 0, 0),
    });
    // Without a value, a bar says that it is not known how long it takes.
    let value = move || Some(read.get()).filter(|(_, total, _)| *total > 0).map(|(bytes, ..)| bytes.to_string());
    let bar = move || {
        view! {
            <section class="loading" aria-label="Opening">
                <span class="reading">"Reading"</span>
                <progress aria-label="Reading" max=move || read.get().1.max(1).to_string() value=value></progress>
                <span class="read">{move || { let (bytes, total, rows) = read.get(); so_far(bytes, total, rows) }}</span>
                <button class="button" on:click=move |_| store.cancel()>"Cancel"</button>
            </section>
        }
    };
    move || going.get().then(bar)
}

/// Draws why opening failed.
#[component]
pub fn Failure() -> impl IntoView {
    let store = Store::of_page();
    move || match store.phase.get() {
        Phase::Failed { message, hint } => Some(view! {
            <div class="failed" role="alert">
                <div><strong>{message}</strong><p>{hint}</p></div>
                <button class="quiet-button" aria-label="Dismiss" on:click=move |_| store.rest()>{icon(CROSS)}</button>
            </div>
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_in_bytes_and_records() {
        assert_eq!(so_far(0, 0, 0), "Looking at what is there…");
        assert_eq!(so_far(0, 2_000, 0), "0 bytes of 2.0 KB");
        assert_eq!(so_far(121_500_000, 243_000_000, 500_000), "121.5 MB of 243.0 MB, 500,000 records");
    }
}
