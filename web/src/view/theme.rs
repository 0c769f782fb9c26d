//! Light, dark, or as the system is.

use gloo::utils::document;

use crate::store::{Store, keep, kept};
use huddle_web_model::theme::Theme;
use leptos::prelude::Set;

/// Gives the theme that the reader chose.
pub fn chosen() -> Theme {
    Theme::named(&kept("theme").unwrap_or_default())
}

/// Chooses a theme, and says so.
pub fn choose(store: Store, theme: Theme) {
    keep("theme", theme.name());
    apply(theme);
    store.notice.set(format!("Theme: {}.", theme.title()));
}

/// Shows a theme.
pub fn apply(theme: Theme) {
    if let Some(root) = document().document_element() {
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            _ => root.set_attribute("data-theme", theme.name()),
        };
    }
}
