//! The timeline as a table: the same window, for readers who cannot or would not look at the drawing.

use leptos::prelude::*;

use super::controller::TimelineController;
use crate::components::focus::keep_focus;
use crate::components::name::LongName;
use crate::components::panels::Found;
use crate::format::{clock, number};
use crate::protocol::{Line, Request, Response};
use huddle_web_model::timeline::table::{Summary, caption, named, said_of_list, summaries};

/// So many messages of a lane are listed.
const LIMIT: u32 = 200;

/// The columns, and whether each holds numbers.
const COLUMNS: [(&str, bool); 9] = [
    ("Agent", false),
    ("Messages", true),
    ("Errors", true),
    ("Findings", true),
    ("Worst", false),
    ("Found", true),
    ("First", false),
    ("Last", false),
    ("Wrote to", false),
];

const MESSAGE_COLUMNS: [(&str, bool); 4] = [("Time", false), ("To", false), ("Kind", false), ("Message", false)];

/// Shows the table, and the messages of the lane that is chosen.
#[component]
pub(super) fn TimelineTable(timeline: TimelineController) -> impl IntoView {
    let chosen = RwSignal::new(None::<u32>);
    let shown = timeline.shown;
    // Rows are updated in place, so the keyboard stays where it is.
    let rows = move || {
        let rows = shown.with(|shown| shown.as_deref().map(summaries).unwrap_or_default());
        rows.into_iter().map(|row| view! { <LaneRow timeline chosen row /> }).collect_view()
    };
    view! {
        <div class="tl-twin" tabindex="0" role="region" aria-label="Timeline as a table">
            <table>
                <caption>{move || shown.with(|shown| shown.as_deref().map(caption))}</caption>
                <Heads columns=&COLUMNS />
                <tbody>{rows}</tbody>
            </table>
            <Messages timeline chosen />
        </div>
    }
}

#[component]
fn Heads(columns: &'static [(&'static str, bool)]) -> impl IntoView {
    let heads = columns.iter().map(|(name, is_number)| {
        view! { <th scope="col" class=is_number.then_some("tl-number")>{*name}</th> }
    });
    view! { <thead><tr>{heads.collect_view()}</tr></thead> }
}

#[component]
fn LaneRow(timeline: TimelineController, chosen: RwSignal<Option<u32>>, row: Summary) -> impl IntoView {
    let lane = row.lane;
    let toggle = move |_| chosen.update(|chosen| *chosen = Some(lane).filter(|lane| *chosen != Some(*lane)));
    let class = match row.name.as_str() {
        "" => "tl-nobody".to_owned(),
        name => format!("agent hue-{}", timeline.settings.color(name)),
    };
    let name = named(&row.name).to_owned();
    let title = format!("Messages of {name}");
    let count = |count: u32| view! { <td class="tl-number">{number(count.into())}</td> };
    view! {
        <tr>
            <th scope="row">
                <button
                    type="button"
                    class="tl-lane"
                    title=title
                    aria-expanded=move || (chosen.get() == Some(lane)).to_string()
                    on:click=toggle
                >
                    <span class=class><LongName name /></span>
                </button>
            </th>
            {count(row.messages)}
            {count(row.errors)}
            {count(row.findings)}
            <td>{row.worst}</td>
            {count(row.hits)}
            <td>{row.first}</td>
            <td>{row.last}</td>
            <td>{row.wrote_to}</td>
        </tr>
    }
}

/// Lists the messages of the chosen lane.
#[component]
fn Messages(timeline: TimelineController, chosen: RwSignal<Option<u32>>) -> impl IntoView {
    let shown = timeline.shown;
    let reply = timeline.dataset.live(move || {
        let lane = chosen.get()?;
        let (start, end) = shown.with(|shown| shown.as_ref().map(|shown| (shown.start, shown.end)))?;
        Some(Request::Lane { lane, start, end, limit: LIMIT })
    });
    let list = Memo::new(move |_| match reply.get().as_deref() {
        Some(Ok(Response::Lane(list))) => Some(list.clone()),
        _ => None,
    });
    let is_listed = Memo::new(move |_| chosen.get().is_some() && list.with(Option::is_some));
    let caption = move || {
        let list = list.get().unwrap_or_default();
        let lane = chosen.get().unwrap_or_default() as usize;
        let name = shown.with(|shown| shown.as_ref().and_then(|shown| shown.lanes.get(lane).cloned()));
        said_of_list(named(&name.unwrap_or_default()), list.lines.len(), list.total)
    };
    let lines = move || {
        keep_focus();
        list.get().unwrap_or_default().lines
    };
    view! {
        <Show when=move || is_listed.get()>
            <table class="tl-messages">
                <caption aria-live="polite">{caption}</caption>
                <Heads columns=&MESSAGE_COLUMNS />
                <tbody>
                    <For each=lines key=|line| (line.key.clone(), line.hit) let(line)>
                        <MessageRow timeline line />
                    </For>
                </tbody>
            </table>
        </Show>
    }
}

/// Shows one message as a row, whose button selects it.
#[component]
fn MessageRow(timeline: TimelineController, line: Line) -> impl IntoView {
    let key = line.key.clone();
    let is_selected = Memo::new(move |_| timeline.selection.key.with(|selected| selected.as_ref() == Some(&key)));
    let kind = if line.severity.is_empty() { line.kind } else { format!("{}, {}", line.kind, line.severity) };
    let subject = if line.subject.is_empty() { "without a subject".to_owned() } else { line.subject };
    let key = line.key;
    view! {
        <tr class:tl-selected=move || is_selected.get()>
            <td>{line.at.map(clock)}</td>
            <td>{line.to}</td>
            <td>{kind}</td>
            <td>
                <button
                    type="button"
                    class="tl-pick"
                    aria-pressed=move || is_selected.get().to_string()
                    on:click=move |_| timeline.selection.select(key.clone())
                >
                    {subject}
                </button>
                " "
                <Found hit=line.hit />
            </td>
        </tr>
    }
}
