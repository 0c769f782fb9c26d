//! The colors that the timeline is drawn in: those of the page's styles, or the system's where it insists on its own.

use gloo::utils::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{CssStyleDeclaration, HtmlElement};

use crate::state::COLORS;
use huddle_web_model::timeline::marks::ColorRole;

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
    agents: Vec<String>,
}

impl Palette {
    /// Reads the colors as they are now.
    pub fn read() -> Self {
        let probe = Probe::new();
        let value = |name: &str| probe.as_ref().map(|probe| probe.color(name)).unwrap_or_default();
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
            agents: (0..COLORS).map(|hue| value(&format!("--hue-{hue}"))).collect(),
        }
    }

    /// Returns the system's own colors; shapes alone then tell things apart.
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
            agents: vec![text(); COLORS],
            font: String::new(),
        }
    }

    /// Returns the color of a tone.
    pub fn of(&self, tone: ColorRole) -> &str {
        match tone {
            ColorRole::Agent(hue) => self.agents.get(hue).unwrap_or(&self.quiet),
            ColorRole::Bad => &self.bad,
            ColorRole::Warn => &self.warn,
            ColorRole::Good => &self.good,
            ColorRole::Quiet => &self.quiet,
        }
    }
}

/// An element that colors are tried on: what a style calls by a name, the browser alone can tell.
struct Probe(HtmlElement, CssStyleDeclaration);

impl Probe {
    fn new() -> Option<Self> {
        let element: HtmlElement = document().create_element("span").ok()?.dyn_into().ok()?;
        element.set_hidden(true);
        document().body()?.append_child(&element).ok()?;
        let computed = window().get_computed_style(&element).ok().flatten()?;
        Some(Self(element, computed))
    }

    fn color(&self, name: &str) -> String {
        // A name that is not known leaves the color that was there before: no harm.
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

/// Returns whether something holds of the reader's screen or settings.
pub fn matches(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|list| list.matches())
}
