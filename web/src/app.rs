//! The page as a whole.

use leptos::prelude::*;

use crate::store::Store;
use crate::view::open::OpenPage;
use crate::view::shell::Shell;

/// Draws the page: what is open, or what could be.
#[component]
pub fn App() -> impl IntoView {
    let store = Store::start();
    provide_context(store);
    let open = Memo::new(move |_| store.overview.with(Option::is_some));
    move || if open.get() { view! { <Shell/> }.into_any() } else { view! { <OpenPage/> }.into_any() }
}
