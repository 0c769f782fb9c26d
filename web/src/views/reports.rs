//! Reports: what agents found, and what is to be done about it.

mod findings;

use leptos::prelude::*;

use crate::components::name::{AgentLink, AgentName, find};
use crate::components::panels::{
    ArtifactFile, Empty, FileButton, Found, Moment, Panel, Panels, Severities, SignWord, severity, state,
};
use crate::format;
use crate::protocol::papers::{Artifact, ReportCard, ReportsView as Answer};
use crate::protocol::{Line, Request, Response};
use crate::state::{RouteState, SelectionState, use_store};
use findings::{Filter, Findings};

/// Shows all reports.
#[component]
pub fn ReportsView() -> impl IntoView {
    let filter = Filter::default();
    let draw = move |response: &Response| match response {
        Response::Reports(all) => Some(everything(filter, all)),
        _ => None,
    };
    view! { <Panels view="reports" request=Request::Reports draw /> }
}

fn everything(filter: Filter, all: &Answer) -> AnyView {
    let nothing =
        all.reports.is_empty() && all.findings.is_empty() && all.logged.is_empty() && all.artifacts.is_empty();
    if nothing {
        let hint = "Agents of a session keep their reports in reports/NAME.json, and log what they find as messages of \
                    type finding. Both would be listed here, with what is to be done next.";
        return view! { <Empty title="No reports." hint /> }.into_any();
    }
    view! {
        <Findings filter findings=all.findings.clone() />
        <Logged lines=all.logged.clone() total=all.logged_total />
        <Sayings title="Next actions" class="actions" sayings=all.next_actions.clone() />
        <Summaries reports=all.reports.clone() />
        <Sayings title="Worth automating" class="suggestions" sayings=all.suggestions.clone() />
        <Artifacts artifacts=all.artifacts.clone() />
    }
    .into_any()
}

/// Lists findings that were logged as messages.
#[component]
fn Logged(lines: Vec<Line>, total: u32) -> impl IntoView {
    let route = use_store::<RouteState>();
    (!lines.is_empty()).then(|| {
        let more = u64::from(total).saturating_sub(lines.len() as u64);
        let rows = lines.into_iter().map(|line| view! { <LoggedRow line /> }).collect_view();
        let more = (more > 0).then(|| {
            let press = move |_| find(route, "type:finding".to_owned());
            let text = format!("and {} more", format::number(more));
            view! { <button type="button" class="plain more" on:click=press>{text}</button> }
        });
        view! { <Panel title="Found along the way" count=total as usize><ul class="logged">{rows}</ul> {more}</Panel> }
    })
}

#[component]
fn LoggedRow(line: Line) -> impl IntoView {
    let selection = use_store::<SelectionState>();
    let key = line.key.clone();
    let day = line.at.map(|at| format!("{} UTC", format::moment(at))).unwrap_or_default();
    view! {
        <li>
            <button type="button" class="found-row" data-key=line.key on:click=move |_| selection.show(key.clone())>
                <SignWord sign=severity(&line.severity) />
                <span class="subject"><Found hit=line.hit /> " " {line.subject}</span>
                <AgentName name=line.from />
                <span class="quiet" title=day>{line.at.map(format::clock)}</span>
            </button>
        </li>
    }
}

/// Lists what agents said, each with who said it.
#[component]
fn Sayings(title: &'static str, class: &'static str, sayings: Vec<(String, String)>) -> impl IntoView {
    let count = sayings.len();
    (count > 0).then(|| {
        let rows = sayings.into_iter().map(|(agent, text)| {
            view! { <li><span class="what">{text}</span> " " <AgentLink name=agent /></li> }
        });
        let rows = rows.collect_view();
        view! { <Panel title count><ul class=class>{rows}</ul></Panel> }
    })
}

/// Shows what each report sums up to.
#[component]
fn Summaries(reports: Vec<ReportCard>) -> impl IntoView {
    let count = reports.len();
    (count > 0).then(|| {
        let cards = reports.into_iter().map(|card| view! { <Summary card /> }).collect_view();
        view! { <Panel title="Reports" count><div class="summaries">{cards}</div></Panel> }
    })
}

#[component]
fn Summary(card: ReportCard) -> impl IntoView {
    let metrics = (!card.metrics.is_empty()).then(|| {
        let metric = |(name, value): (String, String)| {
            view! { <div><dt>{name.replace('_', " ")}</dt><dd>{value}</dd></div> }
        };
        view! { <dl class="metrics">{card.metrics.into_iter().map(metric).collect_view()}</dl> }
    });
    let who = match card.agent.is_empty() {
        true => view! { <span class="quiet">"nobody"</span> }.into_any(),
        false => view! { <AgentLink name=card.agent.clone() /> }.into_any(),
    };
    let agent = card.agent.clone();
    view! {
        <article class="card" data-agent=agent>
            <header>
                <h3>{who}</h3>
                <SignWord sign=state(&card.status) />
                <Severities counts=card.severities />
                <span class="quiet end"><Moment at=card.at /></span>
            </header>
            <p class="text">{card.summary}</p>
            {metrics}
            <FileButton class="small" label="Open the report" of=card.agent file=card.file />
        </article>
    }
}

/// Lists the files that reports, handoffs and messages refer to.
#[component]
fn Artifacts(artifacts: Vec<Artifact>) -> impl IntoView {
    let count = artifacts.len();
    (count > 0).then(|| {
        let rows = artifacts.into_iter().map(|artifact| {
            let (agent, name) = (artifact.agent.clone(), artifact.path.clone());
            view! { <li><ArtifactFile artifact name /> " " <AgentLink name=agent /></li> }
        });
        let rows = rows.collect_view();
        view! { <Panel title="Artifacts" count><ul class="files">{rows}</ul></Panel> }
    })
}
