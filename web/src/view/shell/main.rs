//! The view that the reader is in. Views that are as long as what they show are scrolled here, and come back where they were.

use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::next_frame;
use crate::dom::{El, after, el, memo};
use crate::store::Store;
use crate::view::agents::agents_view;
use crate::view::conversation::conversation_view;
use crate::view::problems::problems_view;
use crate::view::reports::reports_view;
use crate::view::shared::shared_view;
use crate::view::timeline::timeline_view;
use huddle_web_model::route::View;

/// For how many frames a view may take to become as long as it was.
const PATIENCE: u32 = 90;

/// Says whether a view is scrolled here; the others scroll themselves.
fn scrolls(view: View) -> bool {
    !view.lists()
}

/// Draws the view; nobody can reach it while something lies over it.
pub fn main_view(store: Store, covered: Memo<bool>) -> El {
    let main = el("main").attr("id", "main").class("main").attr("tabindex", "-1");
    let current = memo(move || store.place.with(|place| place.view));
    // What a view is to be scrolled back to, and is not yet.
    let wanted = StoredValue::new(None::<i32>);
    let there = main.clone();
    after(move || {
        store.opened.track();
        let view = current.get();
        if scrolls(view) {
            wanted.set_value(Some(store.scroll_of(view)));
            // The view before may still be there, and long enough.
            let there = there.clone();
            next_frame(move || restore(there, wanted, PATIENCE));
        } else {
            wanted.set_value(None);
        }
    });
    let there = main.clone();
    let scrolled = move |_| {
        let view = current.get_untracked();
        if scrolls(view) && wanted.get_value().is_none() {
            store.keep_scroll(view, there.element().scroll_top());
        }
    };
    // The shell is drawn and laid out first, so that the page is never busy for long.
    let framed = RwSignal::new(false);
    next_frame(move || _ = Timeout::new(0, move || _ = framed.try_set(true)).forget());
    // Who scrolls is not to be moved.
    let moved = move |_| wanted.set_value(None);
    main.live_class("scrolls", move || scrolls(current.get()))
        .live_flag("inert", move || covered.get())
        .on("scroll", scrolled)
        .on("wheel", moved)
        .on("pointerdown", moved)
        .on("keydown", moved)
        .live_one(move || {
            store.opened.track();
            let view = current.get();
            framed.get().then(|| untrack(|| drawn(view)))
        })
}

fn drawn(view: View) -> El {
    match view {
        View::Conversation => conversation_view(),
        View::Timeline => timeline_view(),
        View::Agents => agents_view(),
        View::Reports => reports_view(),
        View::Shared => shared_view(),
        View::Problems => problems_view(),
    }
}

/// Scrolls to where the view was as soon as it is long enough for that.
fn restore(main: El, wanted: StoredValue<Option<i32>>, patience: u32) {
    let Some(Some(top)) = wanted.try_get_value() else { return };
    main.element().set_scroll_top(top);
    if patience == 0 || main.element().scroll_top() >= top {
        wanted.set_value(None);
    } else {
        next_frame(move || restore(main, wanted, patience - 1));
    }
}
