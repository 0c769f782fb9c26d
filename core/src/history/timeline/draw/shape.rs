//! The characters of a drawing. Each is told by its shape, not by a colour.

use super::super::window::Window;
use super::super::{Class, Severity, Tally};

/// What a column can show, the most important first.
pub(super) const MARKS: [(char, &str); 8] = [
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
pub(super) struct Shapes {
    /// The most entries in any column, when columns show how many there are.
    pub(super) peak: Option<u32>,
    pub(super) used: [bool; MARKS.len()],
    pub(super) work_used: bool,
    pub(super) fold_used: bool,
}

impl Shapes {
    pub(super) fn new(window: &Window) -> Self {
        let counts = || window.cells.iter().map(|cell| cell.tally.total());
        let crowded = counts().map(u64::from).sum::<u64>() > u64::from(CROWDED) * window.cells.len() as u64;
        let peak = counts().max().filter(|_| crowded);
        Self { peak, used: [false; MARKS.len()], work_used: false, fold_used: false }
    }

    pub(super) fn work(&mut self) -> char {
        self.work_used = true;
        WORK
    }

    pub(super) fn fold(&mut self) -> char {
        self.fold_used = true;
        FOLD
    }

    pub(super) fn cell(&mut self, tally: &Tally) -> char {
        if let Some(peak) = self.peak
            && tally.of(Class::Error) * 2 < tally.total()
        {
            return height(tally.total(), peak);
        }
        let mark = most_important(tally);
        self.used[mark] = true;
        MARKS[mark].0
    }
}

/// Gives a bar. Heights grow with the square root, so that one burst does not press all else to the floor.
fn height(count: u32, peak: u32) -> char {
    let part = (f64::from(count) / f64::from(peak)).sqrt();
    HEIGHTS[((part * 8.0) as usize).min(7)]
}

fn most_important(tally: &Tally) -> usize {
    const ORDER: [Class; 5] = [Class::Completed, Class::Finding, Class::Data, Class::Message, Class::Other];
    if tally.of(Class::Error) > 0 {
        return 0;
    }
    if tally.at(Severity::High) > 0 {
        return 1;
    }
    ORDER.iter().position(|class| tally.of(*class) > 0).map_or(MARKS.len() - 1, |place| place + 2)
}
