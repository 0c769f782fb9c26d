//! Silences: when an agent said nothing for much longer than it usually does.

/// A time in which an agent said nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Silence {
    /// When it said the last thing before.
    pub start: i64,
    /// When it said the first thing after.
    pub end: i64,
}

const MINUTE: i64 = 60_000_000;
/// What is shorter is a pause.
const LEAST: i64 = 10 * MINUTE;
/// How many times the usual pause a silence takes.
const UNUSUAL: i64 = 10;
/// How many silences are listed.
const LISTED: usize = 3;

impl Silence {
    const fn length(self) -> i64 {
        self.end.saturating_sub(self.start)
    }
}

/// Finds the longest silences between times in order: those over ten minutes and over ten times the median pause.
pub(super) fn longest(times: &[i64]) -> Vec<Silence> {
    let pauses = || times.windows(2).map(|pair| Silence { start: pair[0], end: pair[1] });
    let mut silences: Vec<Silence> = pauses().filter(|pause| pause.length() > LEAST).collect();
    if silences.is_empty() {
        return silences;
    }
    // Most agents speak several times a minute: their median does not matter, and is not looked for.
    let mut slow: Vec<i64> = pauses().map(Silence::length).filter(|length| *length > LEAST / UNUSUAL).collect();
    let quick = times.len() - 1 - slow.len();
    if let Some(rank) = ((times.len() - 2) / 2).checked_sub(quick) {
        slow.sort();
        let unusual = slow[rank].saturating_mul(UNUSUAL);
        silences.retain(|silence| silence.length() > unusual);
    }
    silences.sort_by_key(|silence| std::cmp::Reverse(silence.length()));
    silences.truncate(LISTED);
    silences
}
