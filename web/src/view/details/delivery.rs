//! What became of the selected message with each of its recipients.

use crate::dom::{El, el};
use crate::format;
use crate::protocol::Details;
use crate::protocol::message::Delivery;
use crate::store::Store;
use crate::view::conversation::row::agent;

/// Recipients beyond these are folded.
const SHOWN: usize = 12;

/// Draws what became of each recipient's copy.
pub(super) fn deliveries(store: Store, details: &Details) -> Vec<El> {
    let deliveries = details.deliveries.as_slice();
    if deliveries.is_empty() {
        return Vec::new();
    }
    let list = |part: &[Delivery]| el("ul").class("deliveries").all(part.iter().map(|it| delivery(store, it)));
    let (shown, rest) = deliveries.split_at(deliveries.len().min(SHOWN));
    let rest = (!rest.is_empty()).then(|| {
        let sum = format!("{} more", format::number(rest.len() as u64));
        el("details").class("deep").with(el("summary").text(&sum)).with(list(rest))
    });
    vec![el("section").with(el("h3").text("Delivery")).with(list(shown)).maybe(rest)]
}

fn delivery(store: Store, delivery: &Delivery) -> El {
    let owed = match (delivery.overdue, delivery.unanswered, delivery.unread) {
        (true, ..) => "overdue",
        (_, true, _) => "unanswered",
        (.., true) => "unread",
        _ => "",
    };
    let owed = (!owed.is_empty()).then(|| el("span").class(&format!("mark {owed}")).text(owed));
    let again = (delivery.redelivered > 0)
        .then(|| el("span").class("quiet").text(&format!("offered anew {}", times(delivery.redelivered))));
    let about = el("span").class("about").with(agent(store, &delivery.recipient)).maybe(owed).maybe(again);
    let steps = el("ol").class("steps").all(delivery.steps.iter().map(|(step, at)| self::step(step, *at)));
    el("li").with(about).with(steps)
}

fn step(step: &str, at: Option<i64>) -> El {
    let at = at.map(|at| el("time").attr("title", &format::moment(at)).text(&format::clock(at)));
    el("li").class(if step == "dead" { "step dead" } else { "step" }).text(step).maybe(at)
}

fn times(times: u32) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    }
}
