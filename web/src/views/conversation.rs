//! The conversation: messages in threads, or by time.
//!
//! The list may have a million rows, each of its own height; only those around the reader exist.
//! [`VirtualListState`](huddle_web_model::list::virtual_list) explains how; [`VirtualList`] does what it says in the browser.

pub mod bar;
mod content;
pub mod input;
pub mod keys;
pub mod row;
pub mod virtual_list;

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;

use crate::protocol::Key;
use crate::state::{RouteState, SelectionState, use_store};
use bar::{Fresh, ListBar, Nothing};
use row::RowView;
use virtual_list::VirtualList;
pub use virtual_list::provide_list_state;

/// The conversation.
#[component]
pub fn ConversationView() -> impl IntoView {
    let route: RouteState = use_store();
    let list = VirtualList::new();
    follow(list);
    let is_empty = Memo::new(move |_| list.total.get() == Some(0));
    let flat = Memo::new(move |_| route.route.with(|route| route.flat));
    let only_hits = Memo::new(move |_| route.route.with(|route| route.flat && route.list().found));
    view! {
        <section
            class="conversation"
            class:flat=move || flat.get()
            class:only-hits=move || only_hits.get()
            aria-label="Conversation"
        >
            <ListBar />
            <div class="reel">
                <Show when=move || !is_empty.get() fallback=|| view! { <Nothing /> }>
                    <Feed list />
                </Show>
                <Fresh list />
            </div>
        </section>
    }
}

/// The list itself.
#[component]
fn Feed(list: VirtualList) -> impl IntoView {
    input::watch(list);
    view! {
        <div
            class="scroller"
            role="feed"
            aria-label="Messages"
            tabindex="0"
            node_ref=list.scroller
            on:scroll=move |_| list.scrolled()
            on:click=move |event: MouseEvent| keys::clicked(list, &event)
            on:keydown=move |event: KeyboardEvent| keys::pressed(list, &event)
        >
            <div class="layer">
                <div class="block" node_ref=list.block>
                    <For each=move || list.drawn.get() key=|slot| (slot.index, slot.stamp) let:item>
                        <RowView list item />
                    </For>
                </div>
            </div>
            <div class="sizer" node_ref=list.sizer></div>
        </div>
    }
}

/// Follows what is open, which list is wanted, and what is selected.
fn follow(list: VirtualList) {
    let (route, selection): (RouteState, SelectionState) = (use_store(), use_store());
    let wanted = route.list();
    Effect::new(move || {
        let (wanted, version) = (wanted.get(), list.dataset.version.get());
        if let Some(overview) = list.dataset.overview.get() {
            list.count_news(&overview);
            list.change(wanted, &version);
        }
    });
    Effect::new(move || {
        let Some(row) = selection.row.with(|row| row.as_ref().map(|row| row.index)) else { return };
        let selected: Option<Key> = selection.key.get_untracked();
        // The row of the same message may be another when there are new ones: that moves nothing.
        if list.update(|state| std::mem::replace(&mut state.revealed, selected.clone()) != selected) {
            list.reveal(row);
        }
    });
}
