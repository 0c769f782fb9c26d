//! The timeline: a lane for each agent on one time scale, drawn on a canvas, and the same as a table.

mod arrows;
mod canvas;
mod controller;
mod frame;
mod input;
mod lanes;
mod minimap;
mod paint;
mod palette;
mod shapes;
mod table;
mod tip;

use gloo::utils::window;
use leptos::prelude::*;

use crate::format::number;
use canvas::LaneCanvas;
use controller::TimelineController;
use huddle_web_model::timeline::marks::CLASSES;
use huddle_web_model::timeline::summary::{messages, summary};
use input::STEP;
use table::TimelineTable;

/// What the reader's choice of the table is remembered by.
const AS_TABLE: &str = "huddle-timeline-as-table";

/// The signs of the classes, as text.
const SIGNS: [&str; 7] = ["●", "■", "▲", "✕", "◆", "✓", "·"];

/// What else the legend explains: the class of the sign, the sign, and what it stands for.
const OTHERS: [(&str, &str, &str); 8] = [
    ("high", "●", "high severity"),
    ("medium", "●", "medium"),
    ("dense", "", "many"),
    ("strip", "", "an error or a finding among many"),
    ("count", "2", "how many in one sign"),
    ("idle", "", "idle, folded"),
    ("read", "↘", "read: slants by the time until then"),
    ("unread", "⇢", "unread"),
];

/// Shows the timeline.
#[component]
pub fn TimelineView() -> impl IntoView {
    let timeline = TimelineController::new();
    timeline.listen();
    // Remembering is a convenience: a browser may refuse it.
    let storage = window().session_storage().ok().flatten();
    let remembered = storage.as_ref().and_then(|storage| storage.get_item(AS_TABLE).ok().flatten());
    let as_table = RwSignal::new(remembered.as_deref() == Some("true"));
    Effect::new(move || {
        let as_table = as_table.get().to_string();
        storage.iter().for_each(|storage| _ = storage.set_item(AS_TABLE, &as_table));
    });
    let shown = timeline.shown;
    let is_empty = Memo::new(move |_| shown.with(|it| it.as_ref().is_some_and(|it| it.lanes.is_empty())));
    let body = move || match (is_empty.get(), as_table.get()) {
        (true, _) => view! { <Nothing timeline /> }.into_any(),
        (_, true) => view! { <TimelineTable timeline /> }.into_any(),
        _ => view! { <LaneCanvas timeline /> <Legend timeline /> }.into_any(),
    };
    let untimed = Memo::new(move |_| shown.with(|it| it.as_ref().map_or(0, |it| it.untimed)));
    let left_out = move || match untimed.get() {
        0 => None,
        _ if is_empty.get() => None,
        1 => Some("1 message has no time and is not shown here.".to_owned()),
        many => Some(format!("{} messages have no time and are not shown here.", number(many.into()))),
    };
    view! {
        <section class="timeline" aria-label="Timeline">
            <Tools timeline as_table />
            {body}
            {move || left_out().map(|text| view! { <p class="tl-untimed">{text}</p> })}
        </section>
    }
}

/// Sums up the window, and offers buttons that change it.
#[component]
fn Tools(timeline: TimelineController, as_table: RwSignal<bool>) -> impl IntoView {
    let text = move || timeline.shown.with(|shown| shown.as_deref().map(summary));
    let button = |title: &'static str, name: &'static str, sign: &'static str, act: fn(TimelineController)| {
        view! {
            <button type="button" title=title aria-label=name on:click=move |_| act(timeline)>
                {sign}
            </button>
        }
    };
    view! {
        <div class="tl-tools">
            <p class="tl-said">{text}</p>
            <div class="tl-buttons" role="group" aria-label="Window">
                {button("Zoom out (s)", "Zoom out", "−", |timeline| timeline.zoom(1.0 / STEP))}
                {button("Zoom in (w)", "Zoom in", "+", |timeline| timeline.zoom(STEP))}
                {button("Earlier (a)", "Earlier", "‹", |timeline| timeline.pan(-0.5))}
                {button("Later (d)", "Later", "›", |timeline| timeline.pan(0.5))}
                <button
                    type="button"
                    title="Show all (0)"
                    disabled=move || timeline.span.get().is_none()
                    on:click=move |_| timeline.show_all()
                >
                    "Show all"
                </button>
                <button
                    type="button"
                    aria-pressed=move || as_table.get().to_string()
                    on:click=move |_| as_table.update(|as_table| *as_table = !*as_table)
                >
                    "As a table"
                </button>
            </div>
        </div>
    }
}

/// Explains shapes, and says how messages between lanes are drawn.
#[component]
fn Legend(timeline: TimelineController) -> impl IntoView {
    let text = Memo::new(move |_| timeline.shown.with(|shown| shown.as_deref().map(messages).unwrap_or_default()));
    let classes = CLASSES.into_iter().zip(SIGNS).map(|(name, sign)| (name, sign, name));
    let signs = classes.chain(OTHERS).map(|(class, sign, meaning)| {
        view! {
            <li>
                <span class=format!("tl-sign tl-{class}") aria-hidden="true">{sign}</span>
                {meaning}
            </li>
        }
    });
    view! {
        <footer class="tl-foot">
            <ul class="tl-legend" aria-label="Shapes">{signs.collect_view()}</ul>
            <p class="tl-pairs" title=text>{text}</p>
        </footer>
    }
}

/// Stands where there is nothing to draw.
#[component]
fn Nothing(timeline: TimelineController) -> impl IntoView {
    let text = move || match timeline.dataset.overview.with(|it| it.as_ref().map_or(0, |it| it.entries)) {
        0 => "There are no messages yet.",
        _ => "No message says when it was sent, so there is nothing to draw here.",
    };
    view! { <p class="tl-empty">{text}</p> }
}
