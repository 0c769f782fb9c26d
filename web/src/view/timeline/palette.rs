//! The colours that the timeline is drawn in: those of the page's styles, or the system's where it insists on its own.

use gloo::utils::{document, window};

use super::marks::Tone;
use crate::store::HUES;

/// Colours and fonts, as a canvas takes them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Palette {
    /// What is behind.
    pub paper: String,
    /// Text.
    pub ink: String,
    /// Text that stands back.
    pub quiet: String,
    /// Lines between things.
    pub line: String,
    /// What is selected or found.
    pub accent: String,
    /// What surrounds the things found.
    pub mark: String,
    /// How labels are written.
    pub font: String,
    bad: String,
    warn: String,
    good: String,
    hues: Vec<String>,
}

impl Palette {
    /// Reads the colours as they are now.
    pub fn read() -> Self {
        let styles = document().document_element().and_then(|root| window().get_computed_style(&root).ok().flatten());
        let value = |name: &str| {
            let value = styles.as_ref().and_then(|styles| styles.get_property_value(name).ok());
            value.unwrap_or_default().trim().to_owned()
        };
        let font = format!("11px {}", value("--text"));
        if matches("(forced-colors: active)") {
            return Self { font, ..Self::of_system() };
        }
        Self {
            paper: value("--panel"),
            ink: value("--ink"),
            quiet: value("--quiet"),
            line: value("--line"),
            accent: value("--accent"),
            mark: value("--mark"),
            font,
            bad: value("--bad"),
            warn: value("--warn"),
            good: value("--good"),
            hues: (0..HUES).map(|hue| value(&format!("--hue-{hue}"))).collect(),
        }
    }

    /// Gives the system's own colours; shapes alone then tell things apart.
    fn of_system() -> Self {
        let text = || "CanvasText".to_owned();
        Self {
            paper: "Canvas".into(),
            ink: text(),
            quiet: text(),
            line: "GrayText".into(),
            accent: "Highlight".into(),
            mark: "Canvas".into(),
            bad: text(),
            warn: text(),
            good: text(),
            hues: vec![text(); HUES],
            font: String::new(),
        }
    }

    /// Gives the colour of a tone.
    pub fn of(&self, tone: Tone) -> &str {
        match tone {
            Tone::Agent(hue) => self.hues.get(hue).unwrap_or(&self.quiet),
            Tone::Bad => &self.bad,
            Tone::Warn => &self.warn,
            Tone::Good => &self.good,
            Tone::Quiet => &self.quiet,
        }
    }
}

/// Says whether something holds of the reader's screen or settings.
pub fn matches(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|list| list.matches())
}
