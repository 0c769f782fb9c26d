//! Who talks to whom, as a matrix.

/// How many shades there are; the first is for a count of nothing.
pub const SHADES: u32 = 5;

/// Who talks to whom, as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matrix {
    /// Who is shown: places among all agents, by name.
    pub shown: Vec<u32>,
    /// How many are not shown.
    pub left_out: usize,
    /// The counts, a row for each of those shown.
    pub counts: Vec<Vec<u32>>,
}

/// Arranges who talks to whom. Of very many agents, those who talk most are shown.
pub fn arranged(talk: &[(u32, u32, u32)], most: usize) -> Matrix {
    let places = talk.iter().map(|(from, to, _)| from.max(to) + 1).max().unwrap_or_default();
    let mut totals: Vec<(u32, u64)> = (0..places).map(|place| (place, 0)).collect();
    for (from, to, many) in talk {
        totals[*from as usize].1 += u64::from(*many);
        totals[*to as usize].1 += u64::from(*many);
    }
    totals.retain(|(_, total)| *total > 0);
    totals.sort_by_key(|(place, total)| (std::cmp::Reverse(*total), *place));
    let left_out = totals.len().saturating_sub(most);
    let mut shown: Vec<u32> = totals.into_iter().take(most).map(|(place, _)| place).collect();
    shown.sort();
    let mut counts = vec![vec![0; shown.len()]; shown.len()];
    for (from, to, many) in talk {
        if let (Ok(row), Ok(column)) = (shown.binary_search(from), shown.binary_search(to)) {
            counts[row][column] += many;
        }
    }
    Matrix { shown, left_out, counts }
}

/// Gives a shade for a count: by its magnitude, so that a few stay visible beside very many.
pub fn shade(many: u32, most: u32) -> u32 {
    match many {
        0 => 0,
        _ => 1 + many.ilog2() * (SHADES - 1) / (most.max(1).ilog2() + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stand_in_their_cells() {
        let matrix = arranged(&[(2, 0, 3), (0, 2, 1), (2, 2, 4)], 24);
        assert_eq!(matrix.shown, [0, 2]);
        assert_eq!(matrix.counts, [[0, 1], [3, 4]]);
        assert_eq!(matrix.left_out, 0);
        assert_eq!(arranged(&[], 24), Matrix::default());
    }

    #[test]
    fn of_very_many_those_who_talk_most_are_shown() {
        let talk: Vec<_> = (0..100).map(|place| (place, (place + 1) % 100, if place == 50 { 9 } else { 1 })).collect();
        let matrix = arranged(&talk, 3);
        assert_eq!((matrix.shown.len(), matrix.left_out), (3, 97));
        assert!(matrix.shown.contains(&50) && matrix.shown.contains(&51));
    }

    #[test]
    fn shades_grow_with_counts() {
        let shades: Vec<u32> = [0, 1, 3, 10, 100, 1_000].map(|many| shade(many, 1_000)).into();
        assert!(shades.is_sorted() && shades[0] == 0 && shades[1] > 0 && shades[5] == SHADES - 1, "{shades:?}");
        assert_eq!(shade(1, 1), 1);
        assert!(shade(u32::MAX, u32::MAX) < SHADES);
    }
}
