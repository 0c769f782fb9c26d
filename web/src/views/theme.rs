//! Light, dark, or as the system is.

use gloo::utils::document;

use crate::state::{Feedback, remember, remembered};
use huddle_web_model::theme::Theme;

/// Returns the theme that the reader chose.
pub fn chosen() -> Theme {
    Theme::named(&remembered("theme").unwrap_or_default())
}

/// Chooses a theme, and says so.
pub fn choose(feedback: Feedback, theme: Theme) {
    remember("theme", theme.name());
    apply(theme);
    feedback.notify(format!("Theme: {}.", theme.title()));
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
