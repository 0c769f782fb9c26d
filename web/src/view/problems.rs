//! Problems: all that the checks found, and where all bytes went.

mod bytes;

use leptos::prelude::*;

use super::papers::{button, copy_button, counted, empty, find, open, place, severity, sheet, sign, there};
use crate::dom::{El, effect, el, memo};
use crate::format;
use crate::protocol::papers::Problem;
use crate::protocol::{Passage, Request, Response, papers};
use crate::store::Store;
use crate::view::conversation::row::found;
use huddle_web_model::problems::groups::{Group, grouped, leads_to, next};

/// How many problems of a kind are shown at first.
const FIRST: usize = 50;

/// How many more are drawn in one go, so that the page stays quick.
const CHUNK: usize = 200;

/// How many more one press shows at most.
const PRESS: usize = 2_000;

/// Draws the problems.
pub fn problems_view() -> El {
    let store = Store::of_page();
    let draw = move |answer: &Response| match answer {
        Response::Problems(all) => Some(everything(store, all)),
        _ => None,
    };
    sheet(store, "problems", Request::Problems, Box::new(draw))
}

fn everything(store: Store, all: &papers::ProblemsView) -> Vec<El> {
    let mut drawn = there(vec![bytes::account(all)]);
    drawn.extend(problems(store, &all.problems));
    drawn
}

/// Draws the problems: by severity, then by kind.
fn problems(store: Store, problems: &[Problem]) -> Vec<El> {
    if problems.is_empty() {
        let would = "Nothing is damaged, and what agents claim agrees with what they left behind. What does not would stand \
                     here, each with its place.";
        return vec![empty("No problems.", would)];
    }
    let groups = grouped(problems);
    let all = StoredValue::new(problems.to_vec());
    let severities = groups.chunk_by(|one, other| one.severity == other.severity).map(|groups| {
        let many: usize = groups.iter().map(|group| group.members.len()).sum();
        let mut shown = severity(&groups[0].severity);
        shown.word = format::count(many as u64, if shown.word == "info" { "note" } else { &shown.word });
        let heading = el("h2").with(sign(&shown));
        el("section").class("paper").with(heading).all(groups.iter().map(|group| of_kind(store, group, all)))
    });
    severities.collect()
}

/// Draws the problems of one kind: the first of them, and more when they are wanted.
fn of_kind(store: Store, group: &Group, all: StoredValue<Vec<Problem>>) -> El {
    let total = group.members.len();
    let (shown, wanted) = (RwSignal::new(FIRST.min(total)), RwSignal::new(FIRST.min(total)));
    let list = el("ul").class("problems");
    let rows = Rows { store, all, members: group.members.clone(), hinted: group.hint.is_none(), list: list.clone() };
    // What is drawn stays, and lives as long as the list, not only until more of it is drawn.
    let (drawn, owner) = (StoredValue::new(0), StoredValue::new_local(Owner::new()));
    effect(move || {
        let (have, want) = (shown.get(), wanted.get());
        owner.with_value(|owner| owner.with(|| rows.add(drawn.get_value(), have)));
        drawn.set_value(have);
        // A press asks for many; they come in chunks, a chunk a frame.
        if have < want {
            request_animation_frame(move || _ = shown.try_set(want.min(have + CHUNK)));
        }
    });
    let label = move || match total - shown.get() {
        rest if rest <= PRESS => format!("Show all {}", format::number(total as u64)),
        rest => format!("Show {} more of {}", format::number(PRESS as u64), format::number(rest as u64)),
    };
    let rest = memo(move || shown.get() < total);
    let more = move || {
        let press = move || wanted.set(next(shown.get_untracked(), total, PRESS));
        rest.get().then(|| button("more", press).live_text(label))
    };
    let heading = el("h3").with(el("code").text(&group.code)).text(" ").with(counted(total));
    el("details")
        .class("sort")
        .flag("open", true)
        .attr("data-code", &group.code)
        .with(el("summary").with(heading))
        .maybe(group.hint.as_deref().map(advice))
        .with(list)
        .live_one(more)
}

/// The list of the problems of one kind.
struct Rows {
    store: Store,
    all: StoredValue<Vec<Problem>>,
    /// Which of all they are.
    members: Vec<u32>,
    /// Whether each says what to do.
    hinted: bool,
    list: El,
}

impl Rows {
    /// Adds rows to the list.
    fn add(&self, from: usize, to: usize) {
        self.all.with_value(|all| {
            for number in self.members.get(from..to).unwrap_or_default() {
                let row = all.get(*number as usize).map(|problem| one(self.store, problem, *number, self.hinted));
                drop(self.list.clone().maybe(row));
            }
        });
    }
}

/// Draws what to do.
fn advice(hint: &str) -> El {
    el("p").class("advice").text(hint)
}

fn one(store: Store, problem: &Problem, number: u32, hinted: bool) -> El {
    let hint = (hinted && !problem.hint.is_empty()).then(|| advice(&problem.hint));
    let (key, query) = (problem.key.clone(), leads_to(&problem.place));
    let go = (key.is_some() || query.is_some()).then(|| {
        let press = move || match (&key, &query) {
            (Some(key), _) => store.show(key.clone()),
            (_, Some(query)) => find(store, query.clone()),
            _ => {}
        };
        labelled(button("small", press), "Go there", &problem.message)
    });
    let part = problem.part.clone().map(|(path, offset, length)| {
        let press = move || open(store, path.clone(), offset, length);
        labelled(button("small", press), "Open the file here", &problem.place)
    });
    let copy = copy_button(store, Passage::Problem(number, problem.message.clone()), &problem.message);
    let at = el("code").class("quiet").attr("title", &problem.place).text(&place(&problem.place, 90));
    let at = el("span").maybe(found(problem.hit)).text(" ").with(at);
    let end = el("span").class("end").maybe(go).maybe(part).with(copy);
    el("li")
        .attr("data-index", &number.to_string())
        .with(el("p").class("text").text(&problem.message))
        .maybe(hint)
        .with(el("p").class("by").with(at).with(end))
}

/// Gives a button its words, and a name that begins with them and says what it is about.
fn labelled(button: El, words: &str, about: &str) -> El {
    button.attr("aria-label", &format!("{words}: {about}")).text(words)
}
