//! The canvas with the lanes, the minimap above it, and the lanes' names beside it.

use std::cell::Cell;

use gloo::utils::window;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MutationObserver, MutationObserverInit, ResizeObserver};

use super::controller::{Elements, Layout, NARROW, TimelineController};
use super::input;
use super::lanes::LaneNames;
use super::minimap::Minimap;
use super::tip::Tip;
use huddle_web_model::route::View;
use huddle_web_model::timeline::scale::px;
use huddle_web_model::timeline::summary::described;

/// Shows the minimap and the lanes.
#[component]
pub(super) fn LaneCanvas(timeline: TimelineController) -> impl IntoView {
    on_cleanup(move || timeline.pointer.set(None));
    Effect::new(move || {
        observe(timeline);
        measure(timeline);
        timeline.repaint();
    });
    restore_scroll(timeline);
    let scrolled = move |_| {
        let top = timeline.elements().map_or(0, |elements| elements.scroller.scroll_top());
        timeline.layout.update(|layout| layout.scroll = f64::from(top));
        timeline.settings.keep_scroll(View::Timeline, top);
    };
    let label = move || timeline.shown.with(|shown| shown.as_deref().map(described));
    let double_click = move |event: ev::MouseEvent| {
        let (x, y) = input::at(&event);
        timeline.double(x, y);
    };
    view! {
        <Minimap timeline />
        <div node_ref=timeline.scroller class="tl-scroll" tabindex="0" role="group" aria-label="Lanes" on:scroll=scrolled>
            <LaneNames timeline />
            <div class="tl-stage" style:height=move || px(timeline.layout.with(|layout| layout.height))>
                <canvas
                    node_ref=timeline.canvas
                    class="tl-canvas"
                    role="img"
                    aria-label=label
                    on:pointerdown=move |event| timeline.pointer_down(&event)
                    on:pointermove=move |event| timeline.pointer_move(&event)
                    on:pointerup=move |event| timeline.pointer_up(&event)
                    on:pointercancel=move |event| timeline.pointer_gone(event.pointer_id())
                    on:pointerleave=move |_| timeline.point(None)
                    on:dblclick=double_click
                    on:wheel=move |event| timeline.wheel(&event)
                ></canvas>
                <Tip timeline />
                <Vacant timeline />
            </div>
        </div>
    }
}

/// Stands where the window has no message, and leads to the nearest.
#[component]
fn Vacant(timeline: TimelineController) -> impl IntoView {
    let nearest = Memo::new(move |_| {
        timeline.shown.with(|shown| {
            let shown = shown.as_ref().filter(|shown| shown.counts.iter().all(|count| *count == 0));
            shown.map(|shown| shown.nearest).filter(|nearest| *nearest != (None, None))
        })
    });
    let button = move |position: Option<i64>, label: &'static str| {
        position.map(|position| {
            view! {
                <button type="button" class="button" on:click=move |_| timeline.center(position as f64)>
                    {label}
                </button>
            }
        })
    };
    move || {
        nearest.get().map(|(before, after)| {
            view! {
                <div class="tl-vacant" role="status">
                    <p>"No messages in this window."</p>
                    {button(before, "To the message before")}
                    {button(after, "To the message after")}
                </div>
            }
        })
    }
}

/// Scrolls lanes to where they were when the timeline was last seen, as soon as they are there.
fn restore_scroll(timeline: TimelineController) {
    let before = timeline.settings.scroll_of(View::Timeline);
    let done = Cell::new(false);
    Effect::new(move || {
        let ready = timeline.shown.with(Option::is_some) && timeline.layout.get().height > 0.0;
        if ready && !done.replace(true) {
            // By then the names are as high as all lanes.
            request_animation_frame(move || {
                timeline.elements().iter().for_each(|elements| elements.scroller.set_scroll_top(before));
            });
        }
    });
}

/// Observes sizes and the theme, until it is dropped.
struct Observers {
    size: Option<ResizeObserver>,
    theme: Option<MutationObserver>,
    _callbacks: [Closure<dyn Fn()>; 2],
}

impl Drop for Observers {
    fn drop(&mut self) {
        self.size.iter().for_each(ResizeObserver::disconnect);
        self.theme.iter().for_each(MutationObserver::disconnect);
    }
}

/// Keeps the drawing as large as the room for it, and reads the colors again when the theme changes, by the page's choice
/// or by the system's.
fn observe(timeline: TimelineController) {
    let resized = Closure::<dyn Fn()>::new(move || measure(timeline));
    let size = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
    if let (Some(size), Some(Elements { scroller, canvas, map })) = (&size, timeline.elements()) {
        size.observe(&scroller);
        size.observe(&canvas);
        size.observe(&map);
    }
    let chosen = Closure::<dyn Fn()>::new(move || timeline.recolor());
    let theme = MutationObserver::new(chosen.as_ref().unchecked_ref()).ok();
    if let (Some(theme), Some(root)) = (&theme, document().document_element()) {
        let what = MutationObserverInit::new();
        what.set_attributes(true);
        what.set_attribute_filter(&js_sys::Array::of1(&JsValue::from_str("data-theme")));
        // It fails only when there is nothing to be observed.
        let _ = theme.observe_with_options(&root, &what);
    }
    StoredValue::new_local(Observers { size, theme, _callbacks: [resized, chosen] });
    for query in ["(prefers-color-scheme: dark)", "(forced-colors: active)"] {
        if let Ok(Some(list)) = window().match_media(query) {
            let listener = gloo::events::EventListener::new(&list, "change", move |_| timeline.recolor());
            StoredValue::new_local(listener);
        }
    }
}

/// Takes the room that there is.
fn measure(timeline: TimelineController) {
    let Some(Elements { scroller, canvas, map }) = timeline.elements() else { return };
    let before = timeline.layout.get_untracked();
    let layout = Layout {
        width: f64::from(canvas.client_width()),
        height: f64::from(scroller.client_height()),
        map: (f64::from(map.client_width()), f64::from(map.client_height())),
        narrow: scroller.offset_width() <= NARROW,
        ..before
    };
    if layout != before {
        timeline.layout.set(layout);
    }
}
