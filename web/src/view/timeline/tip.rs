//! What is said of the thing under the pointer.

use std::cell::Cell;
use std::sync::Arc;

use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::chart::Chart;
use crate::dom::{El, effect, el, memo};
use crate::protocol::{Line, Request, Response};
use huddle_web_model::timeline::scale::px;
use huddle_web_model::timeline::tip::{Said, beside, single, tell};

/// The pointer rests on a thing for so many milliseconds before the worker is asked about it.
const REST: u32 = 60;

/// How wide and high a tip is at most, in pixels, so that it stays on the drawing.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 110.0;

/// Draws the tip into the drawing.
pub(super) fn tip(drawing: El, chart: Chart) -> El {
    let line = line_at_pointer(chart);
    // As one list, whose first is the heading.
    let said = memo(move || {
        let said = || {
            let hit = chart.pointer.get()?.2?;
            let (view, line) = (chart.shown.get()?, line.get());
            tell(&view, hit, line.as_deref())
        };
        let Some(Said { head, mut lines }) = said() else { return Vec::new() };
        lines.insert(0, head);
        lines
    });
    let x = move || chart.pointer.get().map_or(0.0, |(x, ..)| beside(x, chart.room.get_untracked().width, WIDTH));
    let y = move || chart.pointer.get().map_or(0.0, |(_, y, _)| beside(y, chart.room.get_untracked().height, HEIGHT));
    drawing.live_one(move || {
        let said = said.get();
        let (head, lines) = said.split_first()?;
        let tip = el("div").class("tl-tip").attr("aria-hidden", "true");
        let tip = tip.live_style("left", move || px(x())).live_style("top", move || px(y()));
        let tip = tip.with(el("p").class("tl-tip-head").text(head));
        Some(tip.all(lines.iter().map(|line| el("p").text(line))))
    })
}

/// Asks for the message under the pointer as soon as that rests, and holds the answer while it stays.
fn line_at_pointer(chart: Chart) -> RwSignal<Option<Arc<Line>>> {
    let line: RwSignal<Option<Arc<Line>>> = RwSignal::new(None);
    let (before, waiting) = (Cell::new(None), Cell::new(None));
    effect(move || {
        let hit = chart.pointer.get().and_then(|(.., hit)| hit);
        let view = chart.shown.get();
        let entry = view.zip(hit).and_then(|(view, hit)| single(&view, hit));
        if before.replace(entry) == entry {
            return;
        }
        line.set(None);
        let ask = move |entry| {
            // What is answered for an earlier one comes too late.
            let now = move || single(&*chart.view()?, chart.pointer.get_untracked()?.2?);
            let response = chart.store.request(Request::Entry(entry));
            spawn_local(async move {
                let reply = response.await;
                if let Ok(Response::Line(answer)) = reply
                    && chart.parts().is_some()
                    && now() == Some(entry)
                {
                    line.try_set(Some(Arc::new(*answer)));
                }
            });
        };
        waiting.set(entry.map(|entry| Timeout::new(REST, move || ask(entry))));
    });
    line
}
