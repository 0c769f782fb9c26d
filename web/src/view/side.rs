//! The side: source, agents, filters.

use leptos::prelude::*;

use super::search::terms;
use crate::dom::{El, el, memo};
use crate::format::{count, number, size, span};
use crate::protocol::Overview;
use crate::store::Store;
use huddle_web_model::format::times;

/// How many of a kind are listed before the rest is asked for.
const FEW: usize = 12;

/// Values of a field, with how many messages have each.
type Values = Vec<(String, u32)>;

/// Fills a pane with the side.
pub fn side(pane: El) -> El {
    let store = Store::of_page();
    pane.with(source(store))
        .live_one(filters(store, "Agents", "from", |overview| &overview.agents))
        .live_one(filters(store, "States", "is", |overview| &overview.states))
        .live_one(filters(store, "Kinds", "type", |overview| &overview.kinds))
}

/// Looks at what is open; at nothing if nothing is.
fn look<T>(store: Store, at: impl FnOnce(&Overview) -> T) -> T {
    store.overview.with(|overview| match overview {
        Some(overview) => at(overview),
        None => at(&Overview::default()),
    })
}

/// Draws what is open at a glance.
fn source(store: Store) -> El {
    let whole = memo(move || look(store, |overview| !overview.partial));
    let passed = memo(move || look(store, passed_over) > 0);
    el("section")
        .attr("aria-label", "Source")
        .with(el("div").class("facts").live(move || look(store, facts)))
        // Their parts change on their own: who has opened one of them keeps it open.
        .live_one(move || whole.get().then(|| recognised(store)))
        .live_one(move || (whole.get() && passed.get()).then(|| ignored(store)))
}

fn facts(overview: &Overview) -> Vec<El> {
    let line = |text: &str| el("span").text(text);
    let mut facts = vec![el("strong").text(&overview.name)];
    if overview.is_followed() {
        facts.push(line("live: new messages appear").class("live"));
    }
    if overview.partial {
        facts.push(line("only the beginning so far"));
    }
    facts.push(line(&count(overview.entries.into(), "message")));
    facts.push(line(&count(overview.threads.into(), "conversation")));
    facts.push(line(&format!("{} in {}", size(overview.bytes), count(overview.files.into(), "file"))));
    if let Some((start, end)) = overview.span {
        facts.push(line(&times(start, end)));
        if end > start {
            facts.push(line(&span(end - start)));
        }
    }
    facts
}

/// Draws what was recognised.
fn recognised(store: Store) -> El {
    let title = |overview: &Overview| format!("{} of file recognised", count(overview.formats.len() as u64, "kind"));
    folded(store, title, |overview| {
        let line = |(name, files, records): &(String, u32, u64)| {
            item(name, &format!("{}, {}", count((*files).into(), "file"), count(*records, "record")))
        };
        overview.formats.iter().map(line).collect()
    })
}

/// Draws what was passed over, and why.
fn ignored(store: Store) -> El {
    let title = |overview: &Overview| format!("{} ignored", count(passed_over(overview).into(), "file"));
    folded(store, title, |overview| {
        let line = |(why, many, one): &(String, u32, String)| match many {
            1 => item(why, one),
            many => item(why, &format!("{} files, such as {one}", number((*many).into()))),
        };
        overview.passed_over.iter().map(line).collect()
    })
}

fn passed_over(overview: &Overview) -> u32 {
    overview.passed_over.iter().map(|(_, many, _)| many).sum()
}

fn folded(store: Store, title: fn(&Overview) -> String, lines: fn(&Overview) -> Vec<El>) -> El {
    el("details")
        .class("read-what")
        .with(el("summary").live_text(move || look(store, title)))
        .with(el("ul").class("plain").live(move || look(store, lines)))
}

fn item(what: &str, more: &str) -> El {
    el("li").text(what).with(el("br")).with(el("span").text(more))
}

/// Draws values of a field, if there are any; each is put into the query by a click, and taken out by another.
fn filters(
    store: Store,
    title: &'static str,
    field: &'static str,
    of: fn(&Overview) -> &Values,
) -> impl Fn() -> Option<El> + 'static {
    let of = memo(move || look(store, |overview| of(overview).clone()));
    let some = memo(move || of.with(|of| !of.is_empty()));
    let all = RwSignal::new(false);
    let query = memo(move || store.place.with(|place| place.query.clone()));
    // Not how many have each: the keyboard stays on a value while messages come in.
    let names = memo(move || {
        let many = if all.get() { usize::MAX } else { FEW };
        of.with(|of| of.iter().take(many).map(|(value, _)| value.clone()).collect::<Vec<String>>())
    });
    let shown = move || {
        let row = |(place, value): (usize, String)| filter(store, query, field, value, memo(move || many(of, place)));
        names.get().into_iter().enumerate().map(row).collect()
    };
    let rest = memo(move || of.with(Vec::len).saturating_sub(FEW));
    let text =
        move || if all.get() { "Show fewer".to_owned() } else { format!("Show {} more", number(rest.get() as u64)) };
    let more = move || el("button").class("quiet-button").live_text(text).press(move || all.update(|all| *all = !*all));
    let more_than_few = memo(move || rest.get() > 0);
    move || {
        some.get().then(|| {
            el("section")
                .with(el("h2").text(title))
                .with(el("ul").class("plain").live(shown))
                .live_one(move || more_than_few.get().then(more))
        })
    }
}

fn many(of: Memo<Values>, place: usize) -> u32 {
    of.with(|of| of.get(place).map(|(_, many)| *many).unwrap_or_default())
}

fn filter(store: Store, query: Memo<String>, field: &'static str, value: String, many: Memo<u32>) -> El {
    let swatch = (field == "from").then(|| el("span").class(&format!("swatch hue-{}", store.hue(&value))));
    let name = if value.is_empty() { "(nobody)" } else { &value };
    let button = el("button")
        .class("filter")
        .attr("title", name)
        .maybe(swatch)
        .with(el("span").class("name").text(name))
        .with(el("span").class("count").live_text(move || number(many.get().into())))
        .live_class("none", move || many.get() == 0);
    let clicked = value.clone();
    let button = button
        .live_attr("aria-pressed", move || Some(query.with(|query| terms::has(query, field, &value)).to_string()))
        .press(move || store.look_for(&query.with_untracked(|query| terms::toggled(query, field, &clicked))));
    el("li").with(button)
}
