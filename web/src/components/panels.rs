//! What the views of agents, reports, shared documents and problems have in common.

use leptos::prelude::*;

pub use huddle_web_model::words::{Sign, name_of, place, severity, state, when};

use crate::format;
use crate::protocol::papers::Artifact;
use crate::protocol::{Passage, Request, RequestError, Response};
use crate::state::{DatasetState, Dialog, Feedback, use_store};

/// Shows what the worker answers to a request, or what stands in for that. It is updated in place, so focus, scroll and
/// unfolded parts stay.
#[component]
pub fn Panels<F>(view: &'static str, request: Request, draw: F) -> impl IntoView
where
    F: Fn(&Response) -> Option<AnyView> + Send + 'static,
{
    let reply = use_store::<DatasetState>().live(move || Some(request.clone()));
    let reply = Memo::new(move |_| reply.get());
    let content = move || {
        let reply = reply.get();
        match reply.as_deref() {
            Some(Ok(response)) => draw(response),
            Some(Err(RequestError::Failed(why))) => {
                Some(view! { <Empty title="This cannot be shown." hint=why.clone() /> }.into_any())
            }
            _ => None,
        }
        .unwrap_or_else(|| view! { <p class="panels-wait" role="status">"Looking…"</p> }.into_any())
    };
    view! {
        <div class="panels" data-view=view>
            {content}
        </div>
    }
}

/// Stands where nothing is: that there is nothing, and what would be here.
#[component]
pub fn Empty(#[prop(into)] title: String, #[prop(into)] hint: String) -> impl IntoView {
    view! {
        <div class="panels-empty">
            <p class="panels-none">{title}</p>
            <p>{hint}</p>
        </div>
    }
}

/// Shows a part with a heading, and how many things stand below it.
#[component]
pub fn Panel(title: &'static str, #[prop(optional)] count: Option<usize>, children: Children) -> impl IntoView {
    view! {
        <section class="panel">
            <h2>{title} {count.map(|count| view! { " " <Count count /> })}</h2>
            {children()}
        </section>
    }
}

/// Shows how many things there are.
#[component]
pub fn Count(count: usize) -> impl IntoView {
    view! { <span class="panels-count">{format::number(count as u64)}</span> }
}

/// Shows a table or drawing that is scrolled sideways when it is too wide.
#[component]
pub fn Scroll(label: &'static str, children: Children) -> impl IntoView {
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label=label>
            {children()}
        </div>
    }
}

/// Shows a sign: a shape in a color, and a word.
#[component]
pub fn SignWord(sign: Sign) -> impl IntoView {
    view! {
        <span class=format!("sign tone-{}", sign.tone)>
            <span class="shape" aria-hidden="true">{sign.shape}</span>
            {sign.word}
        </span>
    }
}

/// Shows how many things are of high, medium and low severity; those that are none are left out.
#[component]
pub fn Severities(counts: [u32; 3]) -> impl IntoView {
    let shown = ["high", "medium", "low"].into_iter().zip(counts).filter(|(_, count)| *count > 0);
    let signs = shown.map(|(name, count)| {
        let sign = severity(name);
        view! {
            <span class=format!("sign tone-{}", sign.tone) title=format!("{count} {name}")>
                <span class="shape" aria-hidden="true">{sign.shape}</span>
                {format::number(count.into())}
                <span class="unseen">" " {name}</span>
            </span>
        }
    });
    view! { <span class="severities">{signs.collect_view()}</span> }
}

/// Shows a moment: the day and the time of day, exact when it is pointed at. Nothing is shown of none.
#[component]
pub fn Moment(at: Option<i64>) -> impl IntoView {
    at.map(|at| {
        let exact = format::moment(at);
        let machine = exact.replace(' ', "T") + "Z";
        view! { <time datetime=machine title=format!("{exact} UTC")>{when(at)}</time> }
    })
}

/// Marks what the query finds.
#[component]
pub fn Found(hit: bool) -> impl IntoView {
    hit.then(|| view! { <span class="is-found">"found"</span> })
}

/// Shows a file that something refers to, under a name: it opens, or it is said to be missing.
#[component]
pub fn ArtifactFile(artifact: Artifact, #[prop(into)] name: String) -> impl IntoView {
    let feedback = use_store::<Feedback>();
    let path = artifact.path;
    match artifact.size {
        Some(size) => {
            let file = path.clone();
            view! {
                <button type="button" class="file" title=path on:click=move |_| open_file(feedback, &file, 0, 0)>
                    <code>{name}</code>
                    <span class="quiet">{format::size(size)}</span>
                </button>
            }
            .into_any()
        }
        None => view! {
            <span class="file is-missing" title=path>
                <code>{name}</code>
                <SignWord sign=Sign { shape: "✕", tone: "bad", word: "missing".to_owned() } />
            </span>
        }
        .into_any(),
    }
}

/// Copies something as Markdown.
#[component]
pub fn CopyButton(passage: Passage, #[prop(into)] what: String) -> impl IntoView {
    let dataset = use_store::<DatasetState>();
    let mut label = what;
    label.insert_str(0, "Copy ");
    label.push_str(" as Markdown");
    view! {
        <button
            type="button"
            class="small"
            title="Copy as Markdown"
            aria-label=label
            on:click=move |_| dataset.copy(passage.clone())
        >
            "Copy"
        </button>
    }
}

/// Opens a file. Where there are several such buttons, `of` tells them apart.
#[component]
pub fn FileButton(
    class: &'static str,
    label: &'static str,
    #[prop(optional, into)] of: Option<String>,
    #[prop(into)] file: String,
) -> impl IntoView {
    let feedback = use_store::<Feedback>();
    view! {
        <button
            type="button"
            class=class
            aria-label=of.map(|of| format!("{label} of {of}"))
            on:click=move |_| open_file(feedback, &file, 0, 0)
        >
            {label}
        </button>
    }
}

/// Shows where something is; pressing it copies it.
#[component]
pub fn Location(#[prop(into)] location: String) -> impl IntoView {
    let dataset = use_store::<DatasetState>();
    (!location.is_empty()).then(|| {
        let copied = location.clone();
        view! {
            <button
                type="button"
                class="where"
                title="Copy"
                on:click=move |_| dataset.copy_text(copied.clone(), "Copied the location.")
            >
                <span class="unseen">"Copy "</span>
                <code>{location}</code>
            </button>
        }
    })
}

/// Opens a part of a file over the page.
pub fn open_file(feedback: Feedback, path: &str, offset: u64, length: u32) {
    feedback.dialog.set(Some(Dialog::File(path.to_owned(), offset, length)));
}
