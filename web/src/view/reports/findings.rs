//! Findings of all reports, by severity; some of them, when only some are wanted.

use leptos::prelude::*;

use super::super::papers::{agent, button, copy_button, counted, location, named, paper, quiet, severity, sign};
use crate::dom::{El, el};
use crate::format;
use crate::protocol::Passage;
use crate::protocol::papers::ReportFinding;
use crate::store::Store;
use huddle_web_model::findings::{by_severity, tally};

/// Which findings are wanted.
#[derive(Clone, Copy, Default)]
pub(super) struct Wanted {
    severity: RwSignal<Option<String>>,
    agent: RwSignal<Option<String>>,
}

impl Wanted {
    fn takes(self, finding: &ReportFinding) -> bool {
        let is =
            |wanted: RwSignal<Option<String>>, it: &str| wanted.with(|one| one.as_deref().is_none_or(|one| one == it));
        is(self.severity, &finding.severity) && is(self.agent, &finding.agent)
    }
}

/// Draws the findings.
pub(super) fn findings(store: Store, wanted: Wanted, findings: &[ReportFinding]) -> Option<El> {
    if findings.is_empty() {
        return None;
    }
    let severities = by_severity(findings);
    let agents = tally(findings.iter().map(|finding| finding.agent.as_str()));
    let order: Vec<String> = severities.iter().map(|(name, _)| name.clone()).collect();
    let all = findings.to_vec();
    let groups = move || {
        let groups: Vec<El> = order.iter().flat_map(|name| group(store, wanted, name, &all)).collect();
        if groups.is_empty() {
            return vec![el("p").class("quiet").attr("role", "status").text("No finding is of both.")];
        }
        groups
    };
    let filters = el("div")
        .class("filters")
        .maybe(filter("Severity", wanted.severity, severities, &|name| sign(&severity(name))))
        .maybe(filter("Agent", wanted.agent, agents, &|name| named(store, name)));
    Some(paper("Findings", Some(findings.len())).with(filters).live(groups))
}

/// Draws buttons, one for each value; with less than two there is nothing to choose.
fn filter(
    name: &str,
    wanted: RwSignal<Option<String>>,
    values: Vec<(String, usize)>,
    draw: &dyn Fn(&str) -> El,
) -> Option<El> {
    if values.len() < 2 {
        return None;
    }
    let buttons = values.into_iter().map(|(value, many)| {
        let drawn = draw(&value);
        let this = value.clone();
        let pressed = move || Some(wanted.with(|one| one.as_deref() == Some(&this)).to_string());
        let press = move || wanted.update(|one| *one = Some(value.clone()).filter(|value| one.as_ref() != Some(value)));
        button("pick", press).live_attr("aria-pressed", pressed).with(drawn).text(" ").with(counted(many))
    });
    Some(el("div").class("picks").attr("role", "group").attr("aria-label", name).all(buttons))
}

/// Draws the findings of one severity, as far as they are wanted.
fn group(store: Store, wanted: Wanted, name: &str, all: &[ReportFinding]) -> Vec<El> {
    let here = all.iter().zip(0_u32..).filter(|(finding, _)| finding.severity == name && wanted.takes(finding));
    let drawn: Vec<El> = here.map(|(finding, number)| one(store, finding, number)).collect();
    if drawn.is_empty() {
        return drawn;
    }
    let mut shown = severity(name);
    shown.word = format!("{} {}", format::number(drawn.len() as u64), shown.word);
    vec![el("h3").class("group").with(sign(&shown)), el("div").class("findings").all(drawn)]
}

fn one(store: Store, finding: &ReportFinding, number: u32) -> El {
    let text = (finding.description != finding.title && !finding.description.is_empty())
        .then(|| el("p").class("text").text(&finding.description));
    let todo = (!finding.recommendation.is_empty()).then(|| {
        let label = el("span").class("label").text("What to do: ");
        el("p").class("todo").with(label).text(&finding.recommendation)
    });
    // It may be wider than the page, so it can be moved with keys; it is no landmark, because there may be very many.
    let example = (!finding.example.is_empty()).then(|| {
        let group = el("pre").attr("tabindex", "0").attr("role", "group").attr("aria-label", "Example");
        group.with(el("code").text(&finding.example))
    });
    let copy = copy_button(store, Passage::Finding(number, finding.title.clone()), &finding.title);
    let by = el("p")
        .class("by")
        .maybe(agent(store, &finding.agent))
        .with(quiet(&finding.kind))
        .maybe(location(store, &finding.location));
    el("article")
        .class(&format!("card finding edge-{}", severity(&finding.severity).tone))
        .attr("data-index", &number.to_string())
        .with(el("header").with(el("h4").text(&finding.title)).with(copy))
        .with(by)
        .maybe(text)
        .maybe(todo)
        .maybe(example)
}
