//! Reports: what agents found, and what is to be done about it.

mod findings;

use super::papers::{
    agent, artifact, button, empty, file_button, find, named, paper, quiet, severities, severity, sheet, sign, state,
    there, time,
};
use crate::dom::{El, el};
use crate::format;
use crate::protocol::papers::{Artifact, ReportCard};
use crate::protocol::{Line, Request, Response, papers};
use crate::store::Store;
use crate::view::conversation::row::found;

/// Draws the reports.
pub fn reports_view() -> El {
    let store = Store::of_page();
    let wanted = findings::Wanted::default();
    let draw = move |answer: &Response| match answer {
        Response::Reports(all) => Some(everything(store, wanted, all)),
        _ => None,
    };
    sheet(store, "reports", Request::Reports, Box::new(draw))
}

fn everything(store: Store, wanted: findings::Wanted, all: &papers::ReportsView) -> Vec<El> {
    let nothing =
        all.reports.is_empty() && all.findings.is_empty() && all.logged.is_empty() && all.artifacts.is_empty();
    if nothing {
        let would = "Agents of a session keep their reports in reports/NAME.json, and log what they find as messages of \
                     type finding. Both would stand here, with what is to be done next.";
        return vec![empty("No reports.", would)];
    }
    there(vec![
        findings::findings(store, wanted, &all.findings),
        logged(store, &all.logged, all.logged_total),
        sayings(store, "Next actions", "actions", &all.next_actions),
        summaries(store, &all.reports),
        sayings(store, "Worth automating", "suggestions", &all.suggestions),
        artifacts(store, &all.artifacts),
    ])
}

/// Draws findings that were logged as messages.
fn logged(store: Store, lines: &[Line], total: u32) -> Option<El> {
    if lines.is_empty() {
        return None;
    }
    let rows = el("ul").class("logged").all(lines.iter().map(|line| logged_row(store, line)));
    let more = u64::from(total).saturating_sub(lines.len() as u64);
    let more = (more > 0).then(|| {
        let press = move || find(store, "type:finding".to_owned());
        button("plain more", press).text(&format!("and {} more", format::number(more)))
    });
    Some(paper("Found along the way", Some(total as usize)).with(rows).maybe(more))
}

fn logged_row(store: Store, line: &Line) -> El {
    let key = line.key.clone();
    let day = line.at.map(|at| format!("{} UTC", format::moment(at))).unwrap_or_default();
    let at = line.at.map(format::clock).unwrap_or_default();
    let row = button("found-row", move || store.show(key.clone()))
        .attr("data-key", &line.key)
        .with(sign(&severity(&line.severity)))
        .with(el("span").class("subject").maybe(found(line.hit)).text(" ").text(&line.subject))
        .with(named(store, &line.from))
        .with(quiet(&at).attr("title", &day));
    el("li").with(row)
}

/// Draws what agents said, each with who said it.
fn sayings(store: Store, title: &str, class: &str, sayings: &[(String, String)]) -> Option<El> {
    let rows = sayings
        .iter()
        .map(|(who, what)| el("li").with(el("span").class("what").text(what)).text(" ").maybe(agent(store, who)));
    (!sayings.is_empty()).then(|| paper(title, Some(sayings.len())).with(el("ul").class(class).all(rows)))
}

/// Draws what each report sums up to.
fn summaries(store: Store, reports: &[ReportCard]) -> Option<El> {
    let cards = reports.iter().map(|card| summary(store, card));
    (!reports.is_empty()).then(|| paper("Reports", Some(reports.len())).with(el("div").class("summaries").all(cards)))
}

fn summary(store: Store, card: &ReportCard) -> El {
    let metrics = (!card.metrics.is_empty()).then(|| {
        let metrics = card
            .metrics
            .iter()
            .map(|(name, value)| el("div").with(el("dt").text(&name.replace('_', " "))).with(el("dd").text(value)));
        el("dl").class("metrics").all(metrics)
    });
    let who = agent(store, &card.agent).unwrap_or_else(|| quiet("nobody"));
    let header = el("header")
        .with(el("h3").with(who))
        .with(sign(&state(&card.status)))
        .with(severities(card.severities))
        .with(el("span").class("quiet end").maybe(time(card.at)));
    el("article")
        .class("card")
        .attr("data-agent", &card.agent)
        .with(header)
        .with(el("p").class("text").text(&card.summary))
        .maybe(metrics)
        .with(file_button(store, "small", "Open the report", Some(&card.agent), &card.file))
}

/// Draws the files that others refer to.
fn artifacts(store: Store, artifacts: &[Artifact]) -> Option<El> {
    let rows = artifacts.iter().map(|one| {
        let file = el("li").with(artifact(store, one, &one.path));
        match agent(store, &one.agent) {
            Some(who) => file.text(" ").with(who),
            None => file,
        }
    });
    (!artifacts.is_empty()).then(|| paper("Artifacts", Some(artifacts.len())).with(el("ul").class("files").all(rows)))
}
