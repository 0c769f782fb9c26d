//! Agents: who there is, who talks to whom, and who waits for whom.

mod graph;
mod matrix;
mod waits;

use leptos::prelude::*;

use super::papers::{agent, answer, empty, find, heading, instead, severities, sign, state, term, time, when};
use crate::format;
use crate::protocol::papers::{AgentCard, SessionCard};
use crate::protocol::{Answer, Ask, papers};
use crate::store::Store;

/// Draws the agents.
#[component]
pub fn AgentsView() -> impl IntoView {
    let store = Store::of_page();
    let answer = answer(store, Ask::Agents);
    let drawn = move || match answer.get().as_deref() {
        Some(Answer::Agents(all)) => everybody(store, all),
        other => instead(other),
    };
    view! { <div class="papers" data-view="agents">{drawn}</div> }
}

fn everybody(store: Store, all: &papers::AgentsView) -> AnyView {
    if all.agents.is_empty() {
        return empty("No agents.", "Everybody who is registered, sends something or gets something stands here.");
    }
    view! {
        {table(store, &all.agents)}
        {matrix::matrix(store, all)}
        {waits::waits(store, &all.agents)}
        {sessions(&all.sessions)}
    }
    .into_any()
}

/// Draws a row for each agent.
fn table(store: Store, agents: &[AgentCard]) -> AnyView {
    let one_day = is_one_day(agents);
    let rows = agents.iter().map(|card| row(store, card, one_day)).collect_view();
    view! {
        <section class="paper">
            {heading("Agents", Some(agents.len()))}
            <div class="scroll" tabindex="0" role="region" aria-label="Agents">
                <table class="agents">
                    <thead>
                        <tr>
                            <th scope="col">"Agent"</th>
                            <th scope="col">"State"</th>
                            <th scope="col" class="many">"Sent"</th>
                            <th scope="col" class="many">"Got"</th>
                            <th scope="col" class="many">"Unread"</th>
                            <th scope="col" class="many">"Overdue"</th>
                            <th scope="col">"Severity"</th>
                            <th scope="col" class="kinds">"Sends mostly"</th>
                            <th scope="col">"Seen"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}

fn row(store: Store, card: &AgentCard, one_day: bool) -> AnyView {
    let role = (!card.role.is_empty()).then(|| view! { <span class="below">{card.role.clone()}</span> });
    let note = (!card.note.is_empty()).then(|| view! { <span class="below">{card.note.clone()}</span> });
    let kinds: Vec<String> = card.kinds.iter().take(3).map(|(kind, many)| format!("{kind} {many}")).collect();
    let waiting = term("to", &card.name) + " is:unread";
    let late = term("to", &card.name) + " is:overdue";
    view! {
        <tr data-agent=card.name.clone()>
            <th scope="row">{agent(store, &card.name)}{role}</th>
            <td class="state">{sign(&state(&card.state))}{note}</td>
            <td class="many">{format::number(card.sent.into())}</td>
            <td class="many">{format::number(card.received.into())}</td>
            <td class="many">{counted(store, card.unread, "unread", &card.name, waiting, "pending")}</td>
            <td class="many">{counted(store, card.overdue, "overdue", &card.name, late, "late")}</td>
            <td>{severities(card.severities)}</td>
            <td class="kinds">{kinds.join(", ")}</td>
            <td class="seen">{seen(card, one_day)}</td>
        </tr>
    }
    .into_any()
}

/// Draws a count that leads to what was counted; nothing to go to is just a number.
fn counted(store: Store, many: u32, what: &str, name: &str, query: String, class: &'static str) -> AnyView {
    if many == 0 {
        return view! { <span class="quiet">"0"</span> }.into_any();
    }
    let label = format!("{many} {what} by {name}");
    view! {
        <button type="button" class=format!("plain {class}") aria-label=label on:click=move |_| find(store, query.clone())>
            {format::number(many.into())}
        </button>
    }
    .into_any()
}

/// Says whether all that was seen of agents was seen on one day: then the day need not be said of each.
fn is_one_day(agents: &[AgentCard]) -> bool {
    let mut days = agents.iter().filter_map(|card| card.span).flat_map(|(first, last)| [first, last]).map(format::day);
    let first = days.next();
    days.all(|day| Some(&day) == first.as_ref())
}

/// Draws when there were signs of an agent, and its longest silence.
fn seen(card: &AgentCard, one_day: bool) -> AnyView {
    let Some((first, last)) = card.span else { return view! { <span class="quiet">"never"</span> }.into_any() };
    let silence = card.silence.filter(|(from, to)| to > from).map(|(from, to)| {
        let exact = format!("from {} to {} UTC", format::moment(from), format::moment(to));
        view! { <span class="below" title=exact>"silent for "{format::span(to - from)}</span> }
    });
    let short = |at: i64| {
        let shown = when(at);
        let shown = if one_day { shown.get(11..).unwrap_or_default().to_owned() } else { shown };
        view! { <time title=format!("{} UTC", format::moment(at))>{shown}</time> }
    };
    view! { <span class="span">{short(first)}" – "{short(last)}</span>{silence} }.into_any()
}

/// Draws the sessions.
fn sessions(sessions: &[SessionCard]) -> AnyView {
    if sessions.is_empty() {
        return ().into_any();
    }
    let rows = sessions.iter().map(session).collect_view();
    view! {
        <section class="paper">
            {heading("Sessions", Some(sessions.len()))}
            <ul class="sessions">{rows}</ul>
        </section>
    }
    .into_any()
}

fn session(card: &SessionCard) -> AnyView {
    let ended = match card.closed {
        Some(_) => view! { " – "{time(card.closed)} }.into_any(),
        None => view! { ", not closed" }.into_any(),
    };
    let began = card.started.map(|_| view! { <span class="quiet">{time(card.started)}{ended}</span> });
    let states = tally(card).into_iter().map(|(word, many)| {
        let mut shown = state(word);
        shown.word = format!("{many} {}", shown.word);
        view! { <li>{sign(&shown)}</li> }
    });
    view! {
        <li>
            <code class="id">{card.id.clone()}</code>
            {began}
            <ul class="tally" aria-label="States of its agents">{states.collect_view()}</ul>
        </li>
    }
    .into_any()
}

/// Counts the states of a session's agents, most frequent first.
fn tally(card: &SessionCard) -> Vec<(&str, u32)> {
    let mut tally: Vec<(&str, u32)> = Vec::new();
    for (_, state, _) in &card.agents {
        match tally.iter_mut().find(|(known, _)| known == state) {
            Some((_, many)) => *many += 1,
            None => tally.push((state, 1)),
        }
    }
    tally.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_said_where_there_are_several() {
        let day = 86_400_000_000;
        let of = |span| AgentCard { span, ..AgentCard::default() };
        assert!(is_one_day(&[of(Some((1, day - 1))), of(None)]));
        assert!(!is_one_day(&[of(Some((1, 2))), of(Some((day, day)))]));
    }

    #[test]
    fn states_are_counted() {
        let agents = ["waiting", "completed", "completed"].map(|state| (String::new(), state.to_owned(), Vec::new()));
        let card = SessionCard { agents: agents.into(), ..SessionCard::default() };
        assert_eq!(tally(&card), [("completed", 2), ("waiting", 1)]);
    }
}
