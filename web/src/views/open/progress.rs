//! How far opening is, why it failed, and what was left out.

use std::sync::Arc;

use leptos::prelude::*;

use crate::components::icon::{CROSS, Icon};
use crate::limits::{Raise, UnpackLimits};
use crate::protocol::Overview;
use crate::state::{DatasetState, Phase, use_store};
use huddle_web_model::loading_words::{not_a_log, so_far, stopped_words, words};

/// Shows how far opening is, while it goes on.
#[component]
pub fn Progress() -> impl IntoView {
    let dataset = use_store::<DatasetState>();
    let read = Memo::new(move |_| match dataset.phase.get() {
        Phase::Loading { bytes, total, rows } => Some((bytes, total, rows)),
        _ => None,
    });
    let values = move || read.get().unwrap_or_default();
    // Without a value, a bar says that it is not known how long it takes.
    let value = move || Some(values()).filter(|(_, total, _)| *total > 0).map(|(bytes, ..)| bytes.to_string());
    let text = move || {
        let (bytes, total, rows) = values();
        so_far(bytes, total, rows)
    };
    view! {
        <Show when=move || read.with(Option::is_some)>
            <section class="loading" aria-label="Opening">
                <span class="reading">"Reading"</span>
                <progress aria-label="Reading" max=move || values().1.max(1).to_string() value=value></progress>
                <span class="read">{text}</span>
                <button class="button" on:click=move |_| dataset.cancel()>"Cancel"</button>
            </section>
        </Show>
    }
}

/// Shows why opening failed, or what became of what was open.
#[component]
pub fn Failure() -> impl IntoView {
    let dataset = use_store::<DatasetState>();
    move || {
        match dataset.phase.get() {
        Phase::Failed { message, hint, raise } => Some(
            view! {
                <Bar role="alert" message hint>
                    {raise.map(|raise| view! { <RaiseButton raise open=move |limits| dataset.raise_requested(limits) /> })}
                    <Dismiss act=move || dataset.rest() />
                </Bar>
            }
            .into_any(),
        ),
        Phase::Stopped { name, reason } => {
            let (message, hint) = stopped_words(&name, &reason);
            let again = (!name.is_empty()).then(|| {
                let label = format!("Open {name} again");
                view! { <button class="button" on:click=move |_| dataset.open_again()>{label}</button> }
            });
            Some(view! { <Bar role="alert" message hint>{again}</Bar> }.into_any())
        }
        _ => None,
    }
    }
}

/// Shows which files were left out of what is open because they exceed a bound, or that it is no log at all.
#[component]
pub fn LeftOut() -> impl IntoView {
    let dataset = use_store::<DatasetState>();
    let found = Memo::new(move |_| {
        let of = |overview: &Arc<Overview>| match words(&overview.left_out) {
            words if words.is_empty() => (not_a_log(overview).unwrap_or_default(), NO_RECORDS, None),
            words => (words, "Problems lists all that was left out.", overview.raise.clone()),
        };
        dataset.overview.with(|overview| overview.as_ref().map(of).unwrap_or_default())
    });
    move || {
        let (message, hint, raise) = found.get();
        (!message.is_empty() && dataset.dismissed.with(|dismissed| *dismissed != message)).then(|| {
            let dismissed = message.clone();
            view! {
                <Bar role="status" message hint=hint.to_owned()>
                    {raise.map(|raise| view! { <RaiseButton raise open=move |limits| dataset.raise_open(limits) /> })}
                    <Dismiss act=move || dataset.dismissed.set(dismissed.clone()) />
                </Bar>
            }
        })
    }
}

const NO_RECORDS: &str =
    "A log has a JSON object on each line. Open another file, or the directory that this one is from.";

#[component]
fn Bar(role: &'static str, message: String, hint: String, children: Children) -> impl IntoView {
    view! {
        <div class="failed" role=role>
            <div>
                <strong>{message}</strong>
                <p>{hint}</p>
            </div>
            {children()}
        </div>
    }
}

#[component]
fn RaiseButton<F>(raise: Raise, open: F) -> impl IntoView
where
    F: Fn(UnpackLimits) + Send + 'static,
{
    let limits = raise.limits;
    view! { <button class="button" on:click=move |_| open(limits)>{raise.label}</button> }
}

#[component]
fn Dismiss<F>(act: F) -> impl IntoView
where
    F: Fn() + Send + 'static,
{
    view! {
        <button class="quiet-button" aria-label="Dismiss" on:click=move |_| act()>
            <Icon path=CROSS />
        </button>
    }
}
