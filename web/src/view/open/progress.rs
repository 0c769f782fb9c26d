//! How far opening is, and why it failed.

use std::sync::Arc;

use leptos::prelude::*;

use crate::dom::{El, el, memo};
use crate::limits::{Raise, UnpackLimits};
use crate::protocol::Overview;
use crate::store::{Phase, Store};
use crate::view::icon::{CROSS, drawn};
use huddle_web_model::loading_words::{so_far, stopped_words, words};

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

/// Draws the state after a worker has failed.
fn stopped(store: Store, name: &str, reason: &str) -> El {
    let (message, hint) = stopped_words(name, reason);
    let again = (!name.is_empty()).then(|| {
        let again = el("button").class("button").text(&format!("Open {name} again"));
        again.press(move || store.open_again())
    });
    bar_of(&message, &hint).attr("role", "alert").maybe(again)
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
