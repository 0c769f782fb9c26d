//! What is said while something is opened, and when that fails.

use crate::format::{count, number, size};
use crate::protocol::Overview;

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

/// Says that a file that was opened alone has no record in it; none when it has any, or when there is more than one file.
pub fn not_a_log(overview: &Overview) -> Option<String> {
    let is_lone = overview.files <= 1 && !overview.partial && overview.entries == 0;
    let is_damaged = overview.problems[0] > 0 || overview.bytes == 0;
    let holds_records = overview.formats.iter().any(|(_, _, records)| *records > 0);
    (is_lone && is_damaged && !holds_records).then(|| match overview.bytes {
        0 => format!("{} is empty", overview.name),
        bytes => format!("{} is not a log: none of its {} is a record", overview.name, size(bytes)),
    })
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
    fn a_file_without_records_is_no_log() {
        let binary =
            Overview { name: "b.jsonl".into(), files: 1, bytes: 4_000, problems: [9, 0, 0], ..Overview::default() };
        assert_eq!(not_a_log(&binary).unwrap(), "b.jsonl is not a log: none of its 4.0 KB is a record");
        let empty = Overview { bytes: 0, problems: [0; 3], ..binary.clone() };
        assert_eq!(not_a_log(&empty).unwrap(), "b.jsonl is empty");
        assert_eq!(not_a_log(&Overview { entries: 1, ..binary.clone() }), None);
        assert_eq!(not_a_log(&Overview { files: 2, ..binary }), None);
    }

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
