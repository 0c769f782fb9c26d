//! No text of core names a command, an option or a tool: faces word what to do.

use crate::sources;

/// Returns the texts in quotes that name a command or an option.
fn command_lines(code: &str) -> Vec<&str> {
    let mut rest = code;
    let mut found = Vec::new();
    while let Some((_, after)) = rest.split_once('"') {
        let mut end = 0;
        let bytes = after.as_bytes();
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(after.len());
        let text = &after[..end];
        let is_option = text.split_whitespace().any(|word| {
            word.trim_start_matches('(')
                .strip_prefix("--")
                .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        });
        if text.split_once("huddle ").is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_lowercase()))
            || is_option
        {
            found.push(text);
        }
        rest = after.get(end + 1..).unwrap_or_default();
    }
    found
}

#[test]
fn texts_of_core_name_no_command() {
    for source in sources::all() {
        let code = source.code.replace("'\"'", "").replace("'\\\"'", "").replace("b'\"'", "");
        assert_eq!(command_lines(&code), [""; 0], "{}", source.path);
    }
}

#[test]
fn planted_commands_are_found() {
    let check = |code: &str, expected: &[&str]| assert_eq!(command_lines(code), expected, "{code}");
    check(r#"let hint = "register it: huddle register AGENT";"#, &["register it: huddle register AGENT"]);
    check(r#"let hint = "insist with --large";"#, &["insist with --large"]);
    check(r#"let a = "a \"quoted\" text"; let b = "close (--force)";"#, &["close (--force)"]);
    check(r#"let hint = "a -- dash, .huddle/keys, huddle_limits";"#, &[]);
}
