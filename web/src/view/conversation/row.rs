//! One row of the list: a message, or the head of a conversation.

use leptos::prelude::*;

use super::pages::Slot;
use super::reel::Reel;
use super::words;
use crate::format;
use crate::protocol::{Head, Key, Line, Row};
use crate::store::Store;
use crate::view::body::body_view as body;

/// From this depth on, answers are not moved in any further.
const DEEPEST: u32 = 6;

/// Draws a row.
pub(super) fn row(reel: Reel, slot: &Slot) -> AnyView {
    match slot.row.as_deref() {
        None => view! { <div class="row waiting" data-index=slot.index aria-hidden="true"></div> }.into_any(),
        Some(Row::Head(it)) => head(reel, slot.index, it),
        Some(Row::Said(it)) => said(reel, slot, it),
    }
}

fn head(reel: Reel, index: u32, head: &Head) -> AnyView {
    let unanswered = (head.unanswered > 0)
        .then(|| view! { <span class="mark unanswered">{format!("{} unanswered", head.unanswered)}</span> });
    let hits = (head.hits > 0).then(|| view! { <span class="mark hits">{format!("{} found", head.hits)}</span> });
    // Of one message, its own row says the rest.
    let single = head.count == 1;
    let start = head.start.map(|at| format::moment(at).get(..16).unwrap_or_default().to_owned());
    view! {
        <article class="row head" class:single=single data-index=index data-first=head.first.clone() tabindex="-1"
            aria-posinset=index + 1 aria-setsize=size(reel) aria-label=words::spoken_head(head)>
            <h3 class="title">{words::title(head).to_owned()}</h3>
            {(!single).then(|| view! { <span class="people">{people(reel.store, &head.participants)}</span> })}
            <span class="sum">{start}{(!single).then(|| format!(" · {}", words::sum(head)))}</span>
            <span class="marks">{hits}{unanswered}</span>
        </article>
    }
    .into_any()
}

fn people(store: Store, names: &[String]) -> Vec<AnyView> {
    let more = names.len().saturating_sub(6);
    let mut people: Vec<AnyView> = names.iter().take(6).map(|name| agent(store, name)).collect();
    if more > 0 {
        people.push(view! { <span class="quiet">{format!("and {more} more")}</span> }.into_any());
    }
    people
}

/// Draws an agent's name.
pub(crate) fn agent(store: Store, name: &str) -> AnyView {
    view! { <span class=format!("agent hue-{}", store.hue(name))>{name.to_owned()}</span> }.into_any()
}

/// How many rows there are, for those who hear the list.
fn size(reel: Reel) -> impl Fn() -> u32 + Send + 'static {
    move || reel.total.get().unwrap_or_default()
}

fn said(reel: Reel, slot: &Slot, line: &Line) -> AnyView {
    let (index, key) = (slot.index, line.key.clone());
    let selected = reel.selected;
    let current = {
        let key = key.clone();
        move || selected.with(|selected| selected.as_ref() == Some(&key)).then_some("true")
    };
    let is_open = {
        let key = key.clone();
        Memo::new(move |_| reel.open.with(|open| open.contains(&key)))
    };
    let day = slot.new_day.then(|| line.at.map(format::day)).flatten();
    let mut class = format!("row said depth-{} is-{}", line.depth.min(DEEPEST), line.class);
    if line.hit {
        class.push_str(" hit");
    }
    if day.is_some() {
        class.push_str(" new-day");
    }
    let whole = key.clone();
    // What has no subject is known by its beginning: that stands in both lines, once.
    let (subject, preview) = match words::begins(line) {
        true => (view! { <span class="subject two">{line.preview.clone()}</span> }.into_any(), None),
        false => {
            let preview = Some(&line.preview).filter(|preview| !preview.is_empty());
            let preview = preview.map(|preview| view! { <div class="preview">{preview.clone()}</div> });
            (view! { <span class="subject">{line.subject.clone()}</span> }.into_any(), preview)
        }
    };
    view! {
        <article class=class class:is-open=move || is_open.get() data-index=index data-key=key tabindex="-1" aria-current=current
            aria-posinset=index + 1 aria-setsize=size(reel) aria-label=words::spoken(line)>
            {day.map(|day| view! { <div class="day">{day}</div> })}
            <div class="line">
                <button class="fold" type="button" tabindex="-1" aria-label="What it says" aria-expanded=move || is_open.get().to_string()></button>
                <span class="when"><time>{line.at.map(format::clock)}</time><span class="gap">{words::gap(line.gap)}</span></span>
                <span class="who">{who(reel.store, line)}</span>
                {kind(line)}
                {subject}
                <span class="marks">{marks(line)}</span>
            </div>
            {preview}
            {move || is_open.get().then(|| opened(reel, &whole)).flatten()}
        </article>
    }
    .into_any()
}

/// Draws from whom to whom.
pub(crate) fn who(store: Store, line: &Line) -> AnyView {
    let from = (!line.from.is_empty()).then(|| agent(store, &line.from));
    let mut to: Vec<AnyView> = words::names(&line.to).take(3).map(|name| agent(store, name)).collect();
    let more = words::names(&line.to).count().saturating_sub(3);
    if more > 0 {
        to.push(view! { <span class="quiet">{format!("+{more}")}</span> }.into_any());
    }
    let arrow = (!to.is_empty()).then(|| view! { <span class="arrow" aria-label="to" role="img">"→"</span> });
    view! { {from}{arrow}{to} }.into_any()
}

/// Draws what kind of message it is, how much it matters, and how urgent it is.
pub(crate) fn kind(line: &Line) -> AnyView {
    let kind = (!line.kind.is_empty()).then(|| {
        view! { <span class=format!("kind is-{}", line.class)><i aria-hidden="true">{words::shape(&line.class)}</i>{line.kind.clone()}</span> }
    });
    let severity = words::severity(&line.severity).map(|shape| {
        view! { <span class=format!("severity {}", line.severity)><i aria-hidden="true">{shape}</i>{line.severity.clone()}</span> }
    });
    let priority = words::priority(&line.priority)
        .map(|priority| view! { <span class="priority">{format!("{priority} priority")}</span> });
    view! { {kind}{severity}{priority} }.into_any()
}

/// Draws what became of it.
pub(crate) fn marks(line: &Line) -> Vec<AnyView> {
    let mark = |(name, meaning)| view! { <span class=format!("mark {name}") title=meaning>{name}</span> }.into_any();
    words::marks(line).into_iter().map(mark).collect()
}

/// Draws what a message says, in place.
fn opened(reel: Reel, key: &Key) -> Option<AnyView> {
    let details = reel.kept(|kept| kept.bodies.get(key).cloned())?;
    Some(view! { <div class="opened">{body(&details.body)}</div> }.into_any())
}
