//! The header `Range: bytes=FROM-TO`.

use std::ops::Range;

/// The part of a file that a request asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Part {
    /// Also for headers that are invalid or ask for several parts: HTTP has servers ignore those.
    Whole,
    /// These bytes, of which there is at least one.
    Bytes(Range<u64>),
    /// None of the bytes exists.
    Unsatisfiable,
}

/// Parses a range header for a file of some size.
pub(crate) fn parse(header: Option<&str>, size: u64) -> Part {
    let Some((from, to)) = header.and_then(|text| text.strip_prefix("bytes=")).and_then(|text| text.split_once('-'))
    else {
        return Part::Whole;
    };
    match (number(from), number(to)) {
        (Some(None), Some(Some(last))) => satisfied(size.saturating_sub(last)..size, size),
        (Some(Some(first)), Some(None)) => satisfied(first..size, size),
        (Some(Some(first)), Some(Some(last))) if first <= last => {
            satisfied(first..last.saturating_add(1).min(size), size)
        }
        _ => Part::Whole,
    }
}

fn satisfied(range: Range<u64>, size: u64) -> Part {
    if range.start < size { Part::Bytes(range) } else { Part::Unsatisfiable }
}

/// Parses a number that may be left out; returns `None` for anything else.
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
    fn ranges_of_a_file_of_ten_bytes_are_parsed() {
        let check = |header: &str, wanted: Part| assert_eq!(parse(Some(header), 10), wanted, "{header}");
        check("bytes=0-", Part::Bytes(0..10));
        check("bytes=4-", Part::Bytes(4..10));
        check("bytes=4-4", Part::Bytes(4..5));
        check("bytes=4-99", Part::Bytes(4..10));
        check("bytes=4-18446744073709551615", Part::Bytes(4..10));
        check("bytes=-3", Part::Bytes(7..10));
        check("bytes=-30", Part::Bytes(0..10));
        check("bytes=10-", Part::Unsatisfiable);
        check("bytes=-0", Part::Unsatisfiable);
        check("bytes=18446744073709551615-", Part::Unsatisfiable);
        check("bytes=9-18446744073709551616", Part::Whole);
        for odd in ["bytes=", "bytes=-", "bytes=5-4", "bytes=a-", "bytes=+1-", "bytes=0-1,3-4", "lines=1-2"] {
            check(odd, Part::Whole);
        }
        assert_eq!(parse(None, 10), Part::Whole);
        assert_eq!(parse(Some("bytes=0-"), 0), Part::Unsatisfiable);
    }
}
