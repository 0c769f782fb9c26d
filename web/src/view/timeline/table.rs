//! The timeline as a table: the same window, for readers who cannot or would not look at the drawing.

use std::rc::Rc;

use leptos::prelude::*;

use super::chart::Chart;
use crate::dom::{El, el};
use crate::format::{clock, number};
use crate::protocol::{Key, Line, Request, Response};
use crate::view::conversation::row::found;
use crate::view::papers::held::hold;
use huddle_web_model::timeline::table::{Summary, caption, named, said_of_list, summaries};

/// So many messages of a lane are listed.
const LIMIT: u32 = 200;

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
    let reply = chart.store.live(move || {
        let (shown, lane) = (chart.shown.get()?, chosen.get()?);
        Some(Request::Lane { lane, start: shown.start, end: shown.end, limit: LIMIT })
    });
    let here = twin.clone();
    twin.live_one(move || {
        hold(&here);
        let lane = chosen.get()?;
        let reply = reply.get()?;
        let Ok(Response::Lane(list)) = &*reply else { return None };
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
