//! Light, dark, or as the system is.

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

    /// Returns the theme of a name; that of the system for every other name.
    pub fn named(name: &str) -> Self {
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
