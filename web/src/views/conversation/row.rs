//! One row of the list: a message, or the head of a conversation.

use std::sync::Arc;

use leptos::prelude::*;

use super::virtual_list::VirtualList;
use crate::components::body::Body;
use crate::components::message::{AgentName, Kind, Marks, People};
use crate::components::text::Text;
use crate::format;
use crate::protocol::{Head, Key, Line, Row};
use huddle_web_model::list::pages::Slot;
use huddle_web_model::list::words;

/// From this depth on, answers are not moved in any further.
const DEEPEST: u32 = 6;
/// How many who take part in a conversation are named above it.
const NAMED: usize = 6;

/// A row.
#[component]
pub fn RowView(list: VirtualList, item: Slot) -> impl IntoView {
    match item.row.clone().as_deref() {
        None => view! { <Waiting list index=item.index /> }.into_any(),
        Some(Row::Head(head)) => view! { <HeadRow list index=item.index head=head.clone() /> }.into_any(),
        Some(Row::Said(line)) => view! { <MessageRow list item=item line=line.clone() /> }.into_any(),
    }
}

/// The place of a row that is on its way.
#[component]
fn Waiting(list: VirtualList, index: u32) -> impl IntoView {
    let height = list.update(|state| state.expected_height());
    view! {
        <div class="row waiting" data-index=index.to_string() aria-hidden="true" style:height=format!("{height:.2}px")></div>
    }
}

#[component]
fn HeadRow(list: VirtualList, index: u32, head: Head) -> impl IntoView {
    let (title, spoken) = (words::title(&head).to_owned(), words::spoken_head(&head));
    let size = move || list.total.get().unwrap_or_default().to_string();
    let is_single = head.count == 1;
    // Of one message, its own row says all: there is only a line between it and what is above.
    let inside = if is_single {
        view! { <h3 class="unseen">{title}</h3> }.into_any()
    } else {
        let start =
            head.start.map(|at| format::moment(at).get(..16).unwrap_or_default().to_owned()).unwrap_or_default();
        let mark = |count: u32, what: &'static str, class: &'static str| {
            (count > 0).then(|| view! { <span class=class>{format!("{count} {what}")}</span> })
        };
        let full = title.clone();
        let names = head.participants.iter().take(NAMED).cloned();
        let more = head.participants.len().saturating_sub(NAMED);
        view! {
            <h3 class="title" title=full>{title}</h3>
            <span class="people">
                {names.map(|name| view! { <AgentName name /> }).collect_view()}
                {(more > 0).then(|| view! { <span class="quiet">{format!("and {more} more")}</span> })}
            </span>
            <span class="sum">{format!("{start} · {}", words::sum(&head))}</span>
            <span class="marks">
                {mark(head.hits, "found", "mark hits")} {mark(head.unanswered, "unanswered", "mark unanswered")}
            </span>
        }
        .into_any()
    };
    view! {
        <article
            class=if is_single { "row head single" } else { "row head" }
            data-index=index.to_string()
            data-first=head.first
            tabindex="-1"
            aria-posinset=(index + 1).to_string()
            aria-setsize=size
            aria-label=spoken
        >
            {inside}
        </article>
    }
}

#[component]
fn MessageRow(list: VirtualList, item: Slot, line: Line) -> impl IntoView {
    let key = StoredValue::new(line.key.clone());
    let is_current = move || list.selection.key.with(|selected| key.with_value(|key| selected.as_ref() == Some(key)));
    let is_open = Memo::new(move |_| list.open.with(|open| key.with_value(|key| open.contains(key))));
    let size = move || list.total.get().unwrap_or_default().to_string();
    let day = item.new_day.then(|| line.at.map(format::day)).flatten();
    let mut class = format!("row said depth-{} is-{}", line.depth.min(DEEPEST), line.class);
    for (name, is_so) in [(" hit", line.hit), (" apart", item.apart), (" new-day", day.is_some())] {
        class.push_str(if is_so { name } else { "" });
    }
    // What has no subject is known by its beginning: that stands in both lines, once.
    let is_begun = words::begins(&line);
    let is_short = words::is_short(&line);
    let preview =
        |line: &Line| (!is_begun && !line.preview.is_empty()).then(|| view! { <Text text=line.preview.clone() /> });
    let inline =
        is_short.then(|| preview(&line).map(|text| view! { " "<span class="preview">{text}</span> })).flatten();
    let below = (!is_short).then(|| preview(&line).map(|text| view! { <div class="preview">{text}</div> })).flatten();
    let subject = if is_begun { line.preview.clone() } else { line.subject.clone() };
    view! {
        <article
            class=class
            class:is-open=move || is_open.get()
            data-index=item.index.to_string()
            data-key=line.key.clone()
            tabindex="-1"
            aria-posinset=(item.index + 1).to_string()
            aria-setsize=size
            aria-label=words::spoken(&line)
            aria-current=move || is_current().then_some("true")
        >
            {day.map(|day| view! { <div class="day">{day}</div> })}
            <div class="line">
                <button
                    class="fold"
                    type="button"
                    tabindex="-1"
                    aria-label="What it says"
                    aria-expanded=move || is_open.get().to_string()
                ></button>
                <span class="when">
                    <time>{line.at.map(format::clock).unwrap_or_default()}</time>
                    <span class="gap" title=words::gap(line.gap)>{words::gap(line.gap)}</span>
                </span>
                <span class="who" title=words::from_to(&line)><People line=line.clone() /></span>
                <Kind line=line.clone() />
                <span class=if is_begun { "subject two" } else { "subject" }><Text text=subject />{inline}</span>
                <span class="marks"><Marks line=line.clone() /></span>
            </div>
            {below}
            {move || is_open.get().then(|| view! { <Opened list key=key.get_value() /> })}
        </article>
    }
}

/// What a message says, in place.
#[component]
fn Opened(list: VirtualList, key: Key) -> impl IntoView {
    let find = |open: &[(Key, Arc<crate::protocol::Body>)]| {
        open.iter().find(|(known, _)| *known == key).map(|(_, said)| (**said).clone())
    };
    let said = list.update(|state| find(&state.open));
    said.map(|said| view! { <div class="opened"><Body said /></div> })
}
