//! How far opening is, and why it failed.

use std::sync::Arc;

use leptos::prelude::*;

use crate::dom::{El, el, memo};
use crate::format::{count, number, size};
use crate::limits::{Raise, UnpackLimits};
use crate::protocol::Overview;
use crate::store::{Phase, Store};
use crate::view::icon::{CROSS, drawn};

/// Writes how far opening is.
fn so_far(bytes: u64, total: u64, rows: u64) -> String {
    match (total, rows) {
        (0, _) => "Looking at what is there…".to_owned(),
        (total, 0) => format!("{} of {}", size(bytes), size(total)),
        (total, rows) => format!("{} of {}, {}", size(bytes), size(total), count(rows, "record")),
    }
}

/// Draws how far opening is, while it goes on.
pub fn progress(store: Store) -> impl Fn() -> Option<El> + 'static {
    let going = memo(move || store.phase.with(|phase| matches!(phase, Phase::Loading { .. })));
    move || going.get().then(|| bar(store))
}

fn bar(store: Store) -> El {
    let read = memo(move || match store.phase.get() {
        Phase::Loading { bytes, total, rows } => (bytes, total, rows),
        _ => (0, 0, 0),
    });
    // Without a value, a bar says that it is not known how long it takes.
    let value = move || Some(read.get()).filter(|(_, total, _)| *total > 0).map(|(bytes, ..)| bytes.to_string());
    let bar = el("progress")
        .attr("aria-label", "Reading")
        .live_attr("max", move || Some(read.get().1.max(1).to_string()))
        .live_attr("value", value);
    let words = move || {
        let (bytes, total, rows) = read.get();
        so_far(bytes, total, rows)
    };
    el("section")
        .class("loading")
        .attr("aria-label", "Opening")
        .with(el("span").class("reading").text("Reading"))
        .with(bar)
        .with(el("span").class("read").live_text(words))
        .with(el("button").class("button").text("Cancel").press(move || store.cancel()))
}

/// Draws why opening failed, or what became of what was open.
pub fn failure(store: Store) -> impl Fn() -> Option<El> + 'static {
    move || match store.phase.get() {
        Phase::Failed { message, hint, raise } => {
            let raise = raise.map(|raise| raise_button(&raise, move |limits| store.raise_asked(limits)));
            Some(bar_of(&message, &hint).attr("role", "alert").maybe(raise).with(dismiss(move || store.rest())))
        }
        Phase::Stopped { name, reason } => Some(stopped(store, &name, &reason)),
        _ => None,
    }
}

/// Draws which files were left out of what is open because they exceed a bound.
pub fn left_out(store: Store) -> impl Fn() -> Option<El> + 'static {
    let found = memo(move || {
        let of = |overview: &Arc<Overview>| (words(&overview.left_out), overview.raise.clone());
        store.overview.with(|overview| overview.as_ref().map(of).unwrap_or_default())
    });
    move || {
        let (words, raise) = found.get();
        if words.is_empty() || store.dismissed.with(|dismissed| *dismissed == words) {
            return None;
        }
        let raise = raise.map(|raise| raise_button(&raise, move |limits| store.raise_open(limits)));
        let bar = bar_of(&words, "Problems lists all that was left out.").attr("role", "status").maybe(raise);
        Some(bar.with(dismiss(move || store.dismissed.set(words.clone()))))
    }
}

/// Words what was left out; empty when nothing was.
fn words(left_out: &[(String, String)]) -> String {
    match left_out {
        [] => String::new(),
        [(_, message)] => format!("{message}."),
        [(_, message), rest @ ..] => format!("{message}. {} more likewise.", number(rest.len() as u64)),
    }
}

/// Draws the state after a worker has failed.
fn stopped(store: Store, name: &str, reason: &str) -> El {
    let (message, hint) = stopped_words(name, reason);
    let again = (!name.is_empty()).then(|| {
        let again = el("button").class("button").text(&format!("Open {name} again"));
        again.press(move || store.open_again())
    });
    bar_of(&message, &hint).attr("role", "alert").maybe(again)
}

fn stopped_words(name: &str, reason: &str) -> (String, String) {
    let message = match name {
        "" => "The viewer stopped before anything was open".to_owned(),
        name => format!("The viewer stopped with {name} open, and has started again without it"),
    };
    let cause = match reason {
        "" => String::new(),
        reason => format!("The browser says: {reason}. "),
    };
    let hint =
        "What it read is untouched. Most often memory was used up: open it again, or a part of it, or something else.";
    (message, format!("{cause}{hint}"))
}

fn bar_of(message: &str, hint: &str) -> El {
    let words = el("div").with(el("strong").text(message)).with(el("p").text(hint));
    el("div").class("failed").with(words)
}

fn raise_button(raise: &Raise, open: impl Fn(UnpackLimits) + 'static) -> El {
    let limits = raise.limits;
    el("button").class("button").text(&raise.label).press(move || open(limits))
}

fn dismiss(act: impl Fn() + 'static) -> El {
    el("button").class("quiet-button").attr("aria-label", "Dismiss").with(drawn(CROSS)).press(act)
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

    #[test]
    fn left_out_files_are_counted_after_the_first() {
        let one = |path: &str| (path.to_owned(), format!("{path} is too large"));
        assert_eq!(words(&[]), "");
        assert_eq!(words(&[one("a.gz")]), "a.gz is too large.");
        assert_eq!(words(&[one("a.gz"), one("b.gz"), one("c.gz")]), "a.gz is too large. 2 more likewise.");
    }

    #[test]
    fn stopped_state_names_what_was_open() {
        assert!(stopped_words("a.gz", "").0.contains("with a.gz open"));
        assert!(stopped_words("", "unreachable").1.starts_with("The browser says: unreachable. "));
    }
}
