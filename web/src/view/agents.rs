//! Agents: who there is, who talks to whom, and who waits for whom.

mod matrix;
mod waits;

use leptos::prelude::*;

use super::papers::{
    agent, button, empty, find, paper, quiet, severities, sheet, sign, state, term, there, time, when,
};
use crate::dom::{El, el};
use crate::format;
use crate::protocol::papers::{AgentCard, SessionCard};
use crate::protocol::{Request, Response, papers};
use crate::store::Store;
use huddle_web_model::agents::cards::{is_one_day, tally};

/// Draws the agents.
pub fn agents_view() -> El {
    let store = Store::of_page();
    let draw = move |answer: &Response| match answer {
        Response::Agents(all) => Some(everybody(store, all)),
        _ => None,
    };
    sheet(store, "agents", Request::Agents, Box::new(draw))
}

fn everybody(store: Store, all: &papers::AgentsView) -> Vec<El> {
    if all.agents.is_empty() {
        return vec![empty(
            "No agents.",
            "Everybody who is registered, sends something or gets something stands here.",
        )];
    }
    there(vec![
        Some(table(store, &all.agents, all.searching)),
        matrix::matrix(store, all),
        waits::waits(store, &all.agents),
        sessions(&all.sessions),
    ])
}

/// How many agents have a row of their own.
const MOST: usize = 500;

/// The columns: their classes and their names. What may need somebody comes first; what is found is listed while something is
/// searched for.
const COLUMNS: [(Option<&str>, &str); 10] = [
    (None, "Agent"),
    (None, "State"),
    (Some("many"), FOUND),
    (Some("many"), "Unread"),
    (Some("many"), "Overdue"),
    (Some("many"), "Sent"),
    (Some("many"), "Got"),
    (None, "Severity"),
    (Some("kinds"), "Sends mostly"),
    (None, "Seen"),
];

const FOUND: &str = "Found";

/// Draws a row for each agent, as far as somebody would read them.
fn table(store: Store, agents: &[AgentCard], searching: bool) -> El {
    let one_day = is_one_day(agents);
    let columns = COLUMNS.iter().filter(|(_, name)| searching || *name != FOUND);
    let heads = columns.map(|(class, name)| el("th").attr("scope", "col").attr_if("class", *class).text(name));
    let query = store.place.with_untracked(|place| searching.then(|| place.query.clone()));
    let rows = agents.iter().take(MOST).map(|card| row(store, card, one_day, query.as_deref()));
    let table = el("table").class("agents").with(el("thead").with(el("tr").all(heads))).with(el("tbody").all(rows));
    let left_out = agents.len().saturating_sub(MOST);
    let left_out = (left_out > 0).then(|| {
        let told =
            format!("Only the first {MOST} by name are listed; {} more are not.", format::number(left_out as u64));
        el("p").class("quiet").text(&told)
    });
    paper("Agents", Some(agents.len())).maybe(left_out).with(scroll("Agents").with(table))
}

/// Begins a part that is moved sideways when it is too wide.
fn scroll(label: &str) -> El {
    el("div").class("scroll").attr("tabindex", "0").attr("role", "region").attr("aria-label", label)
}

fn row(store: Store, card: &AgentCard, one_day: bool, query: Option<&str>) -> El {
    let kinds: Vec<String> = card.kinds.iter().take(3).map(|(kind, many)| format!("{kind} {many}")).collect();
    let waiting = term("to", &card.name) + " is:unread";
    let late = term("to", &card.name) + " is:overdue";
    let name = agent(store, &card.name).unwrap_or_else(|| quiet("nobody"));
    let many = || el("td").class("many");
    let found = query.map(|query| {
        let found = format!("{} ({query})", term("from", &card.name));
        many().with(counted(store, card.found, "found", &card.name, found, "plain"))
    });
    el("tr")
        .attr("data-agent", &card.name)
        .with(el("th").attr("scope", "row").with(name).maybe(below(&card.role)))
        .with(el("td").class("state").with(sign(&state(&card.state))).maybe(below(&card.note)))
        .maybe(found)
        .with(many().with(counted(store, card.unread, "unread", &card.name, waiting, "plain pending")))
        .with(many().with(counted(store, card.overdue, "overdue", &card.name, late, "plain late")))
        .with(many().text(&format::number(card.sent.into())))
        .with(many().text(&format::number(card.received.into())))
        .with(el("td").with(severities(card.severities)))
        .with(el("td").class("kinds").text(&kinds.join(", ")))
        .with(seen(card, one_day))
}

/// Draws words below others, if there are any.
fn below(words: &str) -> Option<El> {
    (!words.is_empty()).then(|| el("span").class("below").text(words))
}

/// Draws a count that leads to what was counted; nothing to go to is just a number.
fn counted(store: Store, many: u32, what: &str, name: &str, query: String, class: &str) -> El {
    if many == 0 {
        return quiet("0");
    }
    let label = format!("{many} {what} by {name}");
    let drawn = button(class, move || find(store, query.clone()));
    drawn.attr("aria-label", &label).text(&format::number(many.into()))
}

/// Draws when there were signs of an agent, and its longest silence.
fn seen(card: &AgentCard, one_day: bool) -> El {
    let cell = el("td").class("seen");
    let Some((first, last)) = card.span else { return cell.with(quiet("never")) };
    let silence = card.silence.filter(|(from, to)| to > from).map(|(from, to)| {
        let exact = format!("from {} to {} UTC", format::moment(from), format::moment(to));
        el("span").class("below").attr("title", &exact).text("silent for ").text(&format::span(to - from))
    });
    let short = |at: i64| {
        let shown = when(at);
        let shown = if one_day { shown.get(11..).unwrap_or_default() } else { &shown };
        el("time").attr("title", &format!("{} UTC", format::moment(at))).text(shown)
    };
    let span = el("span").class("span").with(short(first)).text(" – ").with(short(last));
    cell.with(span).maybe(silence)
}

/// Draws the sessions.
fn sessions(sessions: &[SessionCard]) -> Option<El> {
    if sessions.is_empty() {
        return None;
    }
    let list = el("ul").class("sessions").all(sessions.iter().map(session));
    Some(paper("Sessions", Some(sessions.len())).with(list))
}

fn session(card: &SessionCard) -> El {
    let began = card.started.map(|_| {
        let began = el("span").class("quiet").maybe(time(card.started));
        match card.closed {
            Some(_) => began.text(" – ").maybe(time(card.closed)),
            None => began.text(", not closed"),
        }
    });
    let states = tally(card).into_iter().map(|(word, many)| {
        let mut shown = state(word);
        shown.word = format!("{many} {}", shown.word);
        el("li").with(sign(&shown))
    });
    let states = el("ul").class("tally").attr("aria-label", "States of its agents").all(states);
    el("li").with(el("code").class("id").text(&card.id)).maybe(began).with(states)
}
