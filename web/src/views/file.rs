//! A part of a file as text, with ways to more of it.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::components::modal::Modal;
use crate::format::{number, size};
use crate::protocol::Request;
use crate::state::{DatasetState, Dialog, use_store};
use huddle_web_model::file_part::{MOST, PORTION, Shown, first};

/// Shows a part of a file: `offset` is where what matters begins, and `length` how many bytes of it there are.
#[component]
pub fn FileDialog(path: String, offset: u64, length: u32) -> impl IntoView {
    let shown = RwSignal::new(Shown::default());
    let reader = FileReader { dataset: use_store(), path: StoredValue::new(path.clone()), shown };
    reader.load(first(offset, length));
    let earlier = move |_| {
        let end = shown.with_untracked(|shown| u32::try_from(shown.end).unwrap_or(MOST));
        reader.load((0, end.min(MOST)));
    };
    let later = move |_| reader.load((shown.with_untracked(|shown| shown.end), PORTION));
    let start = Memo::new(move |_| shown.with(|shown| shown.start));
    let more = Memo::new(move |_| shown.with(|shown| shown.more));
    let failed =
        move || shown.with(|shown| shown.failed.clone()).map(|why| view! { <p class="failed" role="alert">{why}</p> });
    view! {
        <Modal dialog=Dialog::File(path.clone(), offset, length) title=path class="wide">
            <div class="over-body" tabindex="0" role="region" aria-label="Text of the file">
                {failed}
                <p class="file-where">{move || Some(start.get()).filter(|at| *at > 0).map(|at| format!("From byte {}", number(at)))}</p>
                <Show when=move || { start.get() > 0 }>
                    <div class="file-more">
                        <button class="button" on:click=earlier>"Show from its beginning"</button>
                    </div>
                </Show>
                <FileText shown offset length />
                <Show when=move || more.get()>
                    <div class="file-more">
                        <button class="button" on:click=later>{format!("Show {} more", size(PORTION.into()))}</button>
                    </div>
                </Show>
            </div>
        </Modal>
    }
}

/// Requests parts of a file.
#[derive(Clone, Copy)]
struct FileReader {
    dataset: DatasetState,
    path: StoredValue<String>,
    shown: RwSignal<Shown>,
}

impl FileReader {
    fn load(self, part: (u64, u32)) {
        let request = Request::Part { path: self.path.get_value(), offset: part.0, length: part.1 };
        let response = self.dataset.request(request);
        // The dialog may be closed by then.
        spawn_local(async move {
            let reply = response.await;
            self.shown.try_update(|shown| shown.take(reply, part));
        });
    }
}

/// Shows the text, with what matters marked. The mark is scrolled into view when it is new.
#[component]
fn FileText(shown: RwSignal<Shown>, offset: u64, length: u32) -> impl IntoView {
    let mark = NodeRef::<html::Mark>::new();
    let parts = move || {
        shown.with(|shown| {
            let owned =
                |(before, marked, after): (&str, &str, &str)| (before.to_owned(), marked.to_owned(), after.to_owned());
            shown.around(offset, length).map(owned)
        })
    };
    let parts = Memo::new(move |_| parts());
    // What was read on is not left again for what matters.
    let begins = Memo::new(move |_| parts.with(Option::is_some).then(|| shown.with(|shown| shown.start)));
    Effect::new(move || {
        if begins.get().is_some()
            && let Some(mark) = mark.get()
        {
            let center = web_sys::ScrollIntoViewOptions::new();
            center.set_block(web_sys::ScrollLogicalPosition::Center);
            mark.scroll_into_view_with_scroll_into_view_options(&center);
        }
    });
    let text = move || match parts.get() {
        Some((before, marked, after)) => view! { {before} <mark node_ref=mark>{marked}</mark> {after} }.into_any(),
        None => shown.with(|shown| shown.text.clone()).into_any(),
    };
    view! { <pre class="file-text">{text}</pre> }
}
