//! Details: the selected message, whole.

mod actions;
mod delivery;
mod links;

use std::sync::Arc;

use leptos::html::Div;
use leptos::prelude::*;

use crate::format;
use crate::protocol::Details;
use crate::store::{Dialog, Store};
use crate::view::body::{body_view as body, fields_view as fields};
use crate::view::conversation::row::{kind, marks, who};

/// Draws the details.
#[component]
pub fn DetailsPane() -> impl IntoView {
    let store = Store::of_page();
    let selected = Memo::new(move |_| store.place.with(|place| place.selected.is_some()));
    // Equal details that come again, because there are new messages, change nothing.
    let details = Memo::new(move |_| store.details.get());
    let record =
        Memo::new(move |_| details.with(|it| it.as_ref().map(|it| (it.line.key.clone(), it.offset, it.raw.clone()))));
    let pane = NodeRef::<Div>::new();
    Effect::new(move || {
        record.track();
        // Another message is read from its beginning.
        if let Some(scrolled) = pane.get().and_then(|pane| pane.parent_element()) {
            scrolled.set_scroll_top(0);
        }
    });
    let inside = move || match record.get().and_then(|_| details.get_untracked()) {
        Some(now) => whole(store, &now, details),
        // What is selected is asked for: the hint would only flash by.
        None if selected.get() => view! { <p class="no-details" aria-busy="true"></p> }.into_any(),
        None => hint(),
    };
    view! { <div class="details" node_ref=pane>{inside}</div> }
}

fn hint() -> AnyView {
    view! {
        <div class="no-details">
            <p>"Select a message to see all of it here."</p>
            <p class="quiet"><kbd>"j"</kbd>" and "<kbd>"k"</kbd>" go from message to message, "<kbd>"?"</kbd>" lists all keys."</p>
        </div>
    }
    .into_any()
}

/// Draws a message. What others did to it may change while it is read, what it says does not.
fn whole(store: Store, said: &Details, details: Memo<Option<Arc<Details>>>) -> AnyView {
    let others = (!said.others.is_empty()).then(|| section("Other fields", said.others.len(), fields(&said.others)));
    let changing = move |draw: fn(Store, &Details) -> AnyView| {
        move || details.with(|details| details.as_ref().map(|details| draw(store, details)))
    };
    view! {
        {changing(top)}
        {actions::actions(store, said)}
        <div class="said-whole">{body(&said.body)}</div>
        {artifact(store, said)}
        {changing(delivery::deliveries)}
        {changing(links::links)}
        {others}
        {source(store, said)}
        {raw(said)}
    }
    .into_any()
}

fn top(store: Store, details: &Details) -> AnyView {
    let line = &details.line;
    let at = line.at.map(|at| view! { <time>{format!("{} UTC", format::moment(at))}</time> });
    let due = details.due.map(|due| {
        let class = if line.overdue { "due late" } else { "due" };
        view! { <span class=class>{format!("answer due {} UTC", format::moment(due))}</span> }
    });
    let id = (!details.id.is_empty()).then(|| view! { <code class="id" title="Id">{details.id.clone()}</code> });
    view! {
        <header>
            <h2>{line.subject.clone()}</h2>
            <p class="who">{who(store, line)}</p>
            <p class="about">{kind(line)}<span class="marks">{marks(line)}</span></p>
            <p class="about quiet">{at}{due}{id}</p>
        </header>
    }
    .into_any()
}

/// Draws a part that is closed at first.
fn section(title: &'static str, count: usize, inside: AnyView) -> AnyView {
    let count = (count > 0).then(|| view! { <span class="quiet">{format!(" {count}")}</span> });
    view! { <details class="section"><summary>{title}{count}</summary>{inside}</details> }.into_any()
}

fn artifact(store: Store, details: &Details) -> Option<AnyView> {
    let (path, there) = details.artifact.clone()?;
    let named = path.clone();
    let open = move |_| store.dialog.set(Some(Dialog::File(path.clone(), 0, 0)));
    let file = if there {
        view! { <button type="button" class="link path" on:click=open>{named}</button> }.into_any()
    } else {
        view! { <code class="path">{named}</code><span class="quiet">" (not among the files)"</span> }.into_any()
    };
    Some(view! { <p class="artifact"><span class="quiet">"File "</span>{file}</p> }.into_any())
}

/// Draws where the record lies.
fn source(store: Store, details: &Details) -> AnyView {
    let (file, offset, length) = (details.file.clone(), details.offset, details.length);
    let open = move |_| store.dialog.set(Some(Dialog::File(file.clone(), offset, length)));
    let place = format!("at byte {}, {}", format::number(offset), format::count(length.into(), "byte"));
    let damaged = details.line.recovered.then_some(", damaged and recovered");
    view! {
        <p class="lies">
            <button type="button" class="link path" on:click=open>{details.file.clone()}</button>
            <span class="quiet">{place}{damaged}</span>
        </p>
    }
    .into_any()
}

fn raw(details: &Details) -> AnyView {
    let cut = details.cut.then(|| view! { <p class="quiet">"There is more of it: open the file to see all."</p> });
    let raw = view! { <pre tabindex="0" aria-label="The record as it was written">{details.raw.clone()}</pre>{cut} };
    section("Record as written", 0, raw.into_any())
}
