//! The view that the reader is in. Views that are scrolled here come back where they were.

use leptos::html::Main;
use leptos::prelude::*;

use crate::state::{RouteState, SettingsState, use_store};
use crate::views::agents::AgentsView;
use crate::views::conversation::ConversationView;
use crate::views::problems::ProblemsView;
use crate::views::reports::ReportsView;
use crate::views::shared::SharedView;
use crate::views::timeline::TimelineView;
use huddle_web_model::route::View;

/// For how many frames a view may take to become as long as it was.
const MAX_FRAMES: u32 = 90;

/// Returns whether a view is scrolled here; the others scroll themselves.
fn scrolls(view: View) -> bool {
    !view.lists()
}

/// The view; nobody can reach it while something lies over it.
#[component]
pub fn MainView(covered: Memo<bool>) -> impl IntoView {
    let (route, settings): (RouteState, SettingsState) = (use_store(), use_store());
    let current = route.view();
    let main = NodeRef::<Main>::new();
    // What a view is to be scrolled back to, and is not yet.
    let wanted = StoredValue::new(None::<i32>);
    Effect::new(move || {
        route.source_number.track();
        let view = current.get();
        wanted.set_value(scrolls(view).then(|| settings.scroll_of(view)));
        if scrolls(view) {
            // The view before may still be there, and long enough.
            request_animation_frame(move || restore(main, wanted, MAX_FRAMES));
        }
    });
    let scrolled = move |_| {
        let view = current.get_untracked();
        if let Some(main) = main.get_untracked().filter(|_| scrolls(view) && wanted.get_value().is_none()) {
            settings.keep_scroll(view, main.scroll_top());
        }
    };
    // The shell is drawn and laid out first, so that the page is never busy for long.
    let framed = RwSignal::new(false);
    request_animation_frame(move || set_timeout(move || _ = framed.try_set(true), std::time::Duration::ZERO));
    // Who scrolls is not to be moved.
    let stay = move || wanted.set_value(None);
    view! {
        <main
            id="main"
            class="main"
            class:scrolls=move || scrolls(current.get())
            tabindex="-1"
            inert=move || covered.get()
            node_ref=main
            on:scroll=scrolled
            on:wheel=move |_| stay()
            on:pointerdown=move |_| stay()
            on:keydown=move |_| stay()
        >
            {move || {
                route.source_number.track();
                let view = current.get();
                framed.get().then(|| untrack(|| draw(view)))
            }}
        </main>
    }
}

fn draw(view: View) -> AnyView {
    match view {
        View::Conversation => view! { <ConversationView /> }.into_any(),
        View::Timeline => view! { <TimelineView /> }.into_any(),
        View::Agents => view! { <AgentsView /> }.into_any(),
        View::Reports => view! { <ReportsView /> }.into_any(),
        View::Shared => view! { <SharedView /> }.into_any(),
        View::Problems => view! { <ProblemsView /> }.into_any(),
    }
}

/// Scrolls to where the view was as soon as it is long enough for that.
fn restore(main: NodeRef<Main>, wanted: StoredValue<Option<i32>>, frames: u32) {
    let Some(Some(top)) = wanted.try_get_value() else { return };
    let Some(element) = main.get_untracked() else { return };
    element.set_scroll_top(top);
    if frames == 0 || element.scroll_top() >= top {
        wanted.set_value(None);
    } else {
        request_animation_frame(move || restore(main, wanted, frames - 1));
    }
}
