//! The side: source, agents, filters.

use std::sync::Arc;

use leptos::prelude::*;

use super::search::terms;
use crate::format::{count, number, size, span};
use crate::protocol::Overview;
use crate::state::{DatasetState, RouteState, SettingsState, use_store};
use huddle_web_model::format::times;

/// How many of a kind are listed before the rest is asked for.
const FEW: usize = 12;

/// What is open, at a glance; empty if nothing is.
fn overview() -> Memo<Arc<Overview>> {
    let dataset: DatasetState = use_store();
    Memo::new(move |_| dataset.overview.get().unwrap_or_default())
}

/// The side.
#[component]
pub fn Side() -> impl IntoView {
    view! {
        <SourceFacts />
        <Filters title="Agents" field="from" of=|overview| &overview.agents />
        <Filters title="States" field="is" of=|overview| &overview.states />
        <Filters title="Kinds" field="type" of=|overview| &overview.kinds />
    }
}

/// What is open, at a glance.
#[component]
fn SourceFacts() -> impl IntoView {
    let overview = overview();
    let whole = Memo::new(move |_| overview.with(|overview| !overview.partial));
    let ignored = Memo::new(move |_| overview.with(|overview| passed_over(overview)));
    let kinds = Memo::new(move |_| overview.with(|overview| overview.formats.len()));
    let formats = move || {
        let line = |(name, files, records): &(String, u32, u64)| {
            item(name, &format!("{}, {}", count((*files).into(), "file"), count(*records, "record")))
        };
        overview.with(|overview| overview.formats.iter().map(line).collect_view())
    };
    let passed = move || {
        let line = |(why, many, one): &(String, u32, String)| match many {
            1 => item(why, one),
            many => item(why, &format!("{} files, such as {one}", number((*many).into()))),
        };
        overview.with(|overview| overview.passed_over.iter().map(line).collect_view())
    };
    view! {
        <section aria-label="Source">
            <div class="facts">
                <strong>{move || overview.with(|overview| overview.name.clone())}</strong>
                <Show when=move || overview.with(|overview| overview.is_followed())>
                    <span class="live">"live: new messages appear"</span>
                </Show>
                {move || {
                    let facts = overview.with(|overview| facts(overview));
                    facts.into_iter().map(|fact| view! { <span>{fact}</span> }).collect_view()
                }}
            </div>
            // Their parts change on their own: who has opened one of them keeps it open.
            <Show when=move || whole.get()>
                <details class="read-what">
                    <summary>{move || format!("{} of file recognised", count(kinds.get() as u64, "kind"))}</summary>
                    <ul class="plain">{formats}</ul>
                </details>
            </Show>
            <Show when=move || whole.get() && ignored.get() != 0>
                <details class="read-what">
                    <summary>{move || format!("{} ignored", count(ignored.get().into(), "file"))}</summary>
                    <ul class="plain">{passed}</ul>
                </details>
            </Show>
        </section>
    }
}

fn facts(overview: &Overview) -> Vec<String> {
    let mut facts = Vec::new();
    if overview.partial {
        facts.push("only the beginning so far".to_owned());
    }
    facts.push(count(overview.entries.into(), "message"));
    facts.push(count(overview.threads.into(), "conversation"));
    facts.push(format!("{} in {}", size(overview.bytes), count(overview.files.into(), "file")));
    if let Some((start, end)) = overview.span {
        facts.push(times(start, end));
        if end > start {
            facts.push(span(end - start));
        }
    }
    facts
}

fn passed_over(overview: &Overview) -> u32 {
    overview.passed_over.iter().map(|(_, many, _)| many).sum()
}

fn item(what: &str, more: &str) -> impl IntoView + use<> {
    view! { <li>{what.to_owned()}<br /><span>{more.to_owned()}</span></li> }
}

/// Values of a field, if there are any; each is put into the query by a click, and taken out by another.
#[component]
fn Filters(title: &'static str, field: &'static str, of: fn(&Overview) -> &Vec<(String, u32)>) -> impl IntoView {
    let overview = overview();
    let values = Memo::new(move |_| overview.with(|overview| of(overview).clone()));
    let all = RwSignal::new(false);
    let rest = Memo::new(move |_| values.with(Vec::len).saturating_sub(FEW));
    let names = move || {
        let most = if all.get() { usize::MAX } else { FEW };
        values.with(|values| values.iter().take(most).map(|(value, _)| value.clone()).collect::<Vec<_>>())
    };
    let more =
        move || if all.get() { "Show fewer".to_owned() } else { format!("Show {} more", number(rest.get() as u64)) };
    view! {
        <Show when=move || values.with(|values| !values.is_empty())>
            <section>
                <h2>{title}</h2>
                <ul class="plain">
                    // By name: the keyboard stays on a value while messages come in.
                    <For each=names key=Clone::clone let:value>
                        <Filter field value values />
                    </For>
                </ul>
                <Show when=move || rest.get() != 0>
                    <button class="quiet-button" on:click=move |_| all.update(|all| *all = !*all)>{more}</button>
                </Show>
            </section>
        </Show>
    }
}

#[component]
fn Filter(field: &'static str, value: String, values: Memo<Vec<(String, u32)>>) -> impl IntoView {
    let (route, settings): (RouteState, SettingsState) = (use_store(), use_store());
    let query = route.query();
    let swatch =
        (field == "from").then(|| view! { <span class=format!("swatch hue-{}", settings.color(&value))></span> });
    let name = if value.is_empty() { "(nobody)".to_owned() } else { value.clone() };
    let title = name.clone();
    let value = StoredValue::new(value);
    let is_it = move |known: &str| value.with_value(|value| value == known);
    let many = Memo::new(move |_| {
        values.with(|values| values.iter().find(|(known, _)| is_it(known)).map_or(0, |(_, many)| *many))
    });
    let pressed = move || value.with_value(|value| query.with(|query| terms::has(query, field, value)));
    let click = move |_| {
        let query = value.with_value(|value| query.with_untracked(|query| terms::toggled(query, field, value)));
        route.search_for(&query);
    };
    view! {
        <li>
            <button
                class="filter"
                class:none=move || many.get() == 0
                title=title
                aria-pressed=move || pressed().to_string()
                on:click=click
            >
                {swatch}
                <span class="name">{name}</span>
                <span class="count">{move || number(many.get().into())}</span>
            </button>
        </li>
    }
}
