//! What the page tells its reader, and what lies over the page.

use leptos::prelude::*;

/// What lies over the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dialog {
    /// The list of keys.
    Keys,
    /// The palette of commands.
    Palette,
    /// A file: its path, the offset to begin at, and how many bytes matter there.
    File(String, u64, u32),
    /// The ways to open something else.
    Open,
}

/// Notices and dialogs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Feedback {
    /// What was last done, for a moment, for all to see and hear.
    pub notice: RwSignal<String>,
    /// What could not be done, for a moment, for all to see and hear.
    pub alert: RwSignal<String>,
    /// What lies over the page.
    pub dialog: RwSignal<Option<Dialog>>,
}

impl Feedback {
    /// Shows for a moment what was done.
    pub fn notify(self, text: impl Into<String>) {
        self.notice.set(text.into());
    }

    /// Shows for a moment what could not be done.
    pub fn warn(self, text: impl Into<String>) {
        self.alert.set(text.into());
    }
}
