//! What the page knows, in small stores. Each is a handle of signals that components find in their context:
//! [`RouteState`] where the reader is, [`DatasetState`] what is open and the way to the worker, [`SearchState`] what the query
//! finds, [`SelectionState`] the selected message, [`SettingsState`] panes, theme and colors, [`Feedback`] notices and dialogs.

mod address;
mod browser;
mod dataset;
mod feedback;
mod opening;
mod recovery;
mod route;
mod search;
mod selection;
mod settings;

pub use address::requested_source;
pub use browser::{remember, remembered};
pub use dataset::{DatasetState, Phase, Version};
pub use feedback::{Dialog, Feedback};
pub use huddle_web_model::panes::{Pane, Panes};
pub use route::RouteState;
pub use search::{Search, SearchState};
pub use selection::SelectionState;
pub use settings::{COLORS, SettingsState};

use leptos::prelude::*;

/// Starts the worker, reads the page's address, and provides every store as a context.
pub fn provide() {
    let route = RouteState::new();
    let feedback = Feedback::default();
    let settings = SettingsState::new(route);
    provide_context(route);
    provide_context(feedback);
    provide_context(settings);
    let dataset = DatasetState::new(route, feedback, settings);
    provide_context(dataset);
    let selection = SelectionState::new(route, dataset, feedback);
    provide_context(selection);
    provide_context(SearchState::new(route, dataset, feedback));
    dataset.start(selection);
}

/// Returns a store.
///
/// # Panics
/// Outside of the page.
pub fn use_store<T: Clone + 'static>() -> T {
    expect_context()
}
