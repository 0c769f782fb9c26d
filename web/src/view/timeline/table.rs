//! The timeline as a table: the same window, for readers who cannot or would not look at the drawing.

use std::rc::Rc;

use leptos::prelude::*;

use super::chart::{Chart, ends};
use super::marks::{ERROR, column_length};
use super::scale::{Span, exact, time_at};
use crate::dom::{El, el};
use crate::format::{clock, count, number, span};
use crate::protocol::{Answer, Ask, Key, Line, TimelineView};
use crate::view::conversation::row::found;
use crate::view::papers::held::hold;

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
pub(super) fn table(chart: Chart) -> El {
    let chosen: RwSignal<Option<u32>> = RwSignal::new(None);
    let body = el("tbody");
    let here = body.clone();
    let rows = move || {
        hold(&here);
        let summaries = chart.shown.get().map(|shown| summaries(&shown)).unwrap_or_default();
        summaries.iter().map(|row| lane(chart, chosen, row)).collect()
    };
    let caption = move || chart.shown.get().map(|shown| caption(&shown)).unwrap_or_default();
    let head = [
        ("Agent", false),
        ("Messages", true),
        ("Errors", true),
        ("Findings", true),
        ("Worst", false),
        ("Found", true),
        ("First", false),
        ("Last", false),
    ];
    let table = el("table").with(el("caption").live_text(caption)).with(heading(&head)).with(body.live(rows));
    let twin = el("div").class("tl-twin").attr("tabindex", "0").attr("role", "region");
    messages(chart, chosen, twin.attr("aria-label", "Timeline as a table").with(table))
}

/// Draws the names of columns, and says which hold numbers.
fn heading(names: &[(&str, bool)]) -> El {
    let cell = |(name, number): &(&str, bool)| {
        el("th").attr("scope", "col").attr_if("class", number.then_some("tl-number")).text(name)
    };
    el("thead").with(el("tr").all(names.iter().map(cell)))
}

/// Draws the row of a lane.
fn lane(chart: Chart, chosen: RwSignal<Option<u32>>, row: &Summary) -> El {
    let lane = row.lane;
    let open = move || chosen.get() == Some(lane);
    let toggle = move || chosen.set(Some(lane).filter(|lane| chosen.get_untracked() != Some(*lane)));
    let class =
        if row.name.is_empty() { "tl-nobody".to_owned() } else { format!("agent hue-{}", chart.store.hue(&row.name)) };
    let name = named(&row.name);
    let button = el("button").attr("type", "button").class("tl-lane").attr("title", &format!("Messages of {name}"));
    let button = button.live_attr("aria-expanded", move || Some(open().to_string())).press(toggle);
    let number = |many: u32| el("td").class("tl-number").text(&number(many.into()));
    el("tr")
        .with(el("th").attr("scope", "row").with(button.with(el("span").class(&class).text(name))))
        .with(number(row.messages))
        .with(number(row.errors))
        .with(number(row.findings))
        .with(el("td").text(row.worst))
        .with(number(row.hits))
        .with(el("td").text(&row.first))
        .with(el("td").text(&row.last))
}

/// Draws the messages of the chosen lane into the twin.
fn messages(chart: Chart, chosen: RwSignal<Option<u32>>, twin: El) -> El {
    let answer = chart.store.answer(move || {
        let (shown, lane) = (chart.shown.get()?, chosen.get()?);
        Some(Ask::Lane { lane, start: shown.start, end: shown.end, limit: LIMIT })
    });
    let here = twin.clone();
    twin.live_one(move || {
        hold(&here);
        let lane = chosen.get()?;
        let answer = answer.get()?;
        let Answer::Lane(list) = &*answer else { return None };
        let name = chart.view().and_then(|view| view.lanes.get(lane as usize).cloned()).unwrap_or_default();
        let caption = said_of_list(named(&name), list.lines.len(), list.total);
        let head = [("Time", false), ("To", false), ("Kind", false), ("Message", false)];
        let rows = list.lines.iter().map(|line| message(chart, line));
        let table = el("table").class("tl-messages").with(el("caption").attr("aria-live", "polite").text(&caption));
        Some(table.with(heading(&head)).with(el("tbody").all(rows)))
    })
}

/// Draws one message as a row, whose button selects it.
fn message(chart: Chart, line: &Line) -> El {
    let key: Rc<Key> = Rc::new(line.key.clone());
    let (seen, pressed) = (key.clone(), key.clone());
    let is_selected = move |key: &Key| chart.store.place.with(|place| place.selected.as_ref() == Some(key));
    let kind = if line.severity.is_empty() { line.kind.clone() } else { format!("{}, {}", line.kind, line.severity) };
    let subject = if line.subject.is_empty() { "without a subject" } else { &line.subject };
    let button = el("button").attr("type", "button").class("tl-pick").text(subject);
    let button = button.live_attr("aria-pressed", move || Some(is_selected(&pressed).to_string()));
    let button = button.press(move || chart.store.select((*key).clone()));
    el("tr")
        .live_class("tl-selected", move || is_selected(&seen))
        .with(el("td").text(&line.at.map(clock).unwrap_or_default()))
        .with(el("td").text(&line.to))
        .with(el("td").text(&kind))
        .with(el("td").with(button).text(" ").maybe(found(line.hit)))
}

fn named(name: &str) -> &str {
    if name.is_empty() { "no author" } else { name }
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
        if column > 1_000_000 { format!(" First and last are exact to {}.", span(column)) } else { String::new() };
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
