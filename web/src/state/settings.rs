//! How the reader has set up the page: panes, colors of agents, how far views are scrolled.

use gloo::events::EventListener;
use gloo::utils::window;
use leptos::prelude::*;

use super::{RouteState, browser};
use huddle_web_model::panes::{Pane, Panes};
use huddle_web_model::route::View;

/// Up to this width there is room for one pane only.
const NARROW: &str = "(max-width: 899px)";

/// How many colors there are for agents.
pub const COLORS: usize = 8;

/// How the reader has set up the page.
#[derive(Debug, Clone, Copy)]
pub struct SettingsState {
    route: RouteState,
    /// Which panes there are beside the view.
    pub panes: RwSignal<Panes>,
    /// The color of every agent, by name.
    colors: StoredValue<Vec<(String, usize)>>,
    /// How far each view was scrolled when it was last seen.
    scrolled: StoredValue<[i32; View::ALL.len()]>,
}

impl SettingsState {
    pub(super) fn new(route: RouteState) -> Self {
        let hidden = |name: &str| browser::remembered(name).is_some_and(|value| value == "hidden");
        let panes = Panes { narrow: is_narrow(), side: !hidden("side"), details: !hidden("details"), over: None };
        let panes = RwSignal::new(panes);
        EventListener::new(&window(), "resize", move |_| {
            let narrow = is_narrow();
            if panes.with_untracked(|panes| panes.narrow) != narrow {
                panes.update(|panes| (panes.narrow, panes.over) = (narrow, None));
            }
        })
        .forget();
        Self { route, panes, colors: StoredValue::default(), scrolled: StoredValue::default() }
    }

    /// Returns whether a pane is to be seen. Details of nothing take no room from a view that has no messages to select.
    pub fn shows(self, pane: Pane) -> bool {
        let empty =
            pane == Pane::Details && self.route.route.with(|route| route.selected.is_none() && !route.view.lists());
        self.panes.with(|panes| panes.shows(pane) && (panes.narrow || !empty))
    }

    /// Takes away what lies over the view.
    pub fn uncover(self) {
        if self.panes.with_untracked(|panes| panes.over.is_some()) {
            self.panes.update(|panes| panes.over = None);
        }
    }

    /// Shows a pane, or hides it; the browser remembers.
    ///
    /// Returns false when there is nothing to show in it.
    pub fn toggle(self, pane: Pane) -> bool {
        let panes = self.panes.get_untracked();
        if pane == Pane::Details && panes.shows(pane) && !untrack(|| self.shows(pane)) {
            return false;
        }
        self.panes.update(|panes| panes.toggle(pane));
        let panes = self.panes.get_untracked();
        browser::remember("side", if panes.side { "" } else { "hidden" });
        browser::remember("details", if panes.details { "" } else { "hidden" });
        true
    }

    /// Returns the number of an agent's color, which it keeps: see `.hue-0` and so on in the styles.
    pub fn color(self, name: &str) -> usize {
        let find =
            |colors: &mut Vec<(String, usize)>| match colors.binary_search_by(|(known, _)| known.as_str().cmp(name)) {
                Ok(place) => colors[place].1,
                Err(place) => {
                    let color = colors.len() % COLORS;
                    colors.insert(place, (name.to_owned(), color));
                    color
                }
            };
        self.colors.try_update_value(find).unwrap_or_default()
    }

    /// Remembers how far a view is scrolled.
    pub fn keep_scroll(self, view: View, top: i32) {
        self.scrolled.update_value(|scrolled| scrolled[view as usize] = top);
    }

    /// Returns how far a view was scrolled when it was last seen.
    pub fn scroll_of(self, view: View) -> i32 {
        self.scrolled.with_value(|scrolled| scrolled[view as usize])
    }

    /// Forgets what belongs to the source that is closed.
    pub(super) fn forget_source(self) {
        self.colors.set_value(Vec::new());
        self.scrolled.set_value(Default::default());
    }
}

fn is_narrow() -> bool {
    window().match_media(NARROW).ok().flatten().is_some_and(|query| query.matches())
}
