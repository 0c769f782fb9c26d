//! Problems: all that the checks found, and where all bytes went.

mod bytes;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use leptos::prelude::*;

use crate::components::focus::keep_focus;
use crate::components::name::find;
use crate::components::panels::{CopyButton, Count, Empty, Found, Panels, SignWord, open_file, place, severity};
use crate::format;
use crate::protocol::papers::{Problem, ProblemsView as Answer};
use crate::protocol::{Passage, Request, Response};
use crate::state::{Feedback, RouteState, SelectionState, use_store};
use bytes::ByteAccount;
use huddle_web_model::problems::groups::{Group, grouped, leads_to, next};

/// How many problems of a kind are shown at first.
const FIRST: usize = 50;

/// How many more are drawn in one frame, so that the page stays quick.
const CHUNK: usize = 200;

/// How many more one press shows at most.
const PRESS: usize = 2_000;

/// Shows all problems.
#[component]
pub fn ProblemsView() -> impl IntoView {
    let draw = move |response: &Response| match response {
        Response::Problems(all) => Some(everything(all)),
        _ => None,
    };
    view! { <Panels view="problems" request=Request::Problems draw /> }
}

fn everything(all: &Answer) -> AnyView {
    view! {
        <ByteAccount bytes=all.bytes recoveries=all.recoveries.clone() />
        <Problems problems=Arc::new(all.problems.clone()) />
    }
    .into_any()
}

/// Lists problems by severity, then by kind.
#[component]
fn Problems(problems: Arc<Vec<Problem>>) -> impl IntoView {
    if problems.is_empty() {
        let hint = "Nothing is damaged, and what agents claim agrees with what they left behind. What does not would be \
                    listed here, each with its place.";
        return view! { <Empty title="No problems." hint /> }.into_any();
    }
    let groups = grouped(&problems);
    let severities = groups.chunk_by(|one, other| one.severity == other.severity).map(|groups| {
        let count: usize = groups.iter().map(|group| group.members.len()).sum();
        let mut sign = severity(&groups[0].severity);
        sign.word = format::count(count as u64, if sign.word == "info" { "note" } else { &sign.word });
        let kinds = groups.iter().cloned().map(|group| view! { <Kind group problems=Arc::clone(&problems) /> });
        let kinds = kinds.collect_view();
        view! {
            <section class="panel">
                <h2><SignWord sign /></h2>
                {kinds}
            </section>
        }
    });
    severities.collect_view().into_any()
}

/// Lists problems of one kind: the first of them, and more when they are wanted.
#[component]
fn Kind(group: Group, problems: Arc<Vec<Problem>>) -> impl IntoView {
    let total = group.members.len();
    let (shown, wanted) = (RwSignal::new(FIRST.min(total)), RwSignal::new(FIRST.min(total)));
    // A press wants many; they come in chunks, a chunk a frame.
    Effect::new(move || {
        let (have, want) = (shown.get(), wanted.get());
        if have < want {
            request_animation_frame(move || _ = shown.try_set(want.min(have + CHUNK)));
        }
    });
    let label = move || match total - shown.get() {
        rest if rest <= PRESS => format!("Show all {}", format::number(total as u64)),
        rest => format!("Show {} more of {}", format::number(PRESS as u64), format::number(rest as u64)),
    };
    let press = move |_| wanted.set(next(shown.get_untracked(), total, PRESS));
    let is_hinted = group.hint.is_none();
    let (members, code) = (group.members, group.code.clone());
    let all = StoredValue::new(problems);
    let row = move |(number, _)| {
        let problem = all.with_value(|all| all.get(number as usize).cloned());
        problem.map(|problem| view! { <Row problem number is_hinted /> })
    };
    // A row stays as long as it says the same.
    let rows = move || {
        keep_focus();
        let shown = &members[..shown.get().min(members.len())];
        all.with_value(|all| shown.iter().map(|number| (*number, hash(all.get(*number as usize)))).collect::<Vec<_>>())
    };
    view! {
        <details class="sort" open data-code=code>
            <summary>
                <h3><code>{group.code}</code> " " <Count count=total /></h3>
            </summary>
            {group.hint.map(|hint| view! { <p class="advice">{hint}</p> })}
            <ul class="problems">
                <For each=rows key=|row| *row children=row />
            </ul>
            <Show when=move || shown.get() < total>
                <button type="button" class="more" on:click=press>
                    {label}
                </button>
            </Show>
        </details>
    }
}

fn hash(problem: Option<&Problem>) -> u64 {
    let mut hasher = DefaultHasher::new();
    problem.hash(&mut hasher);
    hasher.finish()
}

#[component]
fn Row(problem: Problem, number: u32, is_hinted: bool) -> impl IntoView {
    let (route, selection, feedback) =
        (use_store::<RouteState>(), use_store::<SelectionState>(), use_store::<Feedback>());
    let hint = (is_hinted && !problem.hint.is_empty()).then(|| view! { <p class="advice">{problem.hint.clone()}</p> });
    let (key, query) = (problem.key.clone(), leads_to(&problem.place));
    let go = (key.is_some() || query.is_some()).then(|| {
        let press = move |_| match (&key, &query) {
            (Some(key), _) => selection.show(key.clone()),
            (_, Some(query)) => find(route, query.clone()),
            _ => {}
        };
        let label = format!("Go there: {}", problem.message);
        view! { <button type="button" class="small" aria-label=label on:click=press>"Go there"</button> }
    });
    let part = problem.part.clone().map(|(path, offset, length)| {
        let press = move |_| open_file(feedback, &path, offset, length);
        let label = format!("Open the file here: {}", problem.place);
        view! { <button type="button" class="small" aria-label=label on:click=press>"Open the file here"</button> }
    });
    let short = place(&problem.place, 90);
    view! {
        <li data-index=number.to_string()>
            <p class="text">{problem.message.clone()}</p>
            {hint}
            <p class="by">
                <span><Found hit=problem.hit /> " " <code class="quiet" title=problem.place.clone()>{short}</code></span>
                <span class="end">
                    {go} {part}
                    <CopyButton passage=Passage::Problem(number, problem.message.clone()) what=problem.message />
                </span>
            </p>
        </li>
    }
}
