//! The table of agents, sorted by any of its columns.

use leptos::prelude::*;

use crate::components::name::{AgentLink, find, term};
use crate::components::panels::{Panel, Scroll, Severities, SignWord, state, when};
use crate::format;
use crate::protocol::papers::AgentCard;
use crate::state::{RouteState, use_store};
use huddle_web_model::agents::cards::{Column, is_one_day, sorted};

/// How many agents have a row of their own.
const MOST: usize = 500;

/// By which column rows are sorted, and whether in reverse.
pub(super) type Sorting = (Column, bool);

/// Lists agents in a table, a row each, as far as anybody would read them.
#[component]
pub(super) fn AgentTable(sorting: RwSignal<Sorting>, agents: Vec<AgentCard>, searching: bool) -> impl IntoView {
    let one_day = is_one_day(&agents);
    let route = use_store::<RouteState>();
    let query = route.route.with_untracked(|route| searching.then(|| route.query.clone()));
    let total = agents.len();
    let left_out = (total > MOST).then(|| {
        let more = format::number((total - MOST) as u64);
        view! { <p class="quiet">{format!("Only the first {MOST} are listed; {more} more are not.")}</p> }
    });
    let heads = Column::ALL.into_iter().filter(move |column| searching || *column != Column::Found);
    let rows = move || {
        let (column, reverse) = sorting.get();
        let shown = sorted(agents.clone(), column, reverse).into_iter().take(MOST);
        shown.map(|card| view! { <AgentRow card one_day query=query.clone() /> }).collect_view()
    };
    view! {
        <Panel title="Agents" count=total>
            {left_out}
            <Scroll label="Agents">
                <table class="agents">
                    <thead>
                        <tr>{heads.map(|column| view! { <Head column sorting /> }).collect_view()}</tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </Scroll>
        </Panel>
    }
}

/// Names a column; pressing it sorts by it, pressing it again in reverse.
#[component]
fn Head(column: Column, sorting: RwSignal<Sorting>) -> impl IntoView {
    let direction = move || match sorting.get() {
        (by, false) if by == column => Some(if column.is_count() { "descending" } else { "ascending" }),
        (by, true) if by == column => Some(if column.is_count() { "ascending" } else { "descending" }),
        _ => None,
    };
    let sort = move |_| sorting.update(|(by, reverse)| (*by, *reverse) = (column, *by == column && !*reverse));
    view! {
        <th scope="col" class=column.class() aria-sort=direction>
            <button type="button" class="sorts" on:click=sort>
                {column.title()}
            </button>
        </th>
    }
}

#[component]
fn AgentRow(card: AgentCard, one_day: bool, query: Option<String>) -> impl IntoView {
    let kinds: Vec<String> = card.kinds.iter().take(3).map(|(kind, count)| format!("{kind} {count}")).collect();
    let (from, to) = (term("from", &card.name), term("to", &card.name));
    let counted = |count: u32, what: &'static str, class: &'static str, query: String| {
        view! {
            <td class="many">
                <CountLink count what class name=card.name.clone() query />
            </td>
        }
    };
    let name = match card.name.is_empty() {
        true => view! { <span class="quiet">"nobody"</span> }.into_any(),
        false => view! { <AgentLink name=card.name.clone() silent=card.sent == 0 /> }.into_any(),
    };
    view! {
        <tr data-agent=card.name.clone()>
            <th scope="row">{name} <Below text=card.role /></th>
            <td class="state">
                <SignWord sign=state(&card.state) />
                <Below text=card.note />
            </td>
            {query.map(|query| counted(card.found, "found", "plain", format!("{from} ({query})")))}
            {counted(card.unread, "unread", "plain pending", format!("{to} is:unread"))}
            {counted(card.overdue, "overdue", "plain late", format!("{to} is:overdue"))}
            {counted(card.sent, "sent", "plain", from)}
            {counted(card.received, "received", "plain", to)}
            <td>
                <Severities counts=card.severities />
            </td>
            <td class="kinds">{kinds.join(", ")}</td>
            <Seen span=card.span silence=card.silence one_day />
        </tr>
    }
}

/// Shows words below others, if there are any.
#[component]
fn Below(text: String) -> impl IntoView {
    (!text.is_empty()).then(|| view! { <span class="below">{text}</span> })
}

/// Shows a count that leads to what was counted; where there is nothing to lead to, it is just a number.
#[component]
fn CountLink(count: u32, what: &'static str, class: &'static str, name: String, query: String) -> impl IntoView {
    let route = use_store::<RouteState>();
    if count == 0 {
        return view! { <span class="quiet">"0"</span> }.into_any();
    }
    let label = format!("{count} {what} by {name}");
    view! {
        <button type="button" class=class aria-label=label on:click=move |_| find(route, query.clone())>
            {format::number(count.into())}
        </button>
    }
    .into_any()
}

/// Shows when there were signs of an agent, and its longest silence.
#[component]
fn Seen(span: Option<(i64, i64)>, silence: Option<(i64, i64)>, one_day: bool) -> impl IntoView {
    let short = move |at: i64| {
        let shown = when(at);
        let shown = if one_day { shown.get(11..).unwrap_or_default().to_owned() } else { shown };
        view! { <time title=format!("{} UTC", format::moment(at))>{shown}</time> }
    };
    let silence = silence.filter(|(from, to)| to > from).map(|(from, to)| {
        let exact = format!("from {} to {} UTC", format::moment(from), format::moment(to));
        view! { <span class="below" title=exact>"longest silence " {format::span(to - from)}</span> }
    });
    let span = match span {
        Some((first, last)) => view! { <span class="span">{short(first)} " – " {short(last)}</span> }.into_any(),
        None => view! { <span class="quiet">"never"</span> }.into_any(),
    };
    view! { <td class="seen">{span} {silence}</td> }
}
