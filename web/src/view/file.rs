//! A part of a file as text, with ways to more of it.

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::modal::modal;
use crate::dom::{El, el, soon, text};
use crate::format::{number, size};
use crate::protocol::Reply;
use crate::protocol::Request;
use crate::store::{Dialog, Store};
use huddle_web_model::file_part::{MOST, PORTION, Shown, first};

/// Draws a part of a file: `offset` is where what matters begins, and `length` how many bytes of it there are.
pub fn file_dialog(path: &str, offset: u64, length: u32) -> El {
    let reader = Reader::new(path);
    reader.load(first(offset, length));
    let this = reader.clone();
    let earlier = way(
        reader.earlier,
        "Show from its beginning".to_owned(),
        Rc::new(move || {
            let end = u32::try_from(this.shown.borrow().end).unwrap_or(MOST);
            this.load((0, end.min(MOST)));
        }),
    );
    let this = reader.clone();
    let later = way(
        reader.later,
        format!("Show {} more", size(PORTION.into())),
        Rc::new(move || {
            let end = this.shown.borrow().end;
            this.load((end, PORTION));
        }),
    );
    let this = reader.clone();
    let failed = move || this.seen().failed.as_ref().map(|why| el("p").class("failed").attr("role", "alert").text(why));
    let this = reader.clone();
    let place = move || match this.seen().start {
        0 => String::new(),
        start => format!("From byte {}", number(start)),
    };
    let begun = Cell::new(None);
    let written = move || {
        let shown = reader.seen();
        // What was read on is not left again for what matters.
        let anew = !shown.text.is_empty() && begun.replace(Some(shown.start)) != Some(shown.start);
        text_of(&shown, offset, length, anew)
    };
    let body = el("div").class("over-body").attr("tabindex", "0").attr("role", "region");
    let body = body.attr("aria-label", "Text of the file").live_one(failed);
    let body = body.with(el("p").class("file-where").live_text(place)).live_one(earlier);
    let body = body.with(el("pre").class("file-text").live(written)).live_one(later);
    modal(Dialog::File(path.to_owned(), offset, length), path, "wide", false, vec![body])
}

/// What reads a file.
#[derive(Clone)]
struct Reader {
    store: Store,
    path: Rc<str>,
    shown: Rc<RefCell<Shown>>,
    /// Counts what was told.
    told: RwSignal<u32>,
    /// Whether there is more before what is shown.
    earlier: RwSignal<bool>,
    /// Whether there is more after it.
    later: RwSignal<bool>,
}

impl Reader {
    fn new(path: &str) -> Self {
        let (earlier, later) = (RwSignal::new(false), RwSignal::new(false));
        Self {
            store: Store::of_page(),
            path: path.into(),
            shown: Rc::default(),
            told: RwSignal::new(0),
            earlier,
            later,
        }
    }

    /// Asks for a part.
    fn load(&self, part: (u64, u32)) {
        let this = self.clone();
        let ask = Request::Part { path: self.path.to_string(), offset: part.0, length: part.1 };
        let response = self.store.request(ask);
        spawn_local(async move { this.take(response.await, part) });
    }

    fn take(&self, reply: Reply, part: (u64, u32)) {
        // The dialog may be closed by now.
        let Some(told) = self.told.try_get_untracked() else { return };
        self.shown.borrow_mut().take(reply, part);
        let (earlier, later) = (self.shown.borrow().start > 0, self.shown.borrow().more);
        for (signal, so) in [(self.earlier, earlier), (self.later, later)] {
            // Only a change: a button that has the focus stays.
            if signal.get_untracked() != so {
                signal.set(so);
            }
        }
        self.told.set(told + 1);
    }

    /// Gives what is shown; who calls it is told of what is new.
    fn seen(&self) -> Ref<'_, Shown> {
        self.told.track();
        self.shown.borrow()
    }
}

/// Draws a way to more, for as long as there is more.
fn way(there: RwSignal<bool>, name: String, load: Rc<dyn Fn()>) -> impl Fn() -> Option<El> {
    move || {
        let load = load.clone();
        let button = || el("button").class("button").press(move || load()).text(&name);
        there.get().then(|| el("div").class("file-more").with(button()))
    }
}

/// Draws the text, with what matters marked, and in sight when it is drawn for the first time.
fn text_of(shown: &Shown, offset: u64, length: u32, anew: bool) -> Vec<El> {
    let Some((before, marked, after)) = shown.around(offset, length) else { return vec![text(&shown.text)] };
    let mark = el("mark").text(marked);
    if anew {
        let mark = mark.clone();
        soon(move || {
            let centre = web_sys::ScrollIntoViewOptions::new();
            centre.set_block(web_sys::ScrollLogicalPosition::Center);
            mark.element().scroll_into_view_with_scroll_into_view_options(&centre);
        });
    }
    vec![text(before), mark, text(after)]
}
