//! A part of a file as text, with ways to more of it.

use leptos::html;
use leptos::prelude::*;

use super::modal::Modal;
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

/// Draws a part of a file.
#[component]
pub fn FileDialog(
    /// The file.
    path: String,
    /// Where what matters begins.
    offset: u64,
    /// How many bytes matter.
    length: u32,
) -> impl IntoView {
    let store = Store::of_page();
    let shown = RwSignal::new(Shown::default());
    let file = StoredValue::new(path.clone());
    let load = move |(start, length): (u64, u32)| {
        store.ask(&Ask::Part { path: file.get_value(), offset: start, length }, move |answer| {
            let _ = shown.try_update(|shown| shown.take(answer, (start, length)));
        });
    };
    load(first(offset, length));
    let place = move || {
        shown.with(|shown| match shown.start {
            0 => String::new(),
            start => format!("From byte {}", number(start)),
        })
    };
    let earlier = move |_| {
        let end = u32::try_from(shown.with_untracked(|shown| shown.end)).unwrap_or(MOST);
        load((0, end.min(MOST)));
    };
    let earlier =
        move || shown.with(|shown| shown.start > 0).then(|| more("Show from its beginning".to_owned(), earlier));
    let later = move |_| load((shown.with_untracked(|shown| shown.end), PORTION));
    let later =
        move || shown.with(|shown| shown.more).then(|| more(format!("Show {} more", size(PORTION.into())), later));
    let failed = move || shown.with(|shown| shown.failed.clone());
    let failed = move || failed().map(|why| view! { <p class="failed" role="alert">{why}</p> });
    view! {
        <Modal this=Dialog::File(path.clone(), offset, length) title=path class="wide">
            <div class="over-body" tabindex="0" role="region" aria-label="Text of the file">
                {failed}
                <p class="file-where">{place}</p>
                {earlier}
                <pre class="file-text">{move || shown.with(|shown| text(shown, offset, length))}</pre>
                {later}
            </div>
        </Modal>
    }
}

fn more(name: String, load: impl FnMut(web_sys::MouseEvent) + 'static) -> impl IntoView {
    view! { <div class="file-more"><button class="button" on:click=load>{name}</button></div> }
}

/// Draws the text, with what matters marked and in sight.
fn text(shown: &Shown, offset: u64, length: u32) -> AnyView {
    let Some((before, marked, after)) = shown.around(offset, length) else { return shown.text.clone().into_any() };
    let node = NodeRef::<html::Mark>::new();
    Effect::new(move || {
        let centre = web_sys::ScrollIntoViewOptions::new();
        centre.set_block(web_sys::ScrollLogicalPosition::Center);
        node.get().iter().for_each(|mark| mark.scroll_into_view_with_scroll_into_view_options(&centre));
    });
    let (before, marked, after) = (before.to_owned(), marked.to_owned(), after.to_owned());
    view! { {before} <mark node_ref=node>{marked}</mark> {after} }.into_any()
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
