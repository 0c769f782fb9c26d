//! Details: the selected message, whole.

pub mod actions;
pub mod delivery;
pub mod links;

use std::sync::Arc;

use leptos::html::Div;
use leptos::prelude::*;

use crate::components::body::{Body, Fields};
use crate::components::message::{FoundMark, Kind, Marks, People};
use crate::components::text::Text;
use crate::format;
use crate::protocol;
use crate::state::{DatasetState, Dialog, Feedback, SelectionState, use_store};
use actions::Actions;
use delivery::Deliveries;
use links::Links;

/// The selected message, which may change while it is read: others answer it or take note of it.
type Current = Memo<Option<Arc<protocol::Details>>>;

/// The details pane.
#[component]
pub fn DetailsPane() -> impl IntoView {
    let (selection, dataset): (SelectionState, DatasetState) = (use_store(), use_store());
    let selected = Memo::new(move |_| selection.key.with(Option::is_some));
    // While a large file is read, what is missing may still come.
    let whole_read = Memo::new(move |_| dataset.overview.with(|it| it.as_ref().is_some_and(|it| !it.partial)));
    let absent = Memo::new(move |_| selection.absent.get() && whole_read.get());
    let details: Current = Memo::new(move |_| selection.details.get());
    // What a message says does not change: only another record is drawn anew.
    let record =
        Memo::new(move |_| details.with(|it| it.as_ref().map(|it| (it.line.key.clone(), it.offset, it.raw.clone()))));
    let pane = NodeRef::<Div>::new();
    Effect::new(move || {
        record.track();
        // Another message is read from its beginning.
        let scrolled = pane.get().and_then(|pane| pane.parent_element());
        scrolled.iter().for_each(|scrolled| scrolled.set_scroll_top(0));
    });
    let shown = move || match record.get().and_then(|_| details.get_untracked()) {
        Some(now) => view! { <Message now details /> }.into_any(),
        None if absent.get() => view! { <p class="no-details">"This message is not in what is open."</p> }.into_any(),
        // What is selected is on its way: the hint would only flash by.
        None if selected.get() => view! { <p class="no-details" aria-busy="true"></p> }.into_any(),
        None => view! { <Hint /> }.into_any(),
    };
    view! { <div class="details" node_ref=pane>{shown}</div> }
}

#[component]
fn Hint() -> impl IntoView {
    view! {
        <div class="no-details">
            <p>"Select a message to see all of it here."</p>
            <p class="quiet"><kbd>"j"</kbd>" and "<kbd>"k"</kbd>" go from message to message, "<kbd>"?"</kbd>" lists all keys."</p>
        </div>
    }
}

/// A message.
#[component]
fn Message(now: Arc<protocol::Details>, details: Current) -> impl IntoView {
    let (fields, count) = (now.others.clone(), now.others.len());
    let others = (count > 0).then(|| view! { <Folded title="Other fields" count><Fields fields /></Folded> });
    // The heading is what a message without a subject says.
    let body = (!now.body_is_subject).then(|| {
        view! { <div class="said-whole"><Body said=now.body.clone() /></div> }
    });
    view! {
        <div class="host">
            {move || details.get().map(|details| view! { <Heading details /> })}
            <Actions details=Arc::clone(&now) />
            {body}
            <ArtifactLine details=Arc::clone(&now) />
            {move || details.get().map(|details| view! { <Deliveries details /> })}
            {move || details.get().map(|details| view! { <Links details /> })}
            {others}
            <Origin details=Arc::clone(&now) />
            <Raw details=now />
        </div>
    }
}

#[component]
fn Heading(details: Arc<protocol::Details>) -> impl IntoView {
    let line = details.line.clone();
    let at = line.at.map(|at| view! { <time>{format!("{} UTC", format::moment(at))}</time> });
    let due = details.due.map(|due| {
        let class = if line.overdue { "due late" } else { "due" };
        view! { <span class=class>{format!("answer due {} UTC", format::moment(due))}</span> }
    });
    let id = (!details.id.is_empty()).then(|| view! { <code class="id" title="Id">{details.id.clone()}</code> });
    view! {
        <header>
            <h2><bdi><Text text=line.subject.clone() /></bdi></h2>
            <p class="who"><People line=line.clone() /></p>
            <p class="about">
                <Kind line=line.clone() />
                <span class="marks"><Marks line=line.clone() /><FoundMark hit=line.hit /></span>
            </p>
            <p class="about quiet">{at} {due} {id}</p>
        </header>
    }
}

/// A part that is closed at first.
#[component]
fn Folded(title: &'static str, count: usize, children: Children) -> impl IntoView {
    let count = (count > 0).then(|| view! { <span class="quiet">{format!(" {count}")}</span> });
    view! { <details class="section"><summary>{title} {count}</summary>{children()}</details> }
}

#[component]
fn ArtifactLine(details: Arc<protocol::Details>) -> impl IntoView {
    details.artifact.clone().map(|(path, there)| {
        let file = if there {
            view! { <PathButton path offset=0 length=0 /> }.into_any()
        } else {
            view! { <code class="path">{path}</code><span class="quiet">" (not among the files)"</span> }.into_any()
        };
        view! { <p class="artifact"><span class="quiet">"File "</span>{file}</p> }
    })
}

/// A path as a way to a part of the file.
#[component]
fn PathButton(path: String, offset: u64, length: u32) -> impl IntoView {
    let feedback: Feedback = use_store();
    let dialog = Dialog::File(path.clone(), offset, length);
    let open = move |_| feedback.dialog.set(Some(dialog.clone()));
    view! { <button type="button" class="link path" on:click=open>{path}</button> }
}

/// Where the record lies.
#[component]
fn Origin(details: Arc<protocol::Details>) -> impl IntoView {
    let damaged = if details.line.recovered { ", damaged and recovered" } else { "" };
    let length = format::count(details.length.into(), "byte");
    let place = format!("at byte {}, {length}{damaged}", format::number(details.offset));
    view! {
        <p class="lies">
            <PathButton path=details.file.clone() offset=details.offset length=details.length />
            <span class="quiet">{place}</span>
        </p>
    }
}

#[component]
fn Raw(details: Arc<protocol::Details>) -> impl IntoView {
    let cut = details.cut.then(|| view! { <p class="quiet">"There is more of it: open the file to see all."</p> });
    view! {
        <Folded title="Record as written" count=0>
            <pre tabindex="0" aria-label="The record as it was written">{details.raw.clone()}</pre>
            {cut}
        </Folded>
    }
}
