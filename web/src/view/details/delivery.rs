//! What became of the selected message with each of its recipients.

use leptos::prelude::*;

use crate::format;
use crate::protocol::Details;
use crate::protocol::said::Delivery;
use crate::store::Store;
use crate::view::conversation::row::agent;

/// Recipients beyond these are folded.
const SHOWN: usize = 12;

/// Draws what became of each recipient's copy.
pub(super) fn deliveries(store: Store, details: &Details) -> AnyView {
    let deliveries = details.deliveries.as_slice();
    if deliveries.is_empty() {
        return ().into_any();
    }
    let draw = |deliveries: &[Delivery]| -> Vec<_> { deliveries.iter().map(|it| delivery(store, it)).collect() };
    let (shown, rest) = deliveries.split_at(deliveries.len().min(SHOWN));
    let rest = (!rest.is_empty()).then(|| {
        let sum = format!("{} more", format::number(rest.len() as u64));
        view! { <details class="deep"><summary>{sum}</summary><ul class="deliveries">{draw(rest)}</ul></details> }
    });
    let shown = draw(shown);
    view! { <section><h3>"Delivery"</h3><ul class="deliveries">{shown}</ul>{rest}</section> }.into_any()
}

fn delivery(store: Store, delivery: &Delivery) -> AnyView {
    let steps: Vec<_> = delivery.steps.iter().map(|(step, at)| self::step(step, *at)).collect();
    let owed = match (delivery.overdue, delivery.unanswered) {
        (true, _) => Some("overdue"),
        (_, true) => Some("unanswered"),
        _ => None,
    };
    let owed = owed.or(delivery.unread.then_some("unread"));
    let owed = owed.map(|name| view! { <span class=format!("mark {name}")>{name}</span> });
    let again = (delivery.redelivered > 0)
        .then(|| view! { <span class="quiet">{format!("offered anew {}", times(delivery.redelivered))}</span> });
    view! {
        <li><span class="about">{agent(store, &delivery.recipient)}{owed}{again}</span><ol class="steps">{steps}</ol></li>
    }
    .into_any()
}

fn step(step: &str, at: Option<i64>) -> AnyView {
    let class = if step == "dead" { "step dead" } else { "step" };
    let at = at.map(|at| view! { <time title=format::moment(at)>{format::clock(at)}</time> });
    view! { <li class=class>{step.to_owned()}{at}</li> }.into_any()
}

fn times(times: u32) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    }
}
