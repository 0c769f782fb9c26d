//! A clock that passes over idle time: real times on one side, positions on a line without long gaps on the other.

/// Gaps up to five minutes always stay: people read them as a pause, and a short session has nothing to gain.
const SHORTEST: i64 = 5 * 60 * 1_000_000;

/// A gap is idle when it is this many times longer than the middle one. Where something happens every hour, an hour is
/// no gap.
const UNUSUAL: i64 = 20;

/// A fold is at most this part of the time that is not folded, so that it can be seen and is still short.
const SHARE: i64 = 32;

/// All folds together are at most this part of the time that is not folded, however many there are.
const SHARE_OF_ALL: i64 = 4;

/// Idle time that is passed over: its first and the microsecond after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// When it begins, a microsecond after the last event before it.
    pub start: i64,
    /// When it ends: at the next event.
    pub end: i64,
    /// The position where it begins. It is [`TimeScale::gap`] long.
    pub position: i64,
}

impl Fold {
    fn length(&self) -> i64 {
        self.end - self.start
    }
}

/// Translates times into positions and back. Position 0 is the first event; a position is a microsecond, except in folds,
/// which are all equally short.
///
/// Both ways are monotone, and outside of folds each undoes the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimeScale {
    origin: i64,
    last: i64,
    gap: i64,
    folds: Vec<Fold>,
}

impl TimeScale {
    /// Creates a clock for events, which are sorted.
    ///
    /// Folded is each gap between events that is longer than five minutes *and* twenty times longer than the middle gap.
    /// (In a session of less than fifty minutes that leaves alone whatever is less than a tenth of it.)
    pub fn new(events: &[i64]) -> Self {
        let (Some(&origin), Some(&last)) = (events.first(), events.last()) else { return Self::default() };
        let stays = SHORTEST.max(middle_gap(events).saturating_mul(UNUSUAL));
        let mut folds: Vec<Fold> = gaps(events)
            .filter(|(before, after)| after - before > stays)
            .map(|(before, after)| Fold { start: before + 1, end: after, position: 0 })
            .collect();
        // What is left after the long gaps are taken out can be told even when the whole is longer than a number can say.
        let busy = folds.iter().fold(last.wrapping_sub(origin), |rest, fold| rest.wrapping_sub(fold.length()));
        let gap = gap(busy, folds.len() as i64, stays);
        let mut before = origin;
        for fold in &mut folds {
            fold.position = fold.start.wrapping_sub(before);
            before = before.wrapping_add(fold.length() - gap);
        }
        Self { origin, last, gap, folds }
    }

    /// Returns the position of a time. Times before the first event have negative ones.
    pub fn to_position(&self, time: i64) -> i64 {
        let later = self.folds.partition_point(|fold| fold.start <= time);
        let Some(fold) = later.checked_sub(1).map(|before| &self.folds[before]) else {
            return time.saturating_sub(self.origin);
        };
        if time < fold.end {
            return fold.position + scale(time - fold.start, fold.length(), self.gap);
        }
        (fold.position + self.gap).saturating_add(time.saturating_sub(fold.end))
    }

    /// Returns the time of a position.
    pub fn to_time(&self, position: i64) -> i64 {
        let Some(fold) = self.last_before(position) else { return self.origin.saturating_add(position) };
        let inside = position.saturating_sub(fold.position);
        if inside < self.gap {
            return fold.start + scale(inside, self.gap, fold.length());
        }
        fold.end.saturating_add(inside - self.gap)
    }

    /// Returns the fold that a position is in.
    pub fn fold_at(&self, position: i64) -> Option<&Fold> {
        self.last_before(position).filter(|fold| position - fold.position < self.gap)
    }

    /// Returns all folds, in order.
    pub fn folds(&self) -> &[Fold] {
        &self.folds
    }

    /// Returns the length of a fold, in positions.
    pub const fn gap(&self) -> i64 {
        self.gap
    }

    /// Returns the position after the last event: everything is in `0..length`.
    pub fn length(&self) -> i64 {
        self.to_position(self.last).saturating_add(1)
    }

    fn last_before(&self, position: i64) -> Option<&Fold> {
        let later = self.folds.partition_point(|fold| fold.position <= position);
        later.checked_sub(1).map(|before| &self.folds[before])
    }
}

/// Chooses the length of folds. It is less than half of the shortest gap that is folded, so folding always makes shorter.
fn gap(busy: i64, folds: i64, stays: i64) -> i64 {
    (busy / SHARE.max(folds * SHARE_OF_ALL)).min(stays / 2).max(1)
}

/// Iterates over the pairs of events that are not at the same time.
fn gaps(events: &[i64]) -> impl Iterator<Item = (i64, i64)> {
    // Times come from data: a gap of more than what a number can say is none that could be folded.
    let apart = |pair: &&[i64]| pair[1].checked_sub(pair[0]).is_some_and(|gap| gap > 0);
    events.windows(2).filter(apart).map(|pair| (pair[0], pair[1]))
}

/// Returns the middle gap, rounded down to a power of two: counting lengths is enough, and a million gaps need no sorting.
fn middle_gap(events: &[i64]) -> i64 {
    let mut counts = [0u32; 64];
    let mut all = 0;
    for (before, after) in gaps(events) {
        counts[(after - before).ilog2() as usize] += 1;
        all += 1;
    }
    let mut below = 0;
    let reaches_middle = |count: &u32| {
        below += count;
        below * 2 >= all
    };
    1 << counts.iter().position(reaches_middle).unwrap_or(0)
}

/// Returns `part / whole` of a length. Inside of a fold nothing happens, so rounding does no harm; it stays monotone.
fn scale(part: i64, whole: i64, length: i64) -> i64 {
    ((part as f64 / whole as f64 * length as f64) as i64).min(length - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;
    const HOUR: i64 = 3600 * SECOND;
    const NO_FOLDS: [i64; 0] = [];

    fn spaced(gaps: &[i64]) -> Vec<i64> {
        let mut at = 1_737_626_400 * SECOND;
        let mut events = vec![at];
        events.extend(gaps.iter().map(|gap| {
            at += gap;
            at
        }));
        events
    }

    fn folds(gaps: &[i64]) -> Vec<i64> {
        TimeScale::new(&spaced(gaps)).folds().iter().map(|fold| fold.end - fold.start + 1).collect()
    }

    #[test]
    fn gaps_are_folded_when_long_and_unusual() {
        let few_minutes = [SECOND, 40 * SECOND, 2 * SECOND, 290 * SECOND, SECOND];
        assert_eq!(folds(&few_minutes), NO_FOLDS);
        assert_eq!(folds(&[SECOND, 3 * SECOND, HOUR, 2 * SECOND]), [HOUR]);
        assert_eq!(folds(&[HOUR; 9]), NO_FOLDS, "where something happens every hour, an hour is no gap");
        assert_eq!(folds(&[HOUR]), NO_FOLDS, "two events have one gap, which is the middle one");
        assert_eq!(folds(&[0, 0, 0, 0, HOUR, HOUR]), NO_FOLDS, "events at one time have no gap between them");
        assert_eq!(folds(&[]), NO_FOLDS);
        let days = [SECOND, 60 * SECOND, 16 * HOUR, 60 * SECOND, 30 * SECOND, 16 * HOUR, SECOND];
        assert_eq!(folds(&days), [16 * HOUR, 16 * HOUR]);
    }

    #[test]
    fn times_and_positions_go_both_ways() {
        let events = spaced(&[SECOND, 60 * SECOND, HOUR, 60 * SECOND, 0, 30 * SECOND, 400 * HOUR, SECOND]);
        let time_scale = TimeScale::new(&events);
        assert_eq!(time_scale.folds().len(), 2);
        assert_eq!(time_scale.to_position(events[0]), 0);
        assert_eq!(time_scale.length(), time_scale.to_position(events[events.len() - 1]) + 1);
        assert!(time_scale.length() < 170 * SECOND, "{}", time_scale.length());
        let step = 7 * SECOND + 1;
        let times = (events[0] - HOUR..events[8] + HOUR).step_by(step as usize).chain(events.iter().copied());
        let mut pairs: Vec<(i64, i64)> = times.map(|time| (time, time_scale.to_position(time))).collect();
        pairs.sort_unstable();
        assert!(pairs.is_sorted_by_key(|(_, position)| *position));
        for (time, position) in pairs {
            let inside = time_scale.folds().iter().any(|fold| fold.start <= time && time < fold.end);
            assert_eq!(time_scale.fold_at(position).is_some(), inside);
            assert!(inside || time_scale.to_time(position) == time, "{time} {position}");
        }
        let mut before = i64::MIN;
        for position in (-5 * SECOND..time_scale.length() + 5 * SECOND).step_by(1_000) {
            let time = time_scale.to_time(position);
            assert!(before <= time, "{before} {time}");
            before = time;
        }
    }

    #[test]
    fn folds_stay_a_small_part_of_the_whole() {
        let pairs: Vec<i64> = (0..2000).map(|number| if number % 2 == 0 { SECOND } else { HOUR }).collect();
        let time_scale = TimeScale::new(&spaced(&pairs));
        assert_eq!(time_scale.folds().len(), 1000);
        assert!(time_scale.length() <= 1250 * SECOND + 1001);
    }

    #[test]
    fn times_at_the_ends_of_the_world_do_no_harm() {
        for events in [&[i64::MIN + 1, 0, i64::MAX][..], &[i64::MIN + 1, i64::MIN + 2, -1, 0, 1, i64::MAX]] {
            let time_scale = TimeScale::new(events);
            for time in [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX] {
                time_scale.to_time(time_scale.to_position(time));
            }
            assert!(time_scale.length() > 0);
        }
        assert_eq!(TimeScale::new(&[]).to_position(7), 7);
    }
}
