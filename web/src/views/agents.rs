//! Agents: who there is, who talks to whom, and who waits for whom.

mod matrix;
mod sessions;
mod table;
mod waits;

use leptos::prelude::*;

use crate::components::panels::{Empty, Panels};
use crate::protocol::{AgentsView as Answer, Request, Response};
use matrix::Matrix;
use sessions::Sessions;
use table::{AgentTable, Sorting};
use waits::Waits;

/// Shows all agents.
#[component]
pub fn AgentsView() -> impl IntoView {
    let sorting = RwSignal::new(Sorting::default());
    let draw = move |response: &Response| match response {
        Response::Agents(all) => Some(everything(sorting, all)),
        _ => None,
    };
    view! { <Panels view="agents" request=Request::Agents draw /> }
}

fn everything(sorting: RwSignal<Sorting>, all: &Answer) -> AnyView {
    if all.agents.is_empty() {
        let hint = "Agents that are registered, send something or receive something are listed here.";
        return view! { <Empty title="No agents." hint /> }.into_any();
    }
    view! {
        <AgentTable sorting agents=all.agents.clone() searching=all.searching />
        <Matrix agents=all.agents.clone() talk=all.talk.clone() />
        <Waits agents=all.agents.clone() />
        <Sessions sessions=all.sessions.clone() />
    }
    .into_any()
}
