//! The panes beside the view: side by side with it where there is room, over it where there is none.

use gloo::events::EventListener;
use gloo::utils::window;
use leptos::prelude::*;

use huddle_web_model::panes::{Pane, Panes};

use super::{Store, hand};

/// Up to this width there is room for one pane only.
const NARROW: &str = "(max-width: 899px)";

impl Store {
    /// Says whether a pane is to be seen. Details of nothing take no room from a view that has no messages to select.
    pub fn shows(self, pane: Pane) -> bool {
        let empty = pane == Pane::Details && self.place.with(|place| place.selected.is_none() && !place.view.lists());
        self.panes.with(|panes| panes.shows(pane) && (panes.narrow || !empty))
    }

    /// Takes away what lies over the view.
    pub fn uncover(self) {
        if self.panes.with_untracked(|panes| panes.over.is_some()) {
            self.panes.update(|panes| panes.over = None);
        }
    }

    /// Shows a pane, or hides it; the browser remembers.
    pub fn toggle(self, pane: Pane) {
        let panes = self.panes.get_untracked();
        if pane == Pane::Details && panes.shows(pane) && !untrack(|| self.shows(pane)) {
            self.notice.set("Nothing is selected.".to_owned());
            return;
        }
        self.panes.update(|panes| panes.toggle(pane));
        let panes = self.panes.get_untracked();
        hand::keep("side", if panes.side { "" } else { "hidden" });
        hand::keep("details", if panes.details { "" } else { "hidden" });
    }
}

pub(super) fn first() -> Panes {
    let hidden = |name: &str| hand::kept(name).is_some_and(|kept| kept == "hidden");
    Panes { narrow: is_narrow(), side: !hidden("side"), details: !hidden("details"), over: None }
}

fn is_narrow() -> bool {
    window().match_media(NARROW).ok().flatten().is_some_and(|query| query.matches())
}

pub(super) fn watch(panes: RwSignal<Panes>) {
    EventListener::new(&window(), "resize", move |_| {
        let narrow = is_narrow();
        if panes.with_untracked(|panes| panes.narrow) != narrow {
            panes.update(|panes| (panes.narrow, panes.over) = (narrow, None));
        }
    })
    .forget();
}
