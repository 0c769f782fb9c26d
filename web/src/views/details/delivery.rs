//! What became of the selected message with each of its recipients.

use std::sync::Arc;

use leptos::prelude::*;

use crate::components::message::AgentName;
use crate::format;
use crate::protocol::Details;
use crate::protocol::message::Delivery as Copy;

/// Recipients beyond these are folded.
const SHOWN: usize = 12;

/// What became of each recipient's copy.
#[component]
pub fn Deliveries(details: Arc<Details>) -> impl IntoView {
    let (shown, rest) = details.deliveries.split_at(details.deliveries.len().min(SHOWN));
    let list = |part: &[Copy]| {
        let items = part.iter().cloned().map(|copy| view! { <Delivery copy /> }).collect_view();
        view! { <ul class="deliveries">{items}</ul> }
    };
    let more = (!rest.is_empty()).then(|| {
        let summary = format!("{} more", format::number(rest.len() as u64));
        view! { <details class="deep"><summary>{summary}</summary>{list(rest)}</details> }
    });
    (!shown.is_empty()).then(|| view! { <section><h3>"Delivery"</h3>{list(shown)}{more}</section> })
}

#[component]
fn Delivery(copy: Copy) -> impl IntoView {
    let owed = match (copy.overdue, copy.unanswered, copy.unread) {
        (true, ..) => "overdue",
        (_, true, _) => "unanswered",
        (.., true) => "unread",
        _ => "",
    };
    let owed = (!owed.is_empty()).then(|| view! { <span class=format!("mark {owed}")>{owed}</span> });
    let again = (copy.redelivered > 0)
        .then(|| view! { <span class="quiet">{format!("offered anew {}", times(copy.redelivered))}</span> });
    let steps = copy.steps.into_iter().map(|(step, at)| {
        let class = if step == "dead" { "step dead" } else { "step" };
        let at = at.map(|at| view! { <time title=format::moment(at)>{format::clock(at)}</time> });
        view! { <li class=class>{step} {at}</li> }
    });
    view! {
        <li>
            <span class="about"><AgentName name=copy.recipient />{owed} {again}</span>
            <ol class="steps">{steps.collect_view()}</ol>
        </li>
    }
}

fn times(times: u32) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    }
}
