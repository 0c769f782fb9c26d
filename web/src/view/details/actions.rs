//! What can be done with the selected message: copy it, its conversation or its address, and find it on the timeline.

use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::place::View;
use crate::protocol::{Answer, Ask, Details, Passage};
use crate::store::Store;

/// Draws the buttons.
pub(super) fn actions(store: Store, details: &Details) -> AnyView {
    let key = details.line.key.clone();
    let thread = key.clone();
    let message = move |_| copy_passage(store, Passage::Message(key.clone()), "The message is copied as Markdown.");
    let whole = move |_| copy_passage(store, Passage::Thread(thread.clone()), "The thread is copied as Markdown.");
    let link = move |_| {
        let address = window().location().href().unwrap_or_default();
        copy(store, address, "The link is copied.");
    };
    let span = store.overview.with_untracked(|it| it.as_ref().and_then(|it| it.span));
    let on_timeline = details.on_timeline.map(|(position, _)| {
        let show = move |_| store.go(|place| (place.view, place.zoom) = (View::Timeline, around(position, span)));
        view! { <button type="button" on:click=show>"Show in timeline"</button> }
    });
    view! {
        <div class="actions" role="group" aria-label="With this message">
            <button type="button" on:click=message>"Copy message"</button>
            <button type="button" on:click=whole>"Copy thread"</button>
            <button type="button" on:click=link>"Copy link"</button>
            {on_timeline}
        </div>
    }
    .into_any()
}

/// A window around a position on the timeline: a twenty-fifth of the whole time, but enough to see something of.
fn around(position: i64, span: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let (start, end) = span?;
    let half = ((end - start) / 50).max(1_000_000);
    Some((position.saturating_sub(half).max(0), position.saturating_add(half)))
}

fn copy_passage(store: Store, passage: Passage, done: &'static str) {
    store.ask(&Ask::Markdown(passage), move |answer| match answer {
        Answer::Text { text, .. } => copy(store, text, done),
        Answer::Failed(why) => store.notice.set(why),
        _ => {}
    });
}

/// Puts a text into the clipboard, and says whether that went well.
pub(crate) fn copy(store: Store, text: String, done: &'static str) {
    wasm_bindgen_futures::spawn_local(async move {
        let said = match write(&text).await {
            Ok(()) => done,
            Err(_) => {
                "The browser does not let this page copy: it does so only for pages that came safely, and after a click."
            }
        };
        store.notice.set(said.to_owned());
    });
}

async fn write(text: &str) -> Result<(), JsValue> {
    let navigator = window().navigator();
    // There is none in a page that came over an unprotected way.
    if js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard"))?.is_undefined() {
        return Err(JsValue::NULL);
    }
    JsFuture::from(navigator.clipboard().write_text(text)).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::around;

    #[test]
    fn the_window_is_around_the_message() {
        assert_eq!(around(500, None), None);
        assert_eq!(around(90_000_000, Some((0, 100_000_000))), Some((88_000_000, 92_000_000)));
        assert_eq!(around(500, Some((7, 8))), Some((0, 1_000_500)));
    }
}
