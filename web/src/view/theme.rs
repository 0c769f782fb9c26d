//! Light, dark, or as the system is.

use gloo::utils::document;

use crate::store::{Store, keep, kept};
use leptos::prelude::Set;

/// How the page looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the system is.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// All themes, in the order one comes after the other.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// Names it where it is remembered; the loader reads it from there too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Names it for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::System => "as the system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|theme| theme.name() == name).unwrap_or_default()
    }

    /// Gives the one after it.
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_come_one_after_the_other() {
        let mut theme = Theme::System;
        for expected in [Theme::Light, Theme::Dark, Theme::System] {
            theme = theme.next();
            assert_eq!((theme, Theme::named(theme.name())), (expected, expected));
        }
        assert_eq!(Theme::named("sepia"), Theme::System);
    }
}
