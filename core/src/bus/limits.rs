//! How long a text may be that listings show: longer ones are refused from those who send them.

use super::{Error, Result};

/// The most characters of a subject.
pub(super) const SUBJECT: usize = 1000;
/// The most characters of a type, a role, a status or a capability.
pub(super) const WORD: usize = 200;
/// The most characters of a path.
pub(super) const PATH: usize = 4096;
/// The most characters of a task that is handed over.
pub(super) const TASK: usize = 10_000;

/// Refuses a text that is longer than its limit.
pub(super) fn check(what: &str, text: &str, limit: usize) -> Result<()> {
    let length = text.chars().count();
    if length <= limit {
        return Ok(());
    }
    let message = format!("{what} has {length} characters, more than {limit}");
    Err(Error::Usage { message, hint: "shorten it; details go into the body, or into a file".into() }.into())
}

/// Makes a subject fit for a message of ours, whatever a stranger wrote into it.
pub(super) fn one_line(subject: &str) -> String {
    // Leaves room for what stands before it, as in "Acknowledged: ".
    const WIDTH: usize = SUBJECT - 100;
    let plain: String = subject.chars().take(WIDTH + 1).map(|c| if c.is_control() { ' ' } else { c }).collect();
    match plain.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &plain[..end]),
        None if plain.trim().is_empty() => "(no subject)".to_owned(),
        None => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_at_its_limit_passes() {
        check("role", &"ä".repeat(WORD), WORD).unwrap();
        let error = check("role", &"ä".repeat(WORD + 1), WORD).unwrap_err();
        assert_eq!(error.to_string(), "role has 201 characters, more than 200");
    }

    #[test]
    fn a_strange_subject_becomes_one_short_line() {
        assert_eq!(one_line("Which\n\u{1b}port?"), "Which  port?");
        assert_eq!(one_line("\n"), "(no subject)");
        let long = one_line(&"ä".repeat(70_000));
        assert!(long.ends_with('…'));
        check("subject", &format!("Acknowledged: {long}"), SUBJECT).unwrap();
    }
}
