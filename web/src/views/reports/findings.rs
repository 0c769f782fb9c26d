//! Findings of all reports, by severity; some of them, when only some are wanted.

use std::sync::Arc;

use leptos::prelude::*;

use crate::components::name::{AgentLink, AgentName};
use crate::components::panels::{CopyButton, Count, Location, Panel, SignWord, severity};
use crate::format;
use crate::protocol::Passage;
use crate::protocol::papers::ReportFinding;
use huddle_web_model::findings::{by_severity, tally};

/// Which findings are wanted: all, unless a severity or an agent is chosen.
#[derive(Clone, Copy, Default)]
pub(super) struct Filter {
    severity: RwSignal<Option<String>>,
    agent: RwSignal<Option<String>>,
}

impl Filter {
    fn takes(self, finding: &ReportFinding) -> bool {
        let is = |wanted: RwSignal<Option<String>>, it: &str| {
            wanted.with(|wanted| wanted.as_deref().is_none_or(|wanted| wanted == it))
        };
        is(self.severity, &finding.severity) && is(self.agent, &finding.agent)
    }
}

/// Lists the findings, if there are any.
#[component]
pub(super) fn Findings(filter: Filter, findings: Vec<ReportFinding>) -> impl IntoView {
    (!findings.is_empty()).then(|| {
        let severities = by_severity(&findings);
        let agents = tally(findings.iter().map(|finding| finding.agent.as_str()));
        let order: Vec<String> = severities.iter().map(|(name, _)| name.clone()).collect();
        let (count, all) = (findings.len(), Arc::new(findings));
        let groups = move || {
            let groups: Vec<_> = order.iter().filter_map(|name| group(filter, name, &all)).collect();
            match groups.is_empty() {
                true => view! { <p class="quiet" role="status">"No finding is of both."</p> }.into_any(),
                false => groups.into_any(),
            }
        };
        view! {
            <Panel title="Findings" count>
                <div class="filters">
                    <Choices
                        label="Severity"
                        wanted=filter.severity
                        values=severities
                        draw=|name| view! { <SignWord sign=severity(&name) /> }.into_any()
                    />
                    <Choices
                        label="Agent"
                        wanted=filter.agent
                        values=agents
                        draw=|name| view! { <AgentName name /> }.into_any()
                    />
                </div>
                {groups}
            </Panel>
        }
    })
}

/// Offers a button for each value; with less than two there is nothing to choose.
#[component]
fn Choices(
    label: &'static str,
    wanted: RwSignal<Option<String>>,
    values: Vec<(String, usize)>,
    draw: fn(String) -> AnyView,
) -> impl IntoView {
    (values.len() > 1).then(|| {
        let buttons = values.into_iter().map(|(value, count)| {
            let drawn = draw(value.clone());
            let this = value.clone();
            let pressed = move || wanted.with(|one| one.as_deref() == Some(&this)).to_string();
            let press = move |_| {
                wanted.update(|one| *one = Some(value.clone()).filter(|value| one.as_ref() != Some(value)));
            };
            view! {
                <button type="button" class="pick" aria-pressed=pressed on:click=press>
                    {drawn} " " <Count count />
                </button>
            }
        });
        let buttons = buttons.collect_view();
        view! { <div class="picks" role="group" aria-label=label>{buttons}</div> }
    })
}

/// Lists the findings of one severity, as far as they are wanted.
fn group(filter: Filter, name: &str, all: &[ReportFinding]) -> Option<impl IntoView + use<>> {
    let wanted = all.iter().zip(0_u32..).filter(|(finding, _)| finding.severity == name && filter.takes(finding));
    let cards: Vec<_> = wanted.map(|(finding, number)| view! { <Finding finding=finding.clone() number /> }).collect();
    let mut sign = severity(name);
    sign.word = format!("{} {}", format::number(cards.len() as u64), sign.word);
    (!cards.is_empty()).then(|| {
        view! {
            <h3 class="group"><SignWord sign /></h3>
            <div class="findings">{cards}</div>
        }
    })
}

#[component]
fn Finding(finding: ReportFinding, number: u32) -> impl IntoView {
    let text = (finding.description != finding.title && !finding.description.is_empty())
        .then(|| view! { <p class="text">{finding.description}</p> });
    let todo = (!finding.recommendation.is_empty()).then(|| {
        view! { <p class="todo"><span class="label">"What to do: "</span>{finding.recommendation}</p> }
    });
    // It may be wider than the page, so it can be scrolled with keys; it is no landmark, because there may be very many.
    let example = (!finding.example.is_empty()).then(|| {
        view! { <pre tabindex="0" role="group" aria-label="Example"><code>{finding.example}</code></pre> }
    });
    view! {
        <article class=format!("card finding edge-{}", severity(&finding.severity).tone) data-index=number.to_string()>
            <header>
                <h4>{finding.title.clone()}</h4>
                <CopyButton passage=Passage::Finding(number, finding.title.clone()) what=finding.title />
            </header>
            <p class="by">
                <AgentLink name=finding.agent />
                <span class="quiet">{finding.kind}</span>
                <Location location=finding.location />
            </p>
            {text}
            {todo}
            {example}
        </article>
    }
}
