//! The timeline: a lane for each agent on one clock, drawn on a canvas, and the same as a table.

pub mod chart;
pub mod input;
pub mod minimap;
pub mod paint;
pub mod palette;
pub mod shapes;
pub mod stage;
pub mod table;
pub mod tip;

use gloo::utils::window;
use leptos::prelude::*;

use crate::dom::{El, effect, el, memo};
use crate::format::number;
use crate::store::Store;
use chart::Chart;
use huddle_web_model::timeline::marks::CLASSES;
use huddle_web_model::timeline::summary::{messages, summary};
use input::STEP;

/// What the reader's choice of the table is remembered by.
const AS_TABLE: &str = "huddle-timeline-as-table";

/// The signs of the classes, as text.
const SIGNS: [&str; 7] = ["●", "■", "▲", "✕", "◆", "✓", "·"];

/// Draws the timeline.
pub fn timeline_view() -> El {
    let chart = Chart::new(Store::of_page());
    chart.listen();
    // Remembering is a convenience: a browser may refuse it.
    let storage = window().session_storage().ok().flatten();
    let kept = storage.as_ref().and_then(|storage| storage.get_item(AS_TABLE).ok().flatten());
    let table = RwSignal::new(kept.as_deref() == Some("true"));
    effect(move || {
        let table = table.get().to_string();
        storage.iter().for_each(|storage| _ = storage.set_item(AS_TABLE, &table));
    });
    let empty = memo(move || chart.shown.get().is_some_and(|shown| shown.lanes.is_empty()));
    let body = move || match (empty.get(), table.get()) {
        (true, _) => vec![nothing(chart)],
        (_, true) => vec![table::table(chart)],
        _ => stage::stage(chart),
    };
    el("section")
        .class("timeline")
        .attr("aria-label", "Timeline")
        .with(tools(chart, table))
        .live(body)
        .with(foot(chart))
}

/// Draws what is said of the window, and the buttons that change it.
fn tools(chart: Chart, table: RwSignal<bool>) -> El {
    let said = move || chart.shown.get().map(|shown| summary(&shown)).unwrap_or_default();
    let plain = || el("button").attr("type", "button");
    let button = |title: &str, name: &str, sign: &str| plain().attr("title", title).attr("aria-label", name).text(sign);
    let all = plain().attr("title", "Show all (0)").live_flag("disabled", move || chart.span.get().is_none());
    let as_table = plain().live_attr("aria-pressed", move || Some(table.get().to_string()));
    let buttons = el("div")
        .class("tl-buttons")
        .attr("role", "group")
        .attr("aria-label", "Window")
        .with(button("Zoom out (s)", "Zoom out", "−").press(move || chart.zoom(1.0 / STEP)))
        .with(button("Zoom in (w)", "Zoom in", "+").press(move || chart.zoom(STEP)))
        .with(button("Earlier (a)", "Earlier", "‹").press(move || chart.pan(-0.5)))
        .with(button("Later (d)", "Later", "›").press(move || chart.pan(0.5)))
        .with(all.press(move || chart.show_all()).text("Show all"))
        .with(as_table.press(move || table.set(!table.get_untracked())).text("As a table"));
    el("div").class("tl-tools").with(el("p").class("tl-said").live_text(said)).with(buttons)
}

/// Draws the legend, and says what is not drawn.
fn foot(chart: Chart) -> El {
    let said = memo(move || chart.shown.get().map(|shown| messages(&shown)).unwrap_or_default());
    let left_out = memo(move || match chart.shown.get().map_or(0, |shown| shown.untimed) {
        0 => String::new(),
        1 => "1 message has no time and is not shown here.".to_owned(),
        many => format!("{} messages have no time and are not shown here.", number(many.into())),
    });
    let sign = |name: &str, sign: &str, said: &str| {
        let class = format!("tl-sign tl-{name}");
        el("li").with(el("span").class(&class).attr("aria-hidden", "true").text(sign)).text(said)
    };
    let legend = el("ul").class("tl-legend").attr("aria-label", "Shapes");
    let legend = legend.all(CLASSES.iter().zip(SIGNS).map(|(name, shape)| sign(name, shape, name)));
    let others = [
        ("high", "●", "high severity"),
        ("medium", "●", "medium"),
        ("dense", "", "many"),
        ("idle", "", "idle, folded"),
    ];
    let legend = legend.all(others.map(|(name, shape, said)| sign(name, shape, said)));
    let pairs = el("p").class("tl-pairs").live_attr("title", move || Some(said.get())).live_text(move || said.get());
    el("footer").class("tl-foot").with(legend).with(pairs).live_one(move || {
        let said = left_out.get();
        (!said.is_empty()).then(|| el("p").class("tl-untimed").text(&said))
    })
}

/// Says that there is nothing to draw.
fn nothing(chart: Chart) -> El {
    let said = move || match chart.store.overview.with(|it| it.as_ref().map_or(0, |it| it.entries)) {
        0 => "There are no messages yet.".to_owned(),
        _ => "No message says when it was sent, so there is nothing to draw here.".to_owned(),
    };
    el("p").class("tl-empty").live_text(said)
}
