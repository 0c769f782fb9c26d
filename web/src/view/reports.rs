//! Reports: what agents found, and what is to be done about it.

mod findings;

use leptos::prelude::*;

use super::papers::{
    agent, answer, artifact, empty, find, heading, instead, open, severities, severity, sign, state, time,
};
use crate::format;
use crate::protocol::papers::{Artifact, ReportCard};
use crate::protocol::{Answer, Ask, Line, papers};
use crate::store::Store;

/// Draws the reports.
#[component]
pub fn ReportsView() -> impl IntoView {
    let store = Store::of_page();
    let answer = answer(store, Ask::Reports);
    let wanted = findings::Wanted::default();
    let drawn = move || match answer.get().as_deref() {
        Some(Answer::Reports(all)) => everything(store, wanted, all),
        other => instead(other),
    };
    view! { <div class="papers" data-view="reports">{drawn}</div> }
}

fn everything(store: Store, wanted: findings::Wanted, all: &papers::ReportsView) -> AnyView {
    let nothing =
        all.reports.is_empty() && all.findings.is_empty() && all.logged.is_empty() && all.artifacts.is_empty();
    if nothing {
        let would = "Agents of a session keep their reports in reports/NAME.json, and log what they find as messages of \
                     type finding. Both would stand here, with what is to be done next.";
        return empty("No reports.", would);
    }
    view! {
        {findings::findings(store, wanted, &all.findings)}
        {logged(store, &all.logged, all.logged_total)}
        {sayings(store, "Next actions", "actions", &all.next_actions)}
        {summaries(store, &all.reports)}
        {sayings(store, "Worth automating", "suggestions", &all.suggestions)}
        {artifacts(store, &all.artifacts)}
    }
    .into_any()
}

/// Draws findings that were logged as messages.
fn logged(store: Store, lines: &[Line], total: u32) -> AnyView {
    if lines.is_empty() {
        return ().into_any();
    }
    let rows = lines.iter().map(|line| logged_row(store, line)).collect_view();
    let more = u64::from(total).saturating_sub(lines.len() as u64);
    let more = (more > 0).then(|| {
        let told = format!("and {} more", format::number(more));
        let click = move |_| find(store, "type:finding".to_owned());
        view! { <button type="button" class="plain more" on:click=click>{told}</button> }
    });
    view! {
        <section class="paper">
            {heading("Found along the way", Some(total as usize))}
            <ul class="logged">{rows}</ul>
            {more}
        </section>
    }
    .into_any()
}

fn logged_row(store: Store, line: &Line) -> AnyView {
    let key = line.key.clone();
    let class = format!("agent hue-{}", store.hue(&line.from));
    let day = line.at.map(|at| format!("{} UTC", format::moment(at))).unwrap_or_default();
    view! {
        <li>
            <button type="button" class="found-row" data-key=line.key.clone() on:click=move |_| store.show(key.clone())>
                {sign(&severity(&line.severity))}
                <span class="subject">{line.subject.clone()}</span>
                <span class=class>{line.from.clone()}</span>
                <span class="quiet" title=day>{line.at.map(format::clock)}</span>
            </button>
        </li>
    }
    .into_any()
}

/// Draws what agents said, each with who said it.
fn sayings(store: Store, title: &'static str, class: &'static str, sayings: &[(String, String)]) -> AnyView {
    if sayings.is_empty() {
        return ().into_any();
    }
    let rows = sayings.iter().map(|(who, what)| {
        view! { <li><span class="what">{what.clone()}</span>" "{agent(store, who)}</li> }
    });
    view! {
        <section class="paper">
            {heading(title, Some(sayings.len()))}
            <ul class=class>{rows.collect_view()}</ul>
        </section>
    }
    .into_any()
}

/// Draws what each report sums up to.
fn summaries(store: Store, reports: &[ReportCard]) -> AnyView {
    if reports.is_empty() {
        return ().into_any();
    }
    let cards = reports.iter().map(|card| summary(store, card)).collect_view();
    view! {
        <section class="paper">
            {heading("Reports", Some(reports.len()))}
            <div class="summaries">{cards}</div>
        </section>
    }
    .into_any()
}

fn summary(store: Store, card: &ReportCard) -> AnyView {
    let metrics = (!card.metrics.is_empty()).then(|| {
        let metrics = card.metrics.iter();
        let metrics = metrics.map(|(name, value)| {
            view! { <div><dt>{name.replace('_', " ")}</dt><dd>{value.clone()}</dd></div> }
        });
        view! { <dl class="metrics">{metrics.collect_view()}</dl> }
    });
    let file = card.file.clone();
    let label = format!("Open the report of {}", card.agent);
    view! {
        <article class="card" data-agent=card.agent.clone()>
            <header>
                <h3>{agent(store, &card.agent)}</h3>
                {sign(&state(&card.status))}
                {severities(card.severities)}
                <span class="quiet end">{time(card.at)}</span>
            </header>
            <p class="text">{card.summary.clone()}</p>
            {metrics}
            <button type="button" class="small" aria-label=label on:click=move |_| open(store, file.clone(), 0, 0)>
                "Open the report"
            </button>
        </article>
    }
    .into_any()
}

/// Draws the files that others refer to.
fn artifacts(store: Store, artifacts: &[Artifact]) -> AnyView {
    if artifacts.is_empty() {
        return ().into_any();
    }
    let rows = artifacts.iter().map(|one| {
        let who = (!one.agent.is_empty()).then(|| view! { " "{agent(store, &one.agent)} });
        view! { <li>{artifact(store, one, &one.path)}{who}</li> }
    });
    view! {
        <section class="paper">
            {heading("Artifacts", Some(artifacts.len()))}
            <ul class="files">{rows.collect_view()}</ul>
        </section>
    }
    .into_any()
}
