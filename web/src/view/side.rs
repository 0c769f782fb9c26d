//! The side: source, agents, filters.

use std::sync::Arc;

use leptos::prelude::*;

use super::search::terms;
use crate::format::{count, day, moment, number, size, span};
use crate::protocol::Overview;
use crate::store::Store;

/// How many of a kind are listed before the rest is asked for.
const FEW: usize = 12;

/// Draws the side.
#[component]
pub fn SidePane() -> impl IntoView {
    let store = Store::of_page();
    let overview = move || store.overview.get().unwrap_or_default();
    let agents = Memo::new(move |_| overview().agents.clone());
    let states = Memo::new(move |_| overview().states.clone());
    let kinds = Memo::new(move |_| overview().kinds.clone());
    view! {
        <section aria-label="Source">{move || source(&overview())}</section>
        <Filters title="Agents" field="from" of=agents/>
        <Filters title="States" field="is" of=states/>
        <Filters title="Kinds" field="type" of=kinds/>
    }
}

/// Draws what is open at a glance.
fn source(overview: &Arc<Overview>) -> impl IntoView + use<> {
    let messages = count(overview.entries.into(), "message");
    let threads = count(overview.threads.into(), "conversation");
    let files = format!("{} in {}", size(overview.bytes), count(overview.files.into(), "file"));
    let times = overview.span.map(|(start, end)| (times(start, end), (end > start).then(|| span(end - start))));
    let times =
        times.map(|(times, long)| view! { <span>{times}</span> {long.map(|long| view! { <span>{long}</span> })} });
    view! {
        <div class="facts">
            <strong>{overview.name.clone()}</strong>
            {overview.live.then(|| view! { <span class="live">"live: new messages appear"</span> })}
            {overview.partial.then(|| view! { <span>"only the beginning so far"</span> })}
            <span>{messages}</span>
            <span>{threads}</span>
            <span>{files}</span>
            {times}
        </div>
        {(!overview.partial).then(|| read(overview))}
    }
}

/// Writes from when to when, with the day once if it is one, to the minute or as far as it takes to tell them apart.
fn times(start: i64, end: i64) -> String {
    let to = |at, length| moment(at).get(..length).unwrap_or_default().to_owned();
    let length = if to(start, 16) == to(end, 16) { 19 } else { 16 };
    let (first, last) = (to(start, length), to(end, length));
    match first == last {
        true => first,
        false if day(start) == day(end) => format!("{first} – {}", last.get(11..).unwrap_or_default()),
        false => format!("{first} – {last}"),
    }
}

/// Draws what was recognised, and what was passed over and why.
fn read(overview: &Overview) -> impl IntoView + use<> {
    let formats = overview.formats.iter().map(|(name, files, records)| {
        let many = format!("{}, {}", count((*files).into(), "file"), count(*records, "record"));
        view! { <li>{name.clone()} <br/> <span>{many}</span></li> }
    });
    let passed: u32 = overview.passed_over.iter().map(|(_, many, _)| many).sum();
    let ignored = (passed > 0).then(|| {
        let lines = overview.passed_over.iter().map(|(why, many, one)| {
            let which =
                if *many == 1 { one.clone() } else { format!("{} files, such as {one}", number((*many).into())) };
            view! { <li>{why.clone()} <br/> <span>{which}</span></li> }
        });
        view! {
            <details class="read-what">
                <summary>{count(passed.into(), "file")} " ignored"</summary>
                <ul class="plain">{lines.collect_view()}</ul>
            </details>
        }
    });
    let kinds = count(overview.formats.len() as u64, "kind");
    view! {
        <details class="read-what">
            <summary>{kinds} " of file recognised"</summary>
            <ul class="plain">{formats.collect_view()}</ul>
        </details>
        {ignored}
    }
}

/// Draws values of a field; each is put into the query by a click, and taken out by another.
#[component]
fn Filters(
    /// What they are.
    title: &'static str,
    /// The field.
    field: &'static str,
    /// The values, with how many messages have each.
    of: Memo<Vec<(String, u32)>>,
) -> impl IntoView {
    let store = Store::of_page();
    let all = RwSignal::new(false);
    let query = Memo::new(move |_| store.place.with(|place| place.query.clone()));
    let shown = move || {
        let many = if all.get() { usize::MAX } else { FEW };
        let values = of.get().into_iter().take(many);
        values.map(|(value, many)| filter(store, query, field, value, many)).collect_view()
    };
    let rest = move || of.with(Vec::len).saturating_sub(FEW);
    let more = move || {
        let text =
            move || if all.get() { "Show fewer".to_owned() } else { format!("Show {} more", number(rest() as u64)) };
        (rest() > 0).then(
            || view! { <button class="quiet-button" on:click=move |_| all.update(|all| *all = !*all)>{text}</button> },
        )
    };
    move || {
        (of.with(|of| !of.is_empty())).then(|| {
            view! {
                <section>
                    <h2>{title}</h2>
                    <ul class="plain">{shown}</ul>
                    {more}
                </section>
            }
        })
    }
}

fn filter(store: Store, query: Memo<String>, field: &'static str, value: String, many: u32) -> impl IntoView {
    let swatch = (field == "from").then(|| {
        let class = format!("swatch hue-{}", store.hue(&value));
        view! { <span class=class></span> }
    });
    let name = if value.is_empty() { "(nobody)".to_owned() } else { value.clone() };
    let (pressed, clicked) = (value.clone(), value);
    let pressed = move || query.with(|query| terms::has(query, field, &pressed)).to_string();
    let click = move |_| {
        let now = query.with_untracked(|query| terms::toggled(query, field, &clicked));
        store.look_for(&now);
    };
    let title = name.clone();
    view! {
        <li>
            <button class="filter" class:none=many == 0 aria-pressed=pressed on:click=click title=title>
                {swatch}
                <span class="name">{name}</span>
                <span class="count">{number(many.into())}</span>
            </button>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huddle_core::model::Timestamp;

    #[test]
    fn a_day_is_named_once() {
        let at = |text: &str| Timestamp::parse(text).unwrap().micros();
        let start = at("2025-01-23T10:02:03Z");
        assert_eq!(times(start, at("2025-01-23T11:05:00Z")), "2025-01-23 10:02 – 11:05");
        assert_eq!(times(start, at("2025-01-24T11:05:00Z")), "2025-01-23 10:02 – 2025-01-24 11:05");
        assert_eq!(times(start, at("2025-01-23T10:02:09Z")), "2025-01-23 10:02:03 – 10:02:09");
        assert_eq!(times(start, start), "2025-01-23 10:02:03");
    }
}
