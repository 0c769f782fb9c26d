//! Handoffs and shared contexts.

mod contexts;

use super::body::body;
use super::papers::{agent, artifact, empty, file_button, name_of, paper, quiet, sheet, sign, state, there, time};
use crate::dom::{El, el};
use crate::protocol::papers::{HandoffCard, StateCard};
use crate::protocol::{Request, Response, papers};
use crate::store::Store;
use crate::view::conversation::row::found;

/// What buttons say that open the file of something shared.
const OPEN: &str = "Open the file";

/// Draws what is shared.
pub fn shared_view() -> El {
    let store = Store::of_page();
    let draw = move |answer: &Response| match answer {
        Response::Shared(all) => Some(everything(store, all)),
        _ => None,
    };
    sheet(store, "shared", Request::Shared, Box::new(draw))
}

fn everything(store: Store, all: &papers::SharedView) -> Vec<El> {
    if all.handoffs.is_empty() && all.contexts.is_empty() && all.states.is_empty() {
        let would = "Work that one agent hands to another (handoffs/), documents that agents extend together \
                     (shared-context/), and the orchestrator's shared state (.claude/state/) would stand here.";
        return vec![empty("Nothing is shared.", would)];
    }
    there(vec![handoffs(store, &all.handoffs), contexts::contexts(store, &all.contexts), states(store, &all.states)])
}

fn handoffs(store: Store, handoffs: &[HandoffCard]) -> Option<El> {
    let cards = handoffs.iter().map(|card| handoff(store, card));
    (!handoffs.is_empty()).then(|| paper("Handoffs", Some(handoffs.len())).all(cards))
}

fn handoff(store: Store, card: &HandoffCard) -> El {
    let task = if card.task.is_empty() { "It is not said what" } else { &card.task };
    let to = agent(store, &card.to);
    let by = el("p").class("by").maybe(agent(store, &card.from));
    let by = if to.is_some() { by.text(" → ").maybe(to) } else { by };
    let by = by.with(moment(card.at)).with(file_button(store, "small end", OPEN, Some(&card.id), &card.file));
    let notes = (!card.notes.is_empty()).then(|| el("p").class("text saying").text(&card.notes));
    let artifacts = (!card.artifacts.is_empty()).then(|| {
        let rows = card.artifacts.iter().map(|one| el("li").with(artifact(store, one, name_of(&one.path))));
        el("ul").class("files").all(rows)
    });
    let documents = card
        .documents
        .iter()
        .map(|(title, text)| el("details").with(el("summary").text(title)).with(el("p").class("text").text(text)));
    el("article")
        .class("card handoff")
        .attr("data-handoff", &card.id)
        .with(el("header").with(el("h3").text(task)).maybe(found(card.hit)).with(sign(&state(&card.status))))
        .with(by)
        .maybe(decided(store, card))
        .maybe(notes)
        .maybe(artifacts)
        .all(documents)
}

/// Draws when something was.
fn moment(at: Option<i64>) -> El {
    el("span").class("quiet").maybe(time(at))
}

/// Draws who decided on a handoff, and when.
fn decided(store: Store, card: &HandoffCard) -> Option<El> {
    let (who, at) = card.decided.as_ref()?;
    let words = el("p").class("by").text(&state(&card.status).word);
    let who = agent(store, who);
    let words = if who.is_some() { words.text(" by ").maybe(who) } else { words };
    Some(words.with(moment(*at)))
}

fn states(store: Store, states: &[StateCard]) -> Option<El> {
    let cards = states.iter().map(|card| shared_state(store, card));
    (!states.is_empty()).then(|| paper("Shared state", None).all(cards))
}

fn shared_state(store: Store, card: &StateCard) -> El {
    let objective = if card.objective.is_empty() { "No objective" } else { &card.objective };
    let header = el("header").with(el("h3").text(objective)).with(version(card.version)).with(file_button(
        store,
        "small end",
        OPEN,
        None,
        &card.file,
    ));
    el("article").class("card").with(header).with(el("div").class("structure").with(body(&card.body)))
}

/// Draws which version it is.
fn version(number: u64) -> El {
    quiet("version ").text(&number.to_string())
}
