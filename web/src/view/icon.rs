//! Small pictures on buttons, drawn as lines on a square of 16.

use crate::dom::{El, svg};

/// The side of the page.
pub const SIDE: &str = "M2.5 3.5h11v9h-11zM6.5 3.5v9";
/// The details.
pub const DETAILS: &str = "M2.5 3.5h11v9h-11zM9.5 3.5v9";
/// A directory.
pub const FOLDER: &str = "M2 12.5v-9h4l1.5 2H14v7z";
/// A magnifying glass.
pub const SEARCH: &str = "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3.5 3.5";
/// Upwards.
pub const UP: &str = "M4 10l4-4 4 4";
/// Downwards.
pub const DOWN: &str = "M4 6l4 4 4-4";
/// Back.
pub const BACK: &str = "M10 3.5 5.5 8l4.5 4.5";
/// A cross.
pub const CROSS: &str = "M4 4l8 8M12 4l-8 8";
/// A funnel.
pub const FUNNEL: &str = "M2.5 3.5h11L9.5 8.5v4l-3-1.5v-2.5z";
/// An arrow into a tray.
pub const SAVE: &str = "M8 2.5v7M5 7l3 3 3-3M2.5 11v2.5h11V11";
/// A disc, half of it dark.
pub const THEME: &str = "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11M8 5h3.5M8 8h5.5M8 11h3.5";
/// A keyboard.
pub const KEYS: &str = "M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.5h6";
/// A lock.
pub const LOCK: &str = "M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5";

/// A balloon with lines of speech.
pub const TALK: &str = "M2.5 3h11v7.500H7L4 13v-2.500H2.500zM5 5.700h6M5 8h4";
/// Lanes with marks.
pub const LANES: &str = "M2 4h12M2 8h12M2 12h12M5 2.800v2.400M10 6.800v2.400M7 10.800v2.4";
/// Two people.
pub const PEOPLE: &str = "M6 7.500a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.600zM1.5 13c0-2.5 2-3.8 4.5-3.800s4.5 1.3 4.5 3.800M10.7 3.300a2.3 2.3 0 0 1 0 4M12 9.500c1.6.5 2.5 1.7 2.5 3.5";
/// A page with lines.
pub const REPORT: &str = "M3.5 1.500h6l3 3v10h-9zM9.5 1.500v3h3M5.5 8h5M5.5 11h5";
/// Two boxes that overlap.
pub const SHARED: &str = "M2.5 2.500h7.500v7.500H2.500zM6 10v3.500h7.500V6H10";
/// A triangle with a stroke and a dot.
pub const WARNING: &str = "M8 2.2 14.5 13.500h-13zM8 6.500v3.300M8 11.700h.01";

/// Draws a picture; what it stands beside says the same in words.
pub fn drawn(path: &str) -> El {
    let picture = svg("svg").class("icon").attr("viewBox", "0 0 16 16").attr("aria-hidden", "true");
    picture.with(svg("path").attr("d", path))
}
