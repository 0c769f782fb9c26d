//! The timeline as a table: the same window, for readers who cannot or would not look at the drawing.

use leptos::prelude::*;

use super::chart::{Chart, ends};
use super::marks::{ERROR, column_length};
use super::scale::{Span, exact, time_at};
use crate::format::{clock, count, number, span};
use crate::protocol::{Answer, Ask, Line, TimelineView};

/// So many messages of a lane are listed.
const LIMIT: u32 = 200;

/// So many lanes are listed; more of them nobody reads, and each would cost.
const LANES: usize = 500;

/// What is said of a lane.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Summary {
    lane: u32,
    name: String,
    messages: u32,
    errors: u32,
    findings: u32,
    /// How much the worst of them matters, in a word.
    worst: &'static str,
    hits: u32,
    first: String,
    last: String,
}

/// Draws the table, and the messages of the lane that is chosen.
#[component]
pub fn Twin(
    /// The timeline's state.
    chart: Chart,
) -> impl IntoView {
    let chosen: RwSignal<Option<u32>> = RwSignal::new(None);
    let rows = move || chart.shown.with(|shown| shown.as_ref().map(|shown| summaries(shown)).unwrap_or_default());
    let caption = move || chart.shown.with(|shown| shown.as_ref().map(|shown| caption(shown)));
    let row = move |row: Summary| view! { <Row chart chosen row/> };
    view! {
        <div class="tl-twin" tabindex="0" role="region" aria-label="Timeline as a table">
            <table>
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Agent"</th>
                        <th scope="col" class="tl-number">"Messages"</th>
                        <th scope="col" class="tl-number">"Errors"</th>
                        <th scope="col" class="tl-number">"Findings"</th>
                        <th scope="col">"Worst"</th>
                        <th scope="col" class="tl-number">"Found"</th>
                        <th scope="col">"First"</th>
                        <th scope="col">"Last"</th>
                    </tr>
                </thead>
                <tbody>{move || rows().into_iter().map(row).collect_view()}</tbody>
            </table>
            <Messages chart chosen/>
        </div>
    }
}

/// Draws the row of a lane.
#[component]
fn Row(chart: Chart, chosen: RwSignal<Option<u32>>, row: Summary) -> impl IntoView {
    let lane = row.lane;
    let open = move || chosen.get() == Some(lane);
    let toggle = move |_| chosen.update(|chosen| *chosen = if *chosen == Some(lane) { None } else { Some(lane) });
    let class =
        if row.name.is_empty() { "tl-nobody".to_owned() } else { format!("agent hue-{}", chart.store.hue(&row.name)) };
    let name = named(&row.name);
    let label = format!("Messages of {name}");
    view! {
        <tr>
            <th scope="row">
                <button type="button" class="tl-lane" aria-expanded=move || open().to_string() title=label on:click=toggle>
                    <span class=class>{name}</span>
                </button>
            </th>
            <td class="tl-number">{number(row.messages.into())}</td>
            <td class="tl-number">{number(row.errors.into())}</td>
            <td class="tl-number">{number(row.findings.into())}</td>
            <td>{row.worst}</td>
            <td class="tl-number">{number(row.hits.into())}</td>
            <td>{row.first}</td>
            <td>{row.last}</td>
        </tr>
    }
}

/// Draws the messages of the chosen lane.
#[component]
fn Messages(chart: Chart, chosen: RwSignal<Option<u32>>) -> impl IntoView {
    let window = Memo::new(move |_| chart.shown.with(|shown| shown.as_ref().map(|shown| (shown.start, shown.end))));
    let answer = chart.store.answer(move || {
        let ((start, end), lane) = (window.get()?, chosen.get()?);
        Some(Ask::Lane { lane, start, end, limit: LIMIT })
    });
    let name = move || {
        let lane = chosen.get().unwrap_or_default() as usize;
        chart.shown.with(|shown| shown.as_ref().and_then(|shown| shown.lanes.get(lane).cloned())).unwrap_or_default()
    };
    let draw = move |lines: &[Line], total: u32| {
        let rows = lines.iter().map(|line| view! { <Message chart line=line.clone()/> }).collect_view();
        let caption = said_of_list(&named(&name()), lines.len(), total);
        view! {
            <table class="tl-messages">
                <caption aria-live="polite">{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Time"</th>
                        <th scope="col">"To"</th>
                        <th scope="col">"Kind"</th>
                        <th scope="col">"Message"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        }
    };
    move || {
        chosen.get()?;
        match answer.get().as_deref() {
            Some(Answer::Lane(lane)) => Some(draw(&lane.lines, lane.total)),
            _ => None,
        }
    }
}

/// Draws one message as a row, whose button selects it.
#[component]
fn Message(chart: Chart, line: Line) -> impl IntoView {
    let key = StoredValue::new(line.key);
    let selected = Memo::new(move |_| {
        chart.store.place.with(|place| place.selected.as_ref().is_some_and(|it| key.with_value(|key| it == key)))
    });
    let kind = if line.severity.is_empty() { line.kind } else { format!("{}, {}", line.kind, line.severity) };
    view! {
        <tr class:tl-selected=selected>
            <td>{line.at.map(clock)}</td>
            <td>{line.to}</td>
            <td>{kind}</td>
            <td>
                <button type="button" class="tl-pick" aria-pressed=move || selected.get().to_string()
                    on:click=move |_| chart.store.select(key.get_value())>
                    {if line.subject.is_empty() { "without a subject".to_owned() } else { line.subject }}
                </button>
                {line.hit.then(|| view! { <span class="tl-found">"found"</span> })}
            </td>
        </tr>
    }
}

fn named(name: &str) -> String {
    if name.is_empty() { "no author".to_owned() } else { name.to_owned() }
}

fn said_of_list(name: &str, listed: usize, total: u32) -> String {
    if listed as u32 == total {
        return format!("{} of {name} in this window", count(total.into(), "message"));
    }
    format!("The first {listed} of {} of {name} in this window", count(total.into(), "message"))
}

/// Says what the table is of, and how exact its times are.
fn caption(view: &TimelineView) -> String {
    let seen = Span { start: view.start as f64, end: view.end as f64 };
    let column = column_length(view) as i64;
    let exact =
        if column > 1_000_000 { format!(" First and last are told to {}.", span(column)) } else { String::new() };
    let more = match view.lanes.len().saturating_sub(LANES) {
        0 => String::new(),
        more => format!(" {} more are not listed.", count(more as u64, "lane")),
    };
    format!("Who sent how much from {}.{exact}{more}", ends(view, seen).replace(" – ", " to "))
}

/// Sums up each lane.
fn summaries(view: &TimelineView) -> Vec<Summary> {
    let column = column_length(view);
    let at = |place: u32| {
        let position = view.start as f64 + f64::from(place) * column;
        exact(time_at(view, position), view.end as f64 - view.start as f64)
    };
    let lanes = view.lanes.iter().zip(&view.counts).enumerate().take(LANES);
    let sum = |(lane, (name, messages)): (usize, (&String, &u32))| {
        let first = view.cells.partition_point(|cell| (cell.lane as usize) < lane);
        let after = view.cells.partition_point(|cell| (cell.lane as usize) <= lane);
        let cells = view.cells.get(first..after).unwrap_or_default();
        let severity = cells.iter().map(|cell| cell.severity).max().unwrap_or(0);
        Summary {
            lane: lane as u32,
            name: name.clone(),
            messages: *messages,
            errors: cells.iter().map(|cell| cell.classes[ERROR]).sum(),
            findings: cells.iter().map(|cell| cell.classes[2]).sum(),
            worst: ["", "low", "medium", "high"].get(usize::from(severity)).copied().unwrap_or_default(),
            hits: cells.iter().map(|cell| cell.hits).sum(),
            first: cells.first().map(|cell| at(cell.column)).unwrap_or_default(),
            last: cells.last().map(|cell| at(cell.column)).unwrap_or_default(),
        }
    };
    lanes.map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::time::Cell;

    #[test]
    fn lanes_are_summed_up() {
        let cell = |lane, column, count, severity| Cell {
            lane,
            column,
            count,
            severity,
            hits: 1,
            classes: [0, 0, 1, count - 1, 0, 0, 0],
            ..Cell::default()
        };
        let view = TimelineView {
            end: 10_000_000,
            length: 10_000_000,
            columns: 10,
            lanes: vec!["ann".into(), "bob".into(), String::new()],
            counts: vec![3, 1, 0],
            cells: vec![cell(0, 1, 2, 1), cell(0, 4, 1, 3), cell(1, 9, 1, 0)],
            ..TimelineView::default()
        };
        let rows = summaries(&view);
        let ann = &rows[0];
        assert_eq!((ann.messages, ann.errors, ann.findings, ann.hits, ann.worst), (3, 1, 2, 2, "high"));
        assert_eq!((ann.first.as_str(), ann.last.as_str()), ("00:00:01.000", "00:00:04.000"));
        assert_eq!((rows[1].worst, rows[1].first.as_str()), ("", "00:00:09.000"));
        assert_eq!((rows[2].name.as_str(), rows[2].first.as_str()), ("", ""));
        assert_eq!(caption(&view), "Who sent how much from 1970-01-01 00:00:00.000 to 00:00:09.999.");
    }

    #[test]
    fn a_list_that_is_cut_says_so() {
        assert_eq!(said_of_list("ann", 3, 3), "3 messages of ann in this window");
        assert_eq!(said_of_list("ann", 200, 1204), "The first 200 of 1,204 messages of ann in this window");
    }
}
