//! The characters of a drawing. Each is told by its shape, not by a colour.

use super::super::window::Window;
use super::super::{Class, ClassCounts, Severity};

/// The glyphs of a column, most important first.
pub(super) const GLYPHS: [(char, &str); 8] = [
    ('!', "error"),
    ('▲', "high severity"),
    ('✔', "completed"),
    ('△', "finding"),
    ('◆', "data"),
    ('•', "message"),
    ('+', "other"),
    ('·', "status"),
];

const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const WORK: char = '─';
pub(super) const FOLD: char = '┊';

/// With more entries than this in the average column, nearly every column has an error in it, and to show that would tell
/// nothing.
const CROWDED: u32 = 16;

/// Chooses characters, and remembers which it chose.
pub(super) struct Glyphs {
    /// The most entries in any column, when columns show how many there are.
    pub(super) peak: Option<u32>,
    pub(super) used: [bool; GLYPHS.len()],
    pub(super) work_used: bool,
    pub(super) fold_used: bool,
}

impl Glyphs {
    pub(super) fn new(window: &Window) -> Self {
        let counts = || window.cells.iter().map(|cell| cell.class_counts.total());
        let crowded = counts().map(u64::from).sum::<u64>() > u64::from(CROWDED) * window.cells.len() as u64;
        let peak = counts().max().filter(|_| crowded);
        Self { peak, used: [false; GLYPHS.len()], work_used: false, fold_used: false }
    }

    pub(super) fn work(&mut self) -> char {
        self.work_used = true;
        WORK
    }

    pub(super) fn fold(&mut self) -> char {
        self.fold_used = true;
        FOLD
    }

    pub(super) fn cell(&mut self, class_counts: &ClassCounts) -> char {
        if let Some(peak) = self.peak
            && class_counts.of(Class::Error) * 2 < class_counts.total()
        {
            return height(class_counts.total(), peak);
        }
        let mark = most_important(class_counts);
        self.used[mark] = true;
        GLYPHS[mark].0
    }
}

/// Returns a bar. Heights grow with the square root, so that one burst does not press all else to the floor.
fn height(count: u32, peak: u32) -> char {
    let part = (f64::from(count) / f64::from(peak)).sqrt();
    HEIGHTS[((part * 8.0) as usize).min(7)]
}

fn most_important(class_counts: &ClassCounts) -> usize {
    const ORDER: [Class; 5] = [Class::Completed, Class::Finding, Class::Data, Class::Message, Class::Other];
    if class_counts.of(Class::Error) > 0 {
        return 0;
    }
    if class_counts.at(Severity::High) > 0 {
        return 1;
    }
    ORDER.iter().position(|class| class_counts.of(*class) > 0).map_or(GLYPHS.len() - 1, |place| place + 2)
}
