//! Words, shapes and colours for where things stand.

use crate::format;

/// How a state or a severity is shown: by a shape, a colour and a word, so that none of them is needed alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sign {
    /// The shape.
    pub shape: &'static str,
    /// The colour: see `.tone-good` and so on in the styles.
    pub tone: &'static str,
    /// The word.
    pub word: String,
}

/// Gives the sign of a state, which is any protocol's word.
pub fn state(word: &str) -> Sign {
    let (shape, tone) = match word {
        "completed" | "complete" | "done" | "accepted" | "success" | "closed" => ("✓", "good"),
        "in_progress" | "active" | "working" | "busy" | "running" | "open" => ("►", "busy"),
        "waiting" | "pending" | "pending_acceptance" | "idle" | "blocked" => ("○", "quiet"),
        "failed" | "error" | "declined" | "dead" | "aborted" => ("✕", "bad"),
        "partial" | "stale" | "degraded" => ("◐", "warn"),
        _ => ("◇", "quiet"),
    };
    let word = if word.is_empty() { "not said".to_owned() } else { word.replace('_', " ") };
    Sign { shape, tone, word }
}

/// Gives the sign of a severity, of what agents found or of what the checks found.
pub fn severity(word: &str) -> Sign {
    let (shape, tone) = match word {
        "high" | "critical" => ("▲", "bad"),
        "medium" => ("◆", "warn"),
        "low" => ("●", "quiet"),
        "error" => ("✕", "bad"),
        "warning" => ("▲", "warn"),
        "info" => ("●", "quiet"),
        _ => ("◇", "quiet"),
    };
    let word = if word.is_empty() { "not rated".to_owned() } else { word.to_owned() };
    Sign { shape, tone, word }
}

/// Writes a term of a query: `from:ann`, `from:"ann b"`.
pub fn term(field: &str, value: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | '@' | '/');
    if !value.is_empty() && value.chars().all(is_plain) {
        return format!("{field}:{value}");
    }
    let mut term = format!("{field}:\"");
    for letter in value.chars() {
        if matches!(letter, '"' | '\\' | '*') {
            term.push('\\');
        }
        term.push(letter);
    }
    term.push('"');
    term
}

/// Writes a moment as it is read in passing: `2025-01-23 10:02`.
pub fn when(at: i64) -> String {
    let mut when = format::moment(at);
    when.truncate(16);
    when
}

/// Shortens a path in the middle, so that its end, which tells files apart, stays.
pub fn place(path: &str, most: usize) -> String {
    let many = path.chars().count();
    if many <= most {
        return path.to_owned();
    }
    let skip = many - most + 1;
    format!("…{}", path.chars().skip(skip).collect::<String>())
}

/// Gives the last part of a path.
pub fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use huddle_core::history::query::Query;

    use super::*;

    #[test]
    fn every_state_has_a_word() {
        assert_eq!(state("in_progress").word, "in progress");
        assert_eq!(state("").word, "not said");
        assert_eq!(state("asleep").shape, "◇");
        assert_ne!(state("failed").shape, state("completed").shape);
        assert_eq!(severity("").word, "not rated");
    }

    #[test]
    fn a_term_means_the_name_whatever_it_is() {
        assert_eq!(term("from", "ann-2"), "from:ann-2");
        assert_eq!(term("to", "ann b"), "to:\"ann b\"");
        for name in ["a\"b", "a\\b*", "", "a:b", "(x)", "-x", "OR"] {
            let term = term("from", name);
            assert!(Query::parse(&term).is_ok(), "{term}");
        }
    }

    #[test]
    fn a_long_path_keeps_its_end() {
        assert_eq!(place("short.json", 20), "short.json");
        assert_eq!(place("reports/ännchen.json", 10), "…chen.json");
        assert_eq!((name_of("a/b.md"), name_of("b.md")), ("b.md", "b.md"));
        assert_eq!(when(1_737_626_523_500_000), "2025-01-23 10:02");
    }
}
