//! Problems: all that the checks found, and where all bytes went.

mod bytes;
mod groups;

use leptos::prelude::*;

use super::papers::{answer, copy_button, empty, find, instead, open, place, severity, sign};
use crate::format;
use crate::protocol::papers::Problem;
use crate::protocol::{Answer, Ask, Passage, papers};
use crate::store::Store;
use groups::{Group, grouped, leads_to, next};

/// How many problems of a kind are shown at first.
const FIRST: usize = 50;

/// How many more are drawn in one go, so that the page stays quick.
const CHUNK: usize = 200;

/// How many more one press shows at most.
const PRESS: usize = 2_000;

/// Draws the problems.
#[component]
pub fn ProblemsView() -> impl IntoView {
    let store = Store::of_page();
    let answer = answer(store, Ask::Problems);
    let drawn = move || match answer.get().as_deref() {
        Some(Answer::Problems(all)) => everything(store, all),
        other => instead(other),
    };
    view! { <div class="papers" data-view="problems">{drawn}</div> }
}

fn everything(store: Store, all: &papers::ProblemsView) -> AnyView {
    view! {
        {bytes::account(all)}
        {problems(store, &all.problems)}
    }
    .into_any()
}

/// Draws the problems: by severity, then by kind.
fn problems(store: Store, problems: &[Problem]) -> AnyView {
    if problems.is_empty() {
        let would = "Nothing is damaged, and what agents claim agrees with what they left behind. What does not would stand \
                     here, each with its place.";
        return empty("No problems.", would);
    }
    let groups = grouped(problems);
    let all = StoredValue::new(problems.to_vec());
    let severities = groups.chunk_by(|one, other| one.severity == other.severity).map(|groups| {
        let many: usize = groups.iter().map(|group| group.members.len()).sum();
        let mut shown = severity(&groups[0].severity);
        shown.word = format::count(many as u64, if shown.word == "info" { "note" } else { &shown.word });
        let groups = groups.iter().map(|group| of_kind(store, group, all)).collect_view();
        view! { <section class="paper"><h2>{sign(&shown)}</h2>{groups}</section> }
    });
    severities.collect_view().into_any()
}

/// Draws the problems of one kind: the first of them, and more when they are wanted.
fn of_kind(store: Store, group: &Group, all: StoredValue<Vec<Problem>>) -> AnyView {
    let (total, members) = (group.members.len(), StoredValue::new(group.members.clone()));
    let (shown, wanted) = (RwSignal::new(FIRST.min(total)), RwSignal::new(FIRST.min(total)));
    let said_once = group.hint.is_some();
    let item = move |at: usize| {
        let number = members.with_value(|members| members.get(at).copied()).unwrap_or_default();
        all.with_value(|all| all.get(number as usize).map(|problem| one(store, problem, number, !said_once)))
    };
    // A press asks for many; they come in chunks, a chunk a frame.
    Effect::new(move || {
        let (have, want) = (shown.get(), wanted.get());
        if have < want {
            request_animation_frame(move || _ = shown.try_set(want.min(have + CHUNK)));
        }
    });
    let more = move || {
        let rest = total - shown.get();
        let label = match rest {
            0 => return None,
            rest if rest <= PRESS => format!("Show all {}", format::number(total as u64)),
            rest => format!("Show {} more of {}", format::number(PRESS as u64), format::number(rest as u64)),
        };
        let click = move |_| wanted.set(next(shown.get_untracked(), total, PRESS));
        Some(view! { <button type="button" class="more" on:click=click>{label}</button> })
    };
    let hint = group.hint.clone().map(|hint| view! { <p class="advice">{hint}</p> });
    view! {
        <details class="sort" open data-code=group.code.clone()>
            <summary>
                <h3><code>{group.code.clone()}</code>" "<span class="papers-count">{format::number(total as u64)}</span></h3>
            </summary>
            {hint}
            <ul class="problems">
                <For each=move || 0..shown.get() key=|at| *at children=item/>
            </ul>
            {more}
        </details>
    }
    .into_any()
}

fn one(store: Store, problem: &Problem, number: u32, hinted: bool) -> AnyView {
    let hint = (hinted && !problem.hint.is_empty()).then(|| view! { <p class="advice">{problem.hint.clone()}</p> });
    let (key, query) = (problem.key.clone(), leads_to(&problem.place));
    let go = (key.is_some() || query.is_some()).then(|| {
        let label = format!("Go there: {}", problem.message);
        let click = move |_| match (&key, &query) {
            (Some(key), _) => store.show(key.clone()),
            (_, Some(query)) => find(store, query.clone()),
            _ => {}
        };
        view! { <button type="button" class="small" aria-label=label on:click=click>"Go there"</button> }
    });
    let part = problem.part.clone().map(|(path, offset, length)| {
        let label = format!("Open the file here: {}", problem.place);
        let click = move |_| open(store, path.clone(), offset, length);
        view! { <button type="button" class="small" aria-label=label on:click=click>"Open the file here"</button> }
    });
    view! {
        <li data-index=number>
            <p class="text">{problem.message.clone()}</p>
            {hint}
            <p class="by">
                <code class="quiet" title=problem.place.clone()>{place(&problem.place, 90)}</code>
                <span class="end">{go}{part}{copy_button(store, Passage::Problem(number), &problem.message)}</span>
            </p>
        </li>
    }
    .into_any()
}
