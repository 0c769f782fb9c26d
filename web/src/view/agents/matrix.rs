//! Who talks to whom: a row for each sender, a column for each recipient.

use super::super::papers::{button, find, named, paper, term};
use super::scroll;
use crate::dom::{El, el};
use crate::format;
use crate::protocol::papers::AgentsView;
use crate::store::Store;
use huddle_web_model::agents::matrix::{arranged, shade};

/// How many agents are shown at most.
const MOST: usize = 24;

/// Draws who talks to whom.
pub(super) fn matrix(store: Store, all: &AgentsView) -> Option<El> {
    let matrix = arranged(&all.talk, MOST);
    if matrix.shown.is_empty() {
        return None;
    }
    let names: Vec<String> = matrix.shown.iter().map(|place| name_of(all, *place)).collect();
    let most = matrix.counts.iter().flatten().copied().max().unwrap_or_default();
    let corner = el("td").class("corner").with(el("span").text("from ↓")).with(el("span").text("to →"));
    let heads = names.iter().map(|name| el("th").attr("scope", "col").with(named(store, name)));
    let rows = names.iter().zip(&matrix.counts).map(|(from, counts)| row(store, from, counts, &names, most));
    let caption = "How many messages, from the agent of the row to the agent of the column";
    let table = el("table")
        .class("matrix")
        .with(el("caption").class("unseen").text(caption))
        .with(el("thead").with(el("tr").with(corner).all(heads)))
        .with(el("tbody").all(rows));
    let left_out = (matrix.left_out > 0).then(|| {
        let told = format!("Only the {MOST} who talk most are shown; {} more are not.", matrix.left_out);
        el("p").class("quiet").text(&told)
    });
    let title = "Who talks to whom";
    Some(paper(title, None).maybe(left_out).with(scroll(title).with(table)))
}

fn name_of(all: &AgentsView, place: u32) -> String {
    all.agents.get(place as usize).map(|card| card.name.clone()).unwrap_or_default()
}

fn row(store: Store, from: &str, counts: &[u32], names: &[String], most: u32) -> El {
    let cells = counts.iter().zip(names).map(|(many, to)| cell(store, from, to, *many, most));
    el("tr").with(el("th").attr("scope", "row").with(named(store, from))).all(cells)
}

fn cell(store: Store, from: &str, to: &str, many: u32, most: u32) -> El {
    if many == 0 {
        return el("td").class(if from == to { "self" } else { "" });
    }
    let query = format!("{} {}", term("from", from), term("to", to));
    let label = format!("{} from {from} to {to}", format::count(many.into(), "message"));
    let count = button("cell", move || find(store, query.clone())).attr("title", &label).attr("aria-label", &label);
    el("td").class(&format!("shade-{}", shade(many, most))).with(count.text(&format::number(many.into())))
}
