//! The names of the lanes beside the drawing, with how many messages each has in the window.

use leptos::prelude::*;

use super::controller::{AXIS, TimelineController};
use crate::components::name::{LongName, term};
use crate::format::{day, number};
use crate::views::search::terms;
use huddle_web_model::timeline::scale::{px, time_at};

/// Shows the names of the lanes that are to be seen.
#[component]
pub(super) fn LaneNames(timeline: TimelineController) -> impl IntoView {
    let TimelineController { shown, layout, .. } = timeline;
    let date = move || shown.with(|shown| shown.as_deref().map(|shown| day(time_at(shown, shown.start as f64))));
    let lane_height = Memo::new(move |_| {
        shown.track();
        layout.track();
        timeline.frame().lane
    });
    let height = move || {
        let lanes = shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.lanes.len()));
        px(AXIS + lane_height.get() * lanes as f64)
    };
    let lanes = Memo::new(move |_| {
        layout.track();
        shown.with(|shown| {
            let shown = shown.as_ref()?;
            let lane = |lane: u32| Some((lane, shown.lanes.get(lane as usize)?.clone()));
            Some(timeline.frame().lanes(shown.lanes.len()).filter_map(lane).collect::<Vec<_>>())
        })
    });
    view! {
        <ul class="tl-names" aria-label="Lanes, with the messages of each in the window" style:height=height>
            <li class="tl-corner">{date}</li>
            <For each=move || lanes.get().unwrap_or_default() key=Clone::clone let((lane, name))>
                <LaneName timeline lane name lane_height />
            </For>
        </ul>
    }
}

/// Shows the name of a lane, which searches for what its agent sent, and how many messages it has in the window.
#[component]
fn LaneName(timeline: TimelineController, lane: u32, name: String, lane_height: Memo<f64>) -> impl IntoView {
    let count = move || {
        let count = timeline.shown.with(|shown| shown.as_ref().and_then(|it| it.counts.get(lane as usize).copied()));
        number(count.unwrap_or_default().into())
    };
    let shown = match name.as_str() {
        "" => view! { <span class="tl-nobody">"no author"</span> }.into_any(),
        _ => {
            let class = format!("agent hue-{}", timeline.settings.color(&name));
            let title = format!("Search for {}", term("from", &name));
            let (search, label) = (name.clone(), name.clone());
            let press = move |_| {
                let query = timeline.route.route.with_untracked(|it| terms::toggled(&it.query, "from", &search));
                timeline.route.search_for(&query);
            };
            view! {
                <button type="button" class=class title=title aria-label=label on:click=press>
                    <LongName name />
                </button>
            }
            .into_any()
        }
    };
    let top = move || px(AXIS + lane_height.get() * f64::from(lane));
    view! {
        <li style:top=top style:height=move || px(lane_height.get())>
            {shown}
            <span class="tl-count">{count}</span>
        </li>
    }
}
