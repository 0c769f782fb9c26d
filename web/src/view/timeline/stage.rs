//! The canvas with the lanes, and the lanes' names beside it.

use std::cell::{Cell, RefCell};

use gloo::utils::{document, window};
use leptos::prelude::*;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MutationObserver, MutationObserverInit, ResizeObserver};

use super::chart::{AXIS, Chart, NARROW, Parts, Room};
use super::minimap::minimap;
use super::{input, tip};
use crate::dom::{El, effect, el, hear, soon};
use crate::format::{self, number};
use crate::protocol::TimelineView;
use huddle_web_model::route::View;
use huddle_web_model::timeline::scale::{px, time_at};
use huddle_web_model::timeline::summary::described;

/// Draws the minimap and the lanes.
pub(super) fn stage(chart: Chart) -> Vec<El> {
    let map = minimap(chart);
    let canvas = canvas(chart);
    let scroller = el("div").class("tl-scroll").attr("tabindex", "0").attr("role", "group").attr("aria-label", "Lanes");
    let parts = Parts {
        scroller: scroller.html().clone(),
        canvas: canvas.element().clone().unchecked_into(),
        map: map.element().clone().unchecked_into(),
    };
    chart.works().parts.replace(Some(parts));
    on_cleanup(move || {
        chart.works().parts.take();
        chart.pointer.set(None);
    });
    watch(chart);
    return_to_scroll(chart);
    soon(move || {
        measure(chart);
        if chart.parts().is_some() {
            chart.repaint();
        }
    });
    let drawing = el("div").class("tl-stage").live_style("height", move || px(chart.room.get().height)).with(canvas);
    let scroller = scroller.with(names(chart)).with(tip::tip(drawing, chart));
    vec![map, scroller.on("scroll", move |_| scrolled(chart))]
}

/// Makes the canvas with the lanes.
fn canvas(chart: Chart) -> El {
    el("canvas")
        .class("tl-canvas")
        .attr("role", "img")
        .live_attr("aria-label", move || chart.shown.get().map(|shown| described(&shown)))
        .on("pointerdown", move |event| chart.pointer_down(event.unchecked_ref()))
        .on("pointermove", move |event| chart.pointer_move(event.unchecked_ref()))
        .on("pointerup", move |event| chart.pointer_up(event.unchecked_ref()))
        .on("pointercancel", move |event| {
            chart.pointer_gone(event.unchecked_ref::<web_sys::PointerEvent>().pointer_id());
        })
        .on("pointerleave", move |_| chart.point(None))
        .on("dblclick", move |event| {
            let (x, y) = input::at(event.unchecked_ref());
            chart.double(x, y);
        })
        .on("wheel", move |event| chart.wheel(event.unchecked_ref()))
}

fn scrolled(chart: Chart) {
    let top = chart.parts().map_or(0, |parts| parts.scroller.scroll_top());
    chart.room.set(Room { scroll: f64::from(top), ..chart.room.get_untracked() });
    chart.store.keep_scroll(View::Timeline, top);
}

/// Draws the names of the lanes that are to be seen.
fn names(chart: Chart) -> El {
    let day = move || {
        let day = |shown: &TimelineView| format::day(time_at(shown, shown.start as f64));
        chart.shown.get().map(|shown| day(&shown)).unwrap_or_default()
    };
    let list = el("ul").class("tl-names").attr("aria-label", "Lanes, with the messages of each in the window");
    let list = list.with(el("li").class("tl-corner").live_text(day));
    let (here, rows) = (list.clone(), RefCell::new(Vec::new()));
    effect(move || {
        chart.room.track();
        chart.shown.track();
        name_lanes(chart, &here, &mut rows.borrow_mut());
    });
    list
}

/// The name of a lane.
struct Name {
    item: El,
    name: El,
    count: El,
    /// What it says and where it is.
    said: (String, u32, f64),
}

impl Name {
    fn new() -> Self {
        let (name, count) = (el("span"), el("span").class("tl-count"));
        let item = el("li").with(name.clone()).with(count.clone());
        Self { item, name, count, said: (String::new(), u32::MAX, 0.0) }
    }

    /// Says the name and where it is, unless it does.
    fn say(&mut self, chart: Chart, name: &str, lane: u32, height: f64) {
        if (self.said.0.as_str(), self.said.1, self.said.2) == (name, lane, height) {
            return;
        }
        self.said = (name.to_owned(), lane, height);
        let (class, name) = match name {
            "" => ("tl-nobody".to_owned(), "no author"),
            name => (format!("agent hue-{}", chart.store.hue(name)), name),
        };
        self.name.element().set_text_content(Some(name));
        let _ = self.name.clone().class(&class).attr("title", name);
        let _ = self.item.clone().style("top", &px(AXIS + height * f64::from(lane))).style("height", &px(height));
    }
}

/// Names the lanes that are to be seen, with the rows that are there, and with more or fewer of them.
fn name_lanes(chart: Chart, list: &El, rows: &mut Vec<Name>) {
    let view = chart.view().unwrap_or_default();
    let frame = chart.frame();
    let seen = frame.lanes(view.lanes.len());
    let _ = list.clone().style("height", &px(AXIS + frame.lane * view.lanes.len() as f64));
    while rows.len() > seen.len() {
        rows.pop().into_iter().for_each(|row| row.item.element().remove());
    }
    while rows.len() < seen.len() {
        let row = Name::new();
        let _ = list.clone().with(row.item.clone());
        rows.push(row);
    }
    for (lane, row) in seen.zip(rows) {
        row.say(chart, view.lanes.get(lane as usize).map_or("", String::as_str), lane, frame.lane);
        let many = number(view.counts.get(lane as usize).copied().unwrap_or(0).into());
        row.count.element().set_text_content(Some(&many));
    }
}

/// Scrolls lanes to where they were when the timeline was last seen, as soon as they are there.
fn return_to_scroll(chart: Chart) {
    let before = chart.store.scroll_of(View::Timeline);
    let done = Cell::new(false);
    effect(move || {
        let ready = chart.shown.get().is_some() && chart.room.get().height > 0.0;
        if ready && !done.replace(true) {
            // By then the names are as high as all lanes.
            soon(move || chart.parts().iter().for_each(|parts| parts.scroller.set_scroll_top(before)));
        }
    });
}

/// What watches the room and the colours.
struct Watch {
    size: Option<ResizeObserver>,
    theme: Option<MutationObserver>,
    _heard: [Closure<dyn Fn()>; 2],
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.size.iter().for_each(ResizeObserver::disconnect);
        self.theme.iter().for_each(MutationObserver::disconnect);
    }
}

/// Keeps the drawing as large as the room for it, and reads the colours again when the theme changes, by the page's choice
/// or by the system's.
fn watch(chart: Chart) {
    let resized = Closure::<dyn Fn()>::new(move || measure(chart));
    let size = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
    if let (Some(size), Some(parts)) = (&size, chart.parts()) {
        size.observe(&parts.scroller);
        size.observe(&parts.canvas);
        size.observe(&parts.map);
    }
    let chosen = Closure::<dyn Fn()>::new(move || chart.recolour());
    let theme = MutationObserver::new(chosen.as_ref().unchecked_ref()).ok();
    if let (Some(theme), Some(root)) = (&theme, document().document_element()) {
        let what = MutationObserverInit::new();
        what.set_attributes(true);
        what.set_attribute_filter(&js_sys::Array::of1(&JsValue::from_str("data-theme")));
        // It fails only when there is nothing to be observed.
        let _ = theme.observe_with_options(&root, &what);
    }
    StoredValue::new_local(Watch { size, theme, _heard: [resized, chosen] });
    for query in ["(prefers-color-scheme: dark)", "(forced-colors: active)"] {
        if let Ok(Some(list)) = window().match_media(query) {
            hear(&list, "change", move |_| chart.recolour());
        }
    }
}

/// Takes the room that there is.
fn measure(chart: Chart) {
    let Some(Parts { scroller, canvas, map }) = chart.parts() else { return };
    let before = chart.room.get_untracked();
    let room = Room {
        width: f64::from(canvas.client_width()),
        height: f64::from(scroller.client_height()),
        map: (f64::from(map.client_width()), f64::from(map.client_height())),
        narrow: scroller.offset_width() <= NARROW,
        ..before
    };
    if room != before {
        chart.room.set(room);
    }
}
