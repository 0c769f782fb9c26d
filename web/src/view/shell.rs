//! The frame around all views: header, side, view and details.

use leptos::prelude::*;

use super::agents::AgentsView;
use super::conversation::ConversationView;
use super::details::DetailsPane;
use super::problems::ProblemsView;
use super::reports::ReportsView;
use super::shared::SharedView;
use super::timeline::TimelineView;
use crate::place::View;
use crate::store::Store;

/// Draws the view that the reader is in.
#[component]
pub fn Shell() -> impl IntoView {
    let store = Store::of_page();
    let current = Memo::new(move |_| store.place.with(|place| place.view));
    let main = move || match current.get() {
        View::Conversation => view! { <ConversationView/> }.into_any(),
        View::Timeline => view! { <TimelineView/> }.into_any(),
        View::Agents => view! { <AgentsView/> }.into_any(),
        View::Reports => view! { <ReportsView/> }.into_any(),
        View::Shared => view! { <SharedView/> }.into_any(),
        View::Problems => view! { <ProblemsView/> }.into_any(),
    };
    view! {
        <main>{main}</main>
        <DetailsPane/>
    }
}
