//! Who talks to whom: a row for each sender, a column for each recipient.

use leptos::prelude::*;

use crate::components::name::{AgentName, find, term};
use crate::components::panels::{Panel, Scroll};
use crate::format;
use crate::protocol::papers::AgentCard;
use crate::state::{RouteState, use_store};
use huddle_web_model::agents::matrix::{arranged, shade};

/// How many agents are shown at most.
const MOST: usize = 24;

/// Shows who talks to whom, if anybody does.
#[component]
pub(super) fn Matrix(agents: Vec<AgentCard>, talk: Vec<(u32, u32, u32)>) -> impl IntoView {
    let names: Vec<&str> = agents.iter().map(|card| card.name.as_str()).collect();
    let matrix = arranged(&talk, MOST, &names);
    let names: Vec<String> = matrix.shown.iter().map(|place| names[*place as usize].to_owned()).collect();
    let most = matrix.counts.iter().flatten().copied().max().unwrap_or_default();
    (!matrix.shown.is_empty()).then(|| {
        let left_out = (matrix.left_out > 0).then(|| {
            let text = format!("Only the {MOST} who talk most are shown; {} more are not.", matrix.left_out);
            view! { <p class="quiet">{text}</p> }
        });
        let heads = names.iter().map(|name| view! { <th scope="col"><AgentName name=name.clone() /></th> });
        let heads = heads.collect_view();
        let rows = names.iter().zip(matrix.counts).map(|(from, counts)| {
            let cells = counts.into_iter().zip(&names);
            let cells = cells.map(|(count, to)| view! { <Cell from=from.clone() to=to.clone() count most /> });
            let cells = cells.collect_view();
            view! { <tr><th scope="row"><AgentName name=from.clone() /></th>{cells}</tr> }
        });
        let rows = rows.collect_view();
        let caption = "How many messages, from the agent of the row to the agent of the column";
        view! {
            <Panel title="Who talks to whom">
                {left_out}
                <Scroll label="Who talks to whom">
                    <table class="matrix">
                        <caption class="unseen">{caption}</caption>
                        <thead>
                            <tr>
                                <td class="corner"><span>"from ↓"</span><span>"to →"</span></td>
                                {heads}
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </Scroll>
            </Panel>
        }
    })
}

#[component]
fn Cell(from: String, to: String, count: u32, most: u32) -> impl IntoView {
    let route = use_store::<RouteState>();
    if count == 0 {
        return view! { <td class=if from == to { "self" } else { "" }></td> }.into_any();
    }
    let query = format!("{} {}", term("from", &from), term("to", &to));
    let label = format!("{} from {from} to {to}", format::count(count.into(), "message"));
    view! {
        <td class=format!("shade-{}", shade(count, most))>
            <button
                type="button"
                class="cell"
                title=label.clone()
                aria-label=label
                on:click=move |_| find(route, query.clone())
            >
                {format::number(count.into())}
            </button>
        </td>
    }
    .into_any()
}
