//! What is said of the thing under the pointer.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::controller::TimelineController;
use crate::protocol::{Line, Request, Response};
use huddle_web_model::timeline::scale::px;
use huddle_web_model::timeline::tip::{Said, beside, single, tell};

/// The pointer rests on a thing for so long before the worker is asked about it.
const REST: Duration = Duration::from_millis(60);

/// How wide and high a tip is at most, in pixels, so that it stays on the drawing.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 110.0;

/// Shows the tip.
#[component]
pub(super) fn Tip(timeline: TimelineController) -> impl IntoView {
    let TimelineController { shown, pointer, layout, .. } = timeline;
    let line = line_at_pointer(timeline);
    let said = Memo::new(move |_| {
        let hit = pointer.get()?.2?;
        shown.with(|shown| tell(shown.as_ref()?, hit, line.get().as_deref()))
    });
    let left = move || pointer.get().map_or(0.0, |(x, ..)| beside(x, layout.get_untracked().width, WIDTH));
    let top = move || pointer.get().map_or(0.0, |(_, y, _)| beside(y, layout.get_untracked().height, HEIGHT));
    move || {
        said.get().map(|Said { head, lines }| {
            let lines = lines.into_iter().map(|line| view! { <p>{line}</p> }).collect_view();
            view! {
                <div class="tl-tip" aria-hidden="true" style:left=move || px(left()) style:top=move || px(top())>
                    <p class="tl-tip-head">{head}</p>
                    {lines}
                </div>
            }
        })
    }
}

/// Requests the message under the pointer as soon as that rests, and holds the answer while it stays.
fn line_at_pointer(timeline: TimelineController) -> RwSignal<Option<Arc<Line>>> {
    let TimelineController { shown, pointer, .. } = timeline;
    let line: RwSignal<Option<Arc<Line>>> = RwSignal::new(None);
    let entry = Memo::new(move |_| {
        let hit = pointer.get()?.2?;
        shown.with(|shown| single(shown.as_ref()?, hit))
    });
    Effect::new(move || {
        line.set(None);
        let Some(wanted) = entry.get() else { return };
        let request = move || {
            let response = timeline.dataset.request(Request::Entry(wanted));
            spawn_local(async move {
                // An answer for an earlier thing comes too late.
                if let Ok(Response::Line(answer)) = response.await
                    && entry.try_get_untracked().flatten() == Some(wanted)
                {
                    line.try_set(Some(Arc::new(*answer)));
                }
            });
        };
        let timer = set_timeout_with_handle(request, REST);
        on_cleanup(move || timer.into_iter().for_each(|timer| timer.clear()));
    });
    line
}
