//! The timeline: a lane for each agent on one clock, drawn on a canvas, and the same as a table.

pub mod chart;
pub mod hit;
pub mod input;
pub mod marks;
pub mod minimap;
pub mod paint;
pub mod palette;
pub mod scale;
pub mod shapes;
pub mod stage;
pub mod table;
pub mod tip;

use gloo::storage::{SessionStorage, Storage};
use leptos::prelude::*;

use crate::format::{count, number};
use crate::protocol::TimelineView as Shown;
use crate::store::Store;
use chart::{Chart, ends};
use input::STEP;
use marks::CLASSES;
use minimap::Minimap;
use scale::Span;
use stage::Stage;
use table::Twin;

/// What the reader's choice of the table is remembered by.
const AS_TABLE: &str = "huddle-timeline-as-table";

/// The signs of the classes, as text.
const SIGNS: [&str; 7] = ["●", "■", "▲", "✕", "◆", "✓", "·"];

/// So many pairs of agents are named where arrows are too many to be drawn.
const PAIRS: usize = 4;

/// Draws the timeline.
#[component]
pub fn TimelineView() -> impl IntoView {
    let store = Store::of_page();
    let chart = Chart::new(store);
    chart.listen();
    let table = RwSignal::new(SessionStorage::get(AS_TABLE).unwrap_or(false));
    // Remembering is a convenience: a browser may refuse it.
    Effect::new(move || _ = SessionStorage::set(AS_TABLE, table.get()));
    let empty = Memo::new(move |_| chart.shown.with(|shown| shown.as_ref().map(|shown| shown.lanes.is_empty())));
    let body = move || match (empty.get(), table.get()) {
        (Some(true), _) => view! { <Empty chart/> }.into_any(),
        (_, true) => view! { <Twin chart/> }.into_any(),
        _ => view! { <Minimap chart/> <Stage chart/> }.into_any(),
    };
    view! {
        <section class="timeline" aria-label="Timeline">
            <Tools chart table/>
            {body}
            <Foot chart/>
        </section>
    }
}

/// Draws what is said of the window, and the buttons that change it.
#[component]
fn Tools(chart: Chart, table: RwSignal<bool>) -> impl IntoView {
    let said = move || chart.shown.with(|shown| shown.as_ref().map(|shown| summary(shown)));
    let whole = move || chart.span.with(Option::is_none);
    view! {
        <div class="tl-tools">
            <p class="tl-said">{said}</p>
            <div class="tl-buttons" role="group" aria-label="Window">
                <button type="button" title="Zoom out (s)" aria-label="Zoom out" on:click=move |_| chart.zoom(1.0 / STEP)>"−"</button>
                <button type="button" title="Zoom in (w)" aria-label="Zoom in" on:click=move |_| chart.zoom(STEP)>"+"</button>
                <button type="button" title="Earlier (a)" aria-label="Earlier" on:click=move |_| chart.pan(-0.5)>"‹"</button>
                <button type="button" title="Later (d)" aria-label="Later" on:click=move |_| chart.pan(0.5)>"›"</button>
                <button type="button" title="Show all (0)" disabled=whole on:click=move |_| chart.show_all()>"Show all"</button>
                <button type="button" aria-pressed=move || table.get().to_string()
                    on:click=move |_| table.update(|table| *table = !*table)>"As a table"</button>
            </div>
        </div>
    }
}

/// Says how much is to be seen, and of when.
fn summary(shown: &Shown) -> String {
    if shown.lanes.is_empty() {
        return String::new();
    }
    let all: u32 = shown.counts.iter().sum();
    let seen = Span { start: shown.start as f64, end: shown.end as f64 };
    format!("{} · {}", count(all.into(), "message"), ends(shown, seen))
}

/// Draws the legend, and says what is not drawn.
#[component]
fn Foot(chart: Chart) -> impl IntoView {
    let untimed = Memo::new(move |_| chart.shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.untimed)));
    let said = Memo::new(move |_| chart.shown.with(|shown| shown.as_deref().map(messages).unwrap_or_default()));
    let left_out = move || match untimed.get() {
        0 => None,
        1 => Some("1 message has no time and is not shown here.".to_owned()),
        many => Some(format!("{} messages have no time and are not shown here.", number(many.into()))),
    };
    let sign = |(class, name): (usize, &'static str)| view! { <li><span class=format!("tl-sign tl-{name}") aria-hidden="true">{SIGNS[class]}</span>{name}</li> };
    view! {
        <footer class="tl-foot">
            <ul class="tl-legend" aria-label="Shapes">
                {CLASSES.into_iter().enumerate().map(sign).collect_view()}
                <li><span class="tl-sign tl-high" aria-hidden="true">"●"</span>"high severity"</li>
                <li><span class="tl-sign tl-medium" aria-hidden="true">"●"</span>"medium"</li>
                <li><span class="tl-sign tl-dense" aria-hidden="true"></span>"many"</li>
                <li><span class="tl-sign tl-idle" aria-hidden="true"></span>"idle, folded"</li>
            </ul>
            <p class="tl-pairs" title=said>{said}</p>
            {move || left_out().map(|said| view! { <p class="tl-untimed">{said}</p> })}
        </footer>
    }
}

/// Says how messages are drawn: as arrows, or, where these are too many, not at all; then who writes to whom is named.
fn messages(shown: &Shown) -> String {
    if shown.pairs.is_empty() {
        return match shown.arrows.len() {
            0 => "No messages from lane to lane here.".to_owned(),
            1 => "The arrow shows who wrote to whom.".to_owned(),
            many => format!("{} arrows show who wrote to whom.", number(many as u64)),
        };
    }
    let name = |lane: u32| shown.lanes.get(lane as usize).map_or("?", String::as_str);
    let busiest = busiest(shown, PAIRS);
    let named: Vec<String> = busiest
        .iter()
        .map(|(from, to, count)| format!("{} → {} {}", name(*from), name(*to), number((*count).into())))
        .collect();
    let more = match shown.pairs.len() - busiest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("Zoom in to see arrows. Most is written by {}{more}.", named.join(", "))
}

/// Gives the pairs of lanes with the most messages, those with the most first.
fn busiest(shown: &Shown, limit: usize) -> Vec<(u32, u32, u32)> {
    let mut pairs = shown.pairs.clone();
    let order = |one: &(u32, u32, u32), other: &(u32, u32, u32)| other.2.cmp(&one.2).then(one.cmp(other));
    if pairs.len() > limit {
        pairs.select_nth_unstable_by(limit, order);
        pairs.truncate(limit);
    }
    pairs.sort_unstable_by(order);
    pairs
}

/// Says that there is nothing to draw.
#[component]
fn Empty(chart: Chart) -> impl IntoView {
    let said = move || {
        let entries = chart.store.overview.with(|it| it.as_ref().map_or(0, |it| it.entries));
        if entries == 0 {
            "There are no messages yet."
        } else {
            "No message says when it was sent, so there is nothing to draw here."
        }
    };
    view! { <p class="tl-empty">{said}</p> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_pairs_are_named() {
        let shown =
            Shown { lanes: vec!["ann".into(), "bob".into()], pairs: vec![(0, 1, 5), (1, 0, 1204)], ..Shown::default() };
        let said = messages(&shown);
        assert!(said.ends_with("Most is written by bob → ann 1,204, ann → bob 5."), "{said}");
        let many = Shown { pairs: (0..9).map(|count| (0, 1, count)).collect(), ..shown };
        assert!(messages(&many).ends_with("ann → bob 5 and 5 more."), "{}", messages(&many));
        assert_eq!(messages(&Shown::default()), "No messages from lane to lane here.");
    }

    #[test]
    fn the_window_is_summed_up() {
        let shown =
            Shown { lanes: vec!["ann".into()], counts: vec![3], end: 9_000_000, length: 9_000_000, ..Shown::default() };
        assert_eq!(summary(&shown), "3 messages · 1970-01-01 00:00:00.000 – 00:00:08.999");
        assert_eq!(summary(&Shown::default()), "");
    }
}

// TODO(convert)
/// Draws the timeline.
pub fn timeline_view() -> crate::dom::El {
    crate::dom::hosted(|| view! { <TimelineView/> }.into_any())
}
