//! Which part of a file is wanted: `Range: bytes=FROM-TO`.

use std::ops::Range;

/// What a range header asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Part {
    /// All of it: also what a header that we do not understand gets, as HTTP wants it.
    All,
    /// These bytes.
    Some(Range<u64>),
    /// Bytes that the file does not have.
    Beyond,
}

/// Reads a range header for a file of some size.
pub(super) fn part(header: Option<&str>, size: u64) -> Part {
    let Some((from, to)) = header.and_then(|text| text.strip_prefix("bytes=")).and_then(|text| text.split_once('-'))
    else {
        return Part::All;
    };
    match (number(from), number(to)) {
        (Some(None), Some(Some(last))) => part_of(size.saturating_sub(last)..size, size),
        (Some(Some(first)), Some(None)) => part_of(first..size, size),
        (Some(Some(first)), Some(Some(last))) if first <= last => {
            part_of(first..last.saturating_add(1).min(size), size)
        }
        _ => Part::All,
    }
}

fn part_of(range: Range<u64>, size: u64) -> Part {
    if range.start < size { Part::Some(range) } else { Part::Beyond }
}

/// Reads a number that may be left out; `None` when it is something else.
fn number(text: &str) -> Option<Option<u64>> {
    match text {
        "" => Some(None),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok().map(Some),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_for_a_file_of_ten_bytes() {
        let check = |header: &str, wanted: Part| assert_eq!(part(Some(header), 10), wanted, "{header}");
        check("bytes=0-", Part::Some(0..10));
        check("bytes=4-", Part::Some(4..10));
        check("bytes=4-4", Part::Some(4..5));
        check("bytes=4-99", Part::Some(4..10));
        check("bytes=4-18446744073709551615", Part::Some(4..10));
        check("bytes=-3", Part::Some(7..10));
        check("bytes=-30", Part::Some(0..10));
        check("bytes=10-", Part::Beyond);
        check("bytes=-0", Part::Beyond);
        for odd in ["bytes=", "bytes=-", "bytes=5-4", "bytes=a-", "bytes=+1-", "bytes=0-1,3-4", "lines=1-2"] {
            check(odd, Part::All);
        }
        assert_eq!(part(None, 10), Part::All);
        assert_eq!(part(Some("bytes=0-"), 0), Part::Beyond);
    }
}
