//! Sessions: when each began and ended, and how far its agents are.

use leptos::prelude::*;

use crate::components::panels::{Moment, Panel, SignWord, state};
use crate::protocol::papers::SessionCard;
use huddle_web_model::agents::cards::tally;

/// Lists the sessions, if there are any.
#[component]
pub(super) fn Sessions(sessions: Vec<SessionCard>) -> impl IntoView {
    let count = sessions.len();
    (count > 0).then(|| {
        let rows = sessions.into_iter().map(|card| view! { <Session card /> }).collect_view();
        view! {
            <Panel title="Sessions" count>
                <ul class="sessions">{rows}</ul>
            </Panel>
        }
    })
}

#[component]
fn Session(card: SessionCard) -> impl IntoView {
    let states = tally(&card).into_iter().map(|(word, count)| {
        let mut sign = state(word);
        sign.word = format!("{count} {}", sign.word);
        view! { <li><SignWord sign /></li> }
    });
    let states = states.collect_view();
    let end = match card.closed {
        Some(_) => view! { " – " <Moment at=card.closed /> }.into_any(),
        None => ", not closed".into_any(),
    };
    view! {
        <li>
            <code class="id">{card.id}</code>
            {card.started.map(|_| view! { <span class="quiet"><Moment at=card.started />{end}</span> })}
            <ul class="tally" aria-label="States of its agents">{states}</ul>
        </li>
    }
}
