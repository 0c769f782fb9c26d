//! Findings of all reports, by severity; some of them, when only some are wanted.

use leptos::prelude::*;

use super::super::papers::{agent, copy_button, heading, location, severity, sign};
use crate::format;
use crate::protocol::Passage;
use crate::protocol::papers::ReportFinding;
use crate::store::Store;

/// The severities that the protocol knows; whatever else there is comes last.
const KNOWN: [&str; 3] = ["high", "medium", "low"];

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

/// Gives what there is of something, with how often, in the order of first appearance.
fn tally<'a>(values: impl Iterator<Item = &'a str>) -> Vec<(String, usize)> {
    let mut tally: Vec<(String, usize)> = Vec::new();
    for value in values {
        match tally.iter_mut().find(|(known, _)| known == value) {
            Some((_, many)) => *many += 1,
            None => tally.push((value.to_owned(), 1)),
        }
    }
    tally
}

/// Gives the severities in the order they matter, with how many findings have each.
fn by_severity(findings: &[ReportFinding]) -> Vec<(String, usize)> {
    let mut tally = tally(findings.iter().map(|finding| finding.severity.as_str()));
    tally.sort_by_key(|(name, _)| KNOWN.iter().position(|known| known == name).unwrap_or(KNOWN.len()));
    tally
}

/// Draws the findings.
pub(super) fn findings(store: Store, wanted: Wanted, findings: &[ReportFinding]) -> AnyView {
    if findings.is_empty() {
        return ().into_any();
    }
    let severities = by_severity(findings);
    let agents = tally(findings.iter().map(|finding| finding.agent.as_str()));
    let all = StoredValue::new(findings.to_vec());
    let order: Vec<String> = severities.iter().map(|(name, _)| name.clone()).collect();
    let groups = move || {
        let groups = order.iter().map(|name| all.with_value(|all| group(store, wanted, name, all))).collect_view();
        let none = all.with_value(|all| !all.iter().any(|finding| wanted.takes(finding)));
        let none = none.then(|| view! { <p class="quiet" role="status">"No finding is of both."</p> });
        view! { {none}{groups} }
    };
    view! {
        <section class="paper">
            {heading("Findings", Some(findings.len()))}
            <div class="filters">
                {filter("Severity", wanted.severity, severities, |name| sign(&severity(name)))}
                {filter("Agent", wanted.agent, agents, move |name| {
                    view! { <span class=format!("agent hue-{}", store.hue(name))>{name.to_owned()}</span> }.into_any()
                })}
            </div>
            {groups}
        </section>
    }
    .into_any()
}

/// Draws buttons, one for each value; with less than two there is nothing to choose.
fn filter(
    name: &'static str,
    wanted: RwSignal<Option<String>>,
    values: Vec<(String, usize)>,
    draw: impl Fn(&str) -> AnyView,
) -> AnyView {
    if values.len() < 2 {
        return ().into_any();
    }
    let buttons = values.into_iter().map(|(value, many)| {
        let drawn = draw(&value);
        let this = value.clone();
        let pressed = move || wanted.with(|one| one.as_deref() == Some(&this)).to_string();
        let click =
            move |_| wanted.update(|one| *one = Some(value.clone()).filter(|value| one.as_ref() != Some(value)));
        view! {
            <button type="button" class="pick" aria-pressed=pressed on:click=click>
                {drawn}" "<span class="papers-count">{many}</span>
            </button>
        }
    });
    view! { <div class="picks" role="group" aria-label=name>{buttons.collect_view()}</div> }.into_any()
}

/// Draws the findings of one severity, as far as they are wanted.
fn group(store: Store, wanted: Wanted, name: &str, all: &[ReportFinding]) -> Option<AnyView> {
    let here = all.iter().zip(0_u32..).filter(|(finding, _)| finding.severity == name && wanted.takes(finding));
    let drawn: Vec<AnyView> = here.map(|(finding, number)| one(store, finding, number)).collect();
    if drawn.is_empty() {
        return None;
    }
    let mut shown = severity(name);
    shown.word = format!("{} {}", format::number(drawn.len() as u64), shown.word);
    Some(view! { <h3 class="group">{sign(&shown)}</h3><div class="findings">{drawn}</div> }.into_any())
}

fn one(store: Store, finding: &ReportFinding, number: u32) -> AnyView {
    let example = (!finding.example.is_empty()).then(|| {
        view! { <pre><code>{finding.example.clone()}</code></pre> }
    });
    let todo = (!finding.recommendation.is_empty()).then(|| {
        view! { <p class="todo"><span class="label">"Do "</span>{finding.recommendation.clone()}</p> }
    });
    let text = (finding.description != finding.title && !finding.description.is_empty())
        .then(|| view! { <p class="text">{finding.description.clone()}</p> });
    let tone = severity(&finding.severity).tone;
    view! {
        <article class=format!("card finding edge-{tone}") data-index=number>
            <header>
                <h4>{finding.title.clone()}</h4>
                {copy_button(store, Passage::Finding(number), &finding.title)}
            </header>
            <p class="by">
                {agent(store, &finding.agent)}
                <span class="quiet">{finding.kind.clone()}</span>
                {location(store, &finding.location)}
            </p>
            {text}
            {todo}
            {example}
        </article>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_come_in_the_order_they_matter() {
        let findings = ["low", "dire", "high", "low"];
        let findings = findings.map(|severity| ReportFinding { severity: severity.into(), ..ReportFinding::default() });
        let wanted = [("high", 1), ("low", 2), ("dire", 1)].map(|(name, many)| (name.to_owned(), many));
        assert_eq!(by_severity(&findings), wanted);
    }
}
