//! What became of all bytes.

/// Writes a part of a whole in percent; what is more than nothing is never written as nothing, nor less than all as all.
pub fn percent(part: u64, whole: u64) -> String {
    let thousandths = u128::from(part) * 1_000 / u128::from(whole.max(1));
    match thousandths {
        _ if part == 0 => "0 %".to_owned(),
        0 => "< 0.1 %".to_owned(),
        1_000 => "100 %".to_owned(),
        _ => format!("{}.{} %", thousandths / 10, thousandths % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_is_not_nothing_and_almost_all_is_not_all() {
        assert_eq!(percent(0, 10), "0 %");
        assert_eq!(percent(1, 1_000_000), "< 0.1 %");
        assert_eq!(percent(999_999, 1_000_000), "99.9 %");
        assert_eq!(percent(7, 7), "100 %");
        assert_eq!(percent(u64::MAX, u64::MAX), "100 %");
    }
}
