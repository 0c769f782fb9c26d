//! What is said while something is opened, and when that fails.

use crate::format::{count, number, size};

/// Writes how far opening is.
pub fn so_far(bytes: u64, total: u64, rows: u64) -> String {
    match (total, rows) {
        (0, _) => "Looking at what is there…".to_owned(),
        (total, 0) => format!("{} of {}", size(bytes), size(total)),
        (total, rows) => format!("{} of {}, {}", size(bytes), size(total), count(rows, "record")),
    }
}

/// Words what was left out; empty when nothing was.
pub fn words(left_out: &[(String, String)]) -> String {
    match left_out {
        [] => String::new(),
        [(_, message)] => format!("{message}."),
        [(_, message), rest @ ..] => format!("{message}. {} more likewise.", number(rest.len() as u64)),
    }
}

/// Says that the viewer stopped, and what to do.
pub fn stopped_words(name: &str, reason: &str) -> (String, String) {
    let message = match name {
        "" => "The viewer stopped before anything was open".to_owned(),
        name => format!("The viewer stopped with {name} open, and has started again without it"),
    };
    let cause = match reason {
        "" => String::new(),
        reason => format!("The browser says: {reason}. "),
    };
    let hint =
        "What it read is untouched. Most often memory was used up: open it again, or a part of it, or something else.";
    (message, format!("{cause}{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_in_bytes_and_records() {
        assert_eq!(so_far(0, 0, 0), "Looking at what is there…");
        assert_eq!(so_far(0, 2_000, 0), "0 bytes of 2.0 KB");
        assert_eq!(so_far(121_500_000, 243_000_000, 500_000), "121.5 MB of 243.0 MB, 500,000 records");
    }

    #[test]
    fn left_out_files_are_counted_after_the_first() {
        let one = |path: &str| (path.to_owned(), format!("{path} is too large"));
        assert_eq!(words(&[]), "");
        assert_eq!(words(&[one("a.gz")]), "a.gz is too large.");
        assert_eq!(words(&[one("a.gz"), one("b.gz"), one("c.gz")]), "a.gz is too large. 2 more likewise.");
    }

    #[test]
    fn stopped_state_names_what_was_open() {
        assert!(stopped_words("a.gz", "").0.contains("with a.gz open"));
        assert!(stopped_words("", "unreachable").1.starts_with("The browser says: unreachable. "));
    }
}
