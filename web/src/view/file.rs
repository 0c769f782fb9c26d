//! A part of a file as text, with ways to more of it.

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use leptos::prelude::*;

use super::modal::modal;
use crate::dom::{El, el, soon, text};
use crate::format::{number, size};
use crate::protocol::{Answer, Ask};
use crate::store::{Dialog, Store};

/// How many bytes are asked for at a time.
const PORTION: u32 = 64 << 10;
/// How many bytes are shown at most when more is asked for before a place.
const MOST: u32 = PORTION * 16;
/// How many bytes before a place are shown with it.
const BEFORE: u64 = 512;

/// What is shown of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Shown {
    text: String,
    /// Where it begins.
    start: u64,
    /// The byte after the last.
    end: u64,
    /// Whether there is more after it.
    more: bool,
    failed: Option<String>,
}

impl Shown {
    /// Takes a part that was asked for: after what is there, or in place of it.
    fn take(&mut self, answer: Answer, (start, length): (u64, u32)) {
        match answer {
            Answer::Text { text, cut } => {
                if start != self.end || self.text.is_empty() {
                    (self.text, self.start) = (String::new(), start);
                }
                self.text.push_str(&text);
                (self.end, self.more, self.failed) = (start + u64::from(length), cut, None);
            }
            Answer::Failed(why) => self.failed = Some(why),
            _ => {}
        }
    }

    /// Cuts the text before and after what matters; none when that is not in it, or is nothing, or all of it.
    fn around(&self, offset: u64, length: u32) -> Option<(&str, &str, &str)> {
        let first = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let (before, rest) = self.text.split_at_checked(first)?;
        let (marked, after) = rest.split_at_checked(length as usize)?;
        // What stands for bytes that are no text is longer than they are: places behind it are not known.
        let known = !before.contains('\u{fffd}') && !marked.is_empty();
        let all = before.trim().is_empty() && after.trim().is_empty();
        (known && !all).then_some((before, marked, after))
    }
}

/// Gives the part to ask for first: what matters, and a little before it.
fn first(offset: u64, length: u32) -> (u64, u32) {
    let start = offset.saturating_sub(BEFORE);
    let before = u32::try_from(offset - start).unwrap_or_default();
    (start, length.saturating_add(before).clamp(PORTION, MOST))
}

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
        let ask = Ask::Part { path: self.path.to_string(), offset: part.0, length: part.1 };
        self.store.ask(&ask, move |answer| this.take(answer, part));
    }

    fn take(&self, answer: Answer, part: (u64, u32)) {
        // The dialog may be closed by now.
        let Some(told) = self.told.try_get_untracked() else { return };
        self.shown.borrow_mut().take(answer, part);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str, cut: bool) -> Answer {
        Answer::Text { text: text.to_owned(), cut }
    }

    #[test]
    fn what_matters_is_shown_with_a_little_before_it() {
        assert_eq!(first(0, 0), (0, PORTION));
        assert_eq!(first(100, 10), (0, PORTION));
        assert_eq!(first(10_000, PORTION), (10_000 - BEFORE, PORTION + 512));
        assert_eq!(first(10_000, u32::MAX), (10_000 - BEFORE, MOST));
    }

    #[test]
    fn parts_come_after_each_other_or_anew() {
        let mut shown = Shown::default();
        shown.take(text("abc", true), (7, 3));
        shown.take(text("def", false), (10, 3));
        assert_eq!((shown.text.as_str(), shown.start, shown.end, shown.more), ("abcdef", 7, 13, false));
        shown.take(text("0123456abcdef", false), (0, 13));
        assert_eq!((shown.text.as_str(), shown.start, shown.end), ("0123456abcdef", 0, 13));
        shown.take(Answer::Failed("gone".into()), (13, 3));
        assert_eq!((shown.text.len(), shown.failed.as_deref()), (13, Some("gone")));
    }

    #[test]
    fn what_matters_is_marked_where_its_place_is_known() {
        let shown = Shown { text: "abäcd".into(), start: 10, ..Shown::default() };
        assert_eq!(shown.around(12, 2), Some(("ab", "ä", "cd")));
        assert_eq!(shown.around(13, 2), None, "within a character");
        assert_eq!((shown.around(9, 2), shown.around(12, 0), shown.around(12, 99)), (None, None, None));
        assert_eq!(shown.around(10, 6), None, "all of it");
        let damaged = Shown { text: "\u{fffd}bcd".into(), ..Shown::default() };
        assert_eq!(damaged.around(3, 1), None);
    }
}
