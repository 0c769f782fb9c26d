//! The colours that the timeline is drawn in: those of the page's styles, or the system's where it insists on its own.

use gloo::utils::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{CssStyleDeclaration, HtmlElement};

use crate::store::HUES;
use huddle_web_model::timeline::marks::Tone;

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
        let probe = Probe::new();
        let value = |name: &str| probe.as_ref().map(|probe| probe.colour(name)).unwrap_or_default();
        let font = probe.as_ref().map(Probe::font).unwrap_or_default();
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

/// An element that colours are tried on: what a style calls by a name, the browser alone can tell.
struct Probe(HtmlElement, CssStyleDeclaration);

impl Probe {
    fn new() -> Option<Self> {
        let element: HtmlElement = document().create_element("span").ok()?.dyn_into().ok()?;
        element.set_hidden(true);
        document().body()?.append_child(&element).ok()?;
        let computed = window().get_computed_style(&element).ok().flatten()?;
        Some(Self(element, computed))
    }

    fn colour(&self, name: &str) -> String {
        // A name that is not known leaves the colour that was there before: no harm.
        let _ = self.0.style().set_property("color", &format!("var({name})"));
        self.1.get_property_value("color").unwrap_or_default()
    }

    fn font(&self) -> String {
        format!("11px {}", self.1.get_property_value("font-family").unwrap_or_default())
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.0.remove();
    }
}

/// Says whether something holds of the reader's screen or settings.
pub fn matches(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|list| list.matches())
}
