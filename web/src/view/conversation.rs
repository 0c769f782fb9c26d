//! The conversation: messages in threads, or by time.

use leptos::prelude::*;

/// Draws the conversation.
#[component]
pub fn ConversationView() -> impl IntoView {
    view! { <p>"ConversationView"</p> }
}
