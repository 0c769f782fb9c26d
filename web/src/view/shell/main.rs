//! The view that the reader is in. Views that are as long as what they show are scrolled here, and come back where they were.

use leptos::html;
use leptos::prelude::*;

use super::next_frame;
use crate::place::View;
use crate::store::Store;
use crate::view::agents::AgentsView;
use crate::view::conversation::ConversationView;
use crate::view::problems::ProblemsView;
use crate::view::reports::ReportsView;
use crate::view::shared::SharedView;
use crate::view::timeline::TimelineView;

/// For how many frames a view may take to become as long as it was.
const PATIENCE: u32 = 90;

/// Says whether a view is scrolled here; the others scroll themselves.
fn scrolls(view: View) -> bool {
    !matches!(view, View::Conversation | View::Timeline)
}

/// Draws the view.
#[component]
pub fn MainView(
    /// Whether something lies over it.
    inert: Signal<bool>,
) -> impl IntoView {
    let store = Store::of_page();
    let node = NodeRef::<html::Main>::new();
    let current = Memo::new(move |_| store.place.with(|place| place.view));
    // What a view is to be scrolled back to, and is not yet.
    let wanted = StoredValue::new(None::<i32>);
    Effect::new(move || {
        store.opened.track();
        let view = current.get();
        if scrolls(view) {
            wanted.set_value(Some(store.scroll_of(view)));
            restore(node, wanted, PATIENCE);
        } else {
            wanted.set_value(None);
        }
    });
    let scrolled = move |_| {
        let view = current.get_untracked();
        if scrolls(view) && wanted.get_value().is_none() {
            node.get_untracked().iter().for_each(|main| store.keep_scroll(view, main.scroll_top()));
        }
    };
    // Who scrolls is not to be moved.
    let moved = move || wanted.set_value(None);
    let main = move || {
        store.opened.track();
        drawn(current.get())
    };
    view! {
        <main id="main" class="main" class:scrolls=move || scrolls(current.get()) node_ref=node tabindex="-1" inert=move || inert.get()
            on:scroll=scrolled on:wheel=move |_| moved() on:pointerdown=move |_| moved() on:keydown=move |_| moved()>
            {main}
        </main>
    }
}

fn drawn(view: View) -> AnyView {
    match view {
        View::Conversation => view! { <ConversationView/> }.into_any(),
        View::Timeline => view! { <TimelineView/> }.into_any(),
        View::Agents => view! { <AgentsView/> }.into_any(),
        View::Reports => view! { <ReportsView/> }.into_any(),
        View::Shared => view! { <SharedView/> }.into_any(),
        View::Problems => view! { <ProblemsView/> }.into_any(),
    }
}

/// Scrolls to where the view was as soon as it is long enough for that.
fn restore(node: NodeRef<html::Main>, wanted: StoredValue<Option<i32>>, patience: u32) {
    let Some(Some(top)) = wanted.try_get_value() else { return };
    let Some(main) = node.get_untracked() else { return };
    main.set_scroll_top(top);
    if patience == 0 || main.scroll_top() >= top {
        wanted.set_value(None);
    } else {
        next_frame(move || restore(node, wanted, patience - 1));
    }
}
