//! The canvas with the lanes, and the lanes' names beside it.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::{document, window};
use leptos::prelude::*;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MutationObserver, MutationObserverInit, ResizeObserver, WheelEvent};

use super::chart::{AXIS, Chart, NARROW};
use super::input;
use super::scale::{Frame, time_at};
use super::tip::Tip;
use crate::format::{self, count, moment, number};
use crate::place::View;
use crate::protocol::TimelineView;

/// Draws the lanes.
#[component]
pub fn Stage(
    /// The timeline's state.
    chart: Chart,
) -> impl IntoView {
    watch_size(chart);
    watch_theme(chart);
    watch_wheel(chart);
    return_to_scroll(chart);
    on_cleanup(move || chart.pointer.set(None));
    let scrolled = move |_| {
        let top = chart.scroller.get_untracked().map_or(0, |scroller| scroller.scroll_top());
        chart.scroll.set(f64::from(top));
        chart.store.keep_scroll(View::Timeline, top);
    };
    let said = move || chart.shown.with(|shown| shown.as_ref().map(|shown| described(shown)));
    let height = move || format!("{}px", chart.size.get().1);
    let double = move |event: leptos::ev::MouseEvent| {
        let (x, y) = input::at(&event);
        chart.double(x, y);
    };
    view! {
        <div class="tl-scroll" node_ref=chart.scroller tabindex="0" role="group" aria-label="Lanes" on:scroll=scrolled>
            <Names chart/>
            <div class="tl-stage" style:height=height>
                <canvas class="tl-canvas" node_ref=chart.canvas role="img" aria-label=said
                    on:pointerdown=move |event| chart.pointer_down(&event)
                    on:pointermove=move |event| chart.pointer_move(&event)
                    on:pointerup=move |event| chart.pointer_up(&event)
                    on:pointercancel=move |event| chart.pointer_gone(event.pointer_id())
                    on:pointerleave=move |_| chart.point(None)
                    on:dblclick=double/>
                <Tip chart/>
            </div>
        </div>
    }
}

/// Sums up what the canvas shows.
fn described(shown: &TimelineView) -> String {
    let messages: u32 = shown.counts.iter().sum();
    let agents = shown.lanes.iter().filter(|name| !name.is_empty()).count();
    format!(
        "Timeline of {} and {} from {} to {}. The button “As a table” shows the same as a table.",
        count(agents as u64, "agent"),
        count(messages.into(), "message"),
        moment(shown.times.0),
        moment(shown.times.1),
    )
}

/// Draws the names of the lanes that are to be seen.
#[component]
fn Names(chart: Chart) -> impl IntoView {
    // Only what changes what names are drawn, so that they are not made anew with every answer.
    let seen = Memo::new(move |_| {
        chart.size.track();
        chart.narrow.track();
        let lanes = chart.shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.lanes.len()));
        let frame = Frame { scroll: chart.scroll.get(), ..chart.frame() };
        (frame.lanes(lanes), frame.lane, lanes)
    });
    let names =
        Memo::new(move |_| chart.shown.with(|shown| shown.as_ref().map(|it| it.lanes.clone())).unwrap_or_default());
    let height = move || seen.with(|(_, lane, lanes)| format!("{}px", AXIS + lane * *lanes as f64));
    let day = Memo::new(move |_| {
        chart.shown.with(|shown| shown.as_ref().map(|shown| format::day(time_at(shown, shown.start as f64))))
    });
    let each = move || seen.with(|(range, ..)| range.clone().collect::<Vec<_>>());
    let name = move |lane: u32| {
        let name = names.with(|names| names.get(lane as usize).cloned()).unwrap_or_default();
        let many = move || {
            let many = chart.shown.with(|shown| shown.as_ref().and_then(|it| it.counts.get(lane as usize).copied()));
            number(many.unwrap_or(0).into())
        };
        let top = move || seen.with(|(_, height, _)| format!("{}px", AXIS + height * f64::from(lane)));
        let height = move || seen.with(|(_, height, _)| format!("{height}px"));
        let (class, name) = if name.is_empty() {
            ("tl-nobody".to_owned(), "no author".to_owned())
        } else {
            (format!("agent hue-{}", chart.store.hue(&name)), name)
        };
        let title = name.clone();
        view! {
            <li style:top=top style:height=height>
                <span class=class title=title>{name}</span>
                <span class="tl-count">{many}</span>
            </li>
        }
    };
    view! {
        <ul class="tl-names" style:height=height aria-label="Lanes, with the messages of each in the window">
            <li class="tl-corner">{day}</li>
            {move || {
                names.track();
                each().into_iter().map(name).collect_view()
            }}
        </ul>
    }
}

/// Scrolls lanes to where they were when the timeline was last seen, as soon as they are there.
fn return_to_scroll(chart: Chart) {
    let before = chart.store.scroll_of(View::Timeline);
    Effect::new(move |done: Option<bool>| {
        let ready = chart.shown.with(Option::is_some) && chart.size.get().1 > 0.0;
        if let Some(scroller) = chart.scroller.get().filter(|_| ready && done != Some(true)) {
            scroller.set_scroll_top(before);
        }
        ready
    });
}

/// Keeps the drawing as large as the room for it.
fn watch_size(chart: Chart) {
    let measure = move || {
        let Some(Some(scroller)) = chart.scroller.try_get_untracked() else { return };
        let stage = chart.canvas.get_untracked().map_or(0, |canvas| canvas.client_width());
        let size = (f64::from(stage), f64::from(scroller.client_height()));
        chart.narrow.set(scroller.offset_width() <= NARROW);
        if chart.size.get_untracked() != size {
            chart.size.set(size);
        }
        if let Some(map) = chart.map.get_untracked() {
            chart.map_size.set((f64::from(map.client_width()), f64::from(map.client_height())));
        }
    };
    let heard = Closure::<dyn Fn()>::new(measure);
    let observer = ResizeObserver::new(heard.as_ref().unchecked_ref()).ok();
    let kept = StoredValue::new_local(Some((observer.clone(), heard)));
    Effect::new(move || {
        let (Some(observer), Some(scroller)) = (&observer, chart.scroller.get()) else { return };
        observer.observe(&scroller);
        if let Some(canvas) = chart.canvas.get() {
            observer.observe(&canvas);
        }
        if let Some(map) = chart.map.get() {
            observer.observe(&map);
        }
        measure();
    });
    on_cleanup(move || {
        if let Some((Some(observer), _)) = kept.try_update_value(Option::take).flatten() {
            observer.disconnect();
        }
    });
}

/// Reads the colours again when the theme changes, by the page's choice or by the system's.
fn watch_theme(chart: Chart) {
    let heard = Closure::<dyn Fn()>::new(move || chart.recolour());
    let observer = MutationObserver::new(heard.as_ref().unchecked_ref()).ok();
    if let (Some(observer), Some(root)) = (&observer, document().document_element()) {
        let what = MutationObserverInit::new();
        what.set_attributes(true);
        what.set_attribute_filter(&js_sys::Array::of1(&JsValue::from_str("data-theme")));
        // It fails only when there is nothing to be observed.
        let _ = observer.observe_with_options(&root, &what);
    }
    let lists = ["(prefers-color-scheme: dark)", "(forced-colors: active)"]
        .into_iter()
        .filter_map(|query| window().match_media(query).ok().flatten());
    let listeners: Vec<EventListener> =
        lists.map(|list| EventListener::new(&list, "change", move |_| chart.recolour())).collect();
    let kept = StoredValue::new_local(Some((observer, heard, listeners)));
    on_cleanup(move || {
        if let Some((Some(observer), ..)) = kept.try_update_value(Option::take).flatten() {
            observer.disconnect();
        }
    });
}

/// Hears the wheel in a way that lets the page be kept from scrolling or zooming.
fn watch_wheel(chart: Chart) {
    let kept: StoredValue<Option<EventListener>, LocalStorage> = StoredValue::new_local(None);
    Effect::new(move || {
        let Some(canvas) = chart.canvas.get() else { return };
        let options = EventListenerOptions::enable_prevent_default();
        let listener = EventListener::new_with_options(&canvas, "wheel", options, move |event| {
            event.dyn_ref::<WheelEvent>().into_iter().for_each(|event| chart.wheel(event));
        });
        kept.set_value(Some(listener));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_canvas_is_described() {
        let shown = TimelineView {
            lanes: vec!["ann".into(), String::new()],
            counts: vec![1, 1],
            times: (0, 60_000_000),
            ..TimelineView::default()
        };
        let said = described(&shown);
        assert!(
            said.starts_with("Timeline of 1 agent and 2 messages from 1970-01-01 00:00:00 to 1970-01-01 00:01:00."),
            "{said}"
        );
    }
}
