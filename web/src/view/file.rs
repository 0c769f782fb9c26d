//! A part of a file as text, with ways to more of it.

use leptos::prelude::*;

use super::modal::Modal;
use crate::format::{number, size};
use crate::protocol::{Answer, Ask};
use crate::store::{Dialog, Store};

/// How many bytes are asked for at a time.
const PORTION: u32 = 64 << 10;
/// How many bytes before a place are shown with it.
const BEFORE: u64 = 512;

/// What is shown of a file.
#[derive(Clone, Default)]
struct Shown {
    text: String,
    /// Where it begins.
    start: u64,
    /// The byte after the last.
    end: u64,
    more: bool,
    failed: Option<String>,
}

/// Gives the part to ask for first: what matters, and a little before it.
fn first(offset: u64, length: u32) -> (u64, u32) {
    let start = offset.saturating_sub(BEFORE);
    let before = u32::try_from(offset - start).unwrap_or_default();
    (start, length.saturating_add(before).clamp(PORTION, PORTION * 16))
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
    let load = move |start: u64, length: u32, keep: bool| {
        store.ask(&Ask::Part { path: file.get_value(), offset: start, length }, move |answer| {
            let _ = shown.try_update(|shown| match answer {
                Answer::Text { text, cut } => {
                    let before = if keep { std::mem::take(&mut shown.text) } else { String::new() };
                    let begin = if keep { shown.start } else { start };
                    let end = start + u64::from(length);
                    *shown = Shown { text: before + &text, start: begin, end, more: cut, failed: None };
                }
                Answer::Failed(why) => shown.failed = Some(why),
                _ => {}
            });
        });
    };
    let (start, many) = first(offset, length);
    load(start, many, false);
    let place = move || {
        shown.with(|shown| if shown.start > 0 { format!("From byte {}", number(shown.start)) } else { String::new() })
    };
    let earlier = move || {
        let load = move |_| {
            let end = u32::try_from(shown.with_untracked(|shown| shown.end)).unwrap_or(u32::MAX);
            load(0, end.min(PORTION * 16), false);
        };
        shown.with(|shown| shown.start > 0).then(|| view! { <div class="file-more"><button class="button" on:click=load>"Show from its beginning"</button></div> })
    };
    let later = move || {
        let load = move |_| load(shown.with_untracked(|shown| shown.end), PORTION, true);
        shown.with(|shown| shown.more).then(|| view! { <div class="file-more"><button class="button" on:click=load>"Show " {size(PORTION.into())} " more"</button></div> })
    };
    let failed =
        move || shown.with(|shown| shown.failed.clone()).map(|why| view! { <p class="failed" role="alert">{why}</p> });
    view! {
        <Modal this=Dialog::File(path.clone(), offset, length) title=path class="wide">
            <div class="over-body" tabindex="0" role="region" aria-label="Text of the file">
                {failed}
                <p class="file-where">{place}</p>
                {earlier}
                <pre class="file-text">{move || shown.with(|shown| shown.text.clone())}</pre>
                {later}
            </div>
        </Modal>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_shown_with_a_little_before_it() {
        assert_eq!(first(0, 0), (0, PORTION));
        assert_eq!(first(100, 10), (0, PORTION));
        assert_eq!(first(10_000, PORTION), (10_000 - BEFORE, PORTION + 512));
        assert_eq!(first(10_000, u32::MAX), (10_000 - BEFORE, PORTION * 16));
    }
}
