//! Escapes for text that others wrote: a terminal obeys control characters, and readers do not see invisible ones.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns whether a character controls a terminal, reorders text or is invisible.
///
/// These are C0, DEL and C1 controls, line and paragraph separators, bidirectional controls and zero-width characters.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Replaces every unsafe character except `\n` and `\t` with an escape such as `\u{1b}`.
pub(crate) fn escape_for_terminal(text: &str) -> Cow<'_, str> {
    escape(text, |character| is_unsafe(character) && !matches!(character, '\n' | '\t'), braced)
}

/// Replaces every unsafe character, line breaks and tabs too, so that a field stays on its line.
pub(crate) fn escape_line(text: &str) -> Cow<'_, str> {
    escape(text, is_unsafe, braced)
}

/// Replaces the unsafe characters that serde_json leaves in strings with JSON escapes.
///
/// `json` is serialized JSON: such characters occur only in its strings, and the line breaks between its tokens stay.
pub(crate) fn escape_json(json: &str) -> Cow<'_, str> {
    let is_left = |character| is_unsafe(character) && !matches!(character, '\n' | '\t' | '\r');
    // All unsafe characters are in the basic plane, so that none needs a surrogate pair.
    escape(json, is_left, |out, character| write!(out, "\\u{:04x}", u32::from(character)))
}

fn braced(out: &mut String, character: char) -> std::fmt::Result {
    write!(out, "{}", character.escape_unicode())
}

fn escape(
    text: &str,
    is_replaced: impl Fn(char) -> bool,
    write: impl Fn(&mut String, char) -> std::fmt::Result,
) -> Cow<'_, str> {
    let Some(first) = text.find(&is_replaced) else { return Cow::Borrowed(text) };
    let (clean, rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(clean);
    for character in rest.chars() {
        // Writing to a `String` does not fail; if it did, the character would still not get through.
        if !is_replaced(character) {
            out.push(character);
        } else if write(&mut out, character).is_err() {
            out.push('\u{fffd}');
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_are_shown_and_not_obeyed() {
        for (payload, shown, json) in [
            ("\u{1b}]52;c;cm0gLXJm\u{7}", r"\u{1b}]52;c;cm0gLXJm\u{7}", r"\u001b]52;c;cm0gLXJm\u0007"),
            ("\u{1b}]0;title\u{1b}\\", r"\u{1b}]0;title\u{1b}\", r"\u001b]0;title\u001b\\"),
            ("\u{1b}[2J", r"\u{1b}[2J", r"\u001b[2J"),
            ("\u{9b}2J", r"\u{9b}2J", r"\u009b2J"),
            ("\u{9d}0;t\u{9c}", r"\u{9d}0;t\u{9c}", r"\u009d0;t\u009c"),
            ("\u{7f}\u{8}\u{0}", r"\u{7f}\u{8}\u{0}", r"\u007f\b\u0000"),
            ("a\r\nb", "a\\u{d}\nb", r"a\r\nb"),
            ("\u{202e}gpj.exe\u{202c}", r"\u{202e}gpj.exe\u{202c}", r"\u202egpj.exe\u202c"),
            (
                "\u{2066}x\u{2069}\u{200e}\u{200f}\u{61c}",
                r"\u{2066}x\u{2069}\u{200e}\u{200f}\u{61c}",
                r"\u2066x\u2069\u200e\u200f\u061c",
            ),
            (
                "an\u{200b}n\u{200c}\u{200d}\u{2060}\u{feff}",
                r"an\u{200b}n\u{200c}\u{200d}\u{2060}\u{feff}",
                r"an\u200bn\u200c\u200d\u2060\ufeff",
            ),
            ("a\u{2028}b\u{2029}", r"a\u{2028}b\u{2029}", r"a\u2028b\u2029"),
        ] {
            assert_eq!(escape_for_terminal(payload), shown);
            let document = serde_json::Value::from(payload).to_string();
            let escaped = escape_json(&document);
            assert_eq!(escaped, format!("\"{json}\""));
            assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), payload, "the value stays the same");
        }
    }

    #[test]
    fn harmless_text_is_borrowed() {
        for text in ["", "plain\n\ttext", "📬 Grüße → 你好 ⚠\u{fe0f}", r"\u{1b}"] {
            assert!(matches!(escape_for_terminal(text), Cow::Borrowed(same) if same == text));
            assert!(matches!(escape_json(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(escape_line("a\nFrom: operator\tb"), r"a\u{a}From: operator\u{9}b");
    }
}
