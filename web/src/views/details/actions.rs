//! What can be done with the selected message: copy it, its conversation or its address, and find it on the timeline.

use std::sync::Arc;

use leptos::prelude::*;

use crate::protocol::{Details, Passage};
use crate::state::{DatasetState, RouteState, use_store};
use huddle_web_model::route::View;
use huddle_web_model::timeline::scale::around;

/// The buttons.
#[component]
pub fn Actions(details: Arc<Details>) -> impl IntoView {
    let (dataset, route): (DatasetState, RouteState) = (use_store(), use_store());
    let key = StoredValue::new(details.line.key.clone());
    let copy_link = move |_| {
        let address = window().location().href().unwrap_or_default();
        dataset.copy_text(address, "Copied the link.");
    };
    let copy_thread = (details.conversation_count > 1).then(|| {
        let copy = move |_| dataset.copy(Passage::Thread(key.get_value()));
        view! { <button type="button" on:click=copy>"Copy thread"</button> }
    });
    let elsewhere = Memo::new(move |_| route.route.with(|route| route.view != View::Timeline));
    let on_timeline = details.on_timeline.map(|(position, _)| {
        let span = dataset.overview.with_untracked(|it| it.as_ref().and_then(|it| it.span));
        let show = move |_| route.push(|route| (route.view, route.zoom) = (View::Timeline, around(position, span)));
        view! {
            <Show when=move || elsewhere.get()>
                <button type="button" on:click=show>"Show in timeline"</button>
            </Show>
        }
    });
    view! {
        <div class="actions" role="group" aria-label="With this message">
            <button type="button" on:click=move |_| dataset.copy(Passage::Message(key.get_value()))>"Copy message"</button>
            {copy_thread}
            <button type="button" on:click=copy_link>"Copy link"</button>
            {on_timeline}
        </div>
    }
}
