//! How much of what a message says is shown at once.

use crate::format;
use crate::protocol::Body;

/// A text of more lines than this is folded.
pub const LINES: usize = 40;

/// A text of more characters than this is folded, however few lines it has.
pub const CHARACTERS: usize = 6_000;

/// Gives the beginning of a text that is too long to be shown at once, and how many lines the whole has.
pub fn beginning(text: &str) -> Option<(&str, usize)> {
    let by_lines = text.match_indices('\n').nth(LINES - 1).map(|(at, _)| at);
    let by_characters = text.char_indices().nth(CHARACTERS).map(|(at, _)| at);
    let end = by_lines.into_iter().chain(by_characters).min()?;
    // A few more lines or characters are shorter than the way to them.
    if text.len() - end < 200 && text[end..].lines().count() < 5 {
        return None;
    }
    Some((text.get(..end)?, text.lines().count()))
}

/// Whether a part has room in a line.
pub fn short(body: &Body) -> bool {
    match body {
        Body::Text(text) => text.len() <= 60 && !text.contains('\n'),
        Body::Word(_) => true,
        Body::List(parts) => parts.is_empty(),
        Body::Fields(parts) => parts.is_empty(),
    }
}

/// Says what is folded.
pub fn sum(body: &Body) -> String {
    match body {
        Body::Text(text) => format::count(text.chars().count() as u64, "character"),
        Body::Word(word) => word.clone(),
        Body::List(parts) => format::count(parts.len() as u64, "item"),
        Body::Fields(parts) => {
            let names: Vec<&str> = parts.iter().take(4).map(|(name, _)| name.as_str()).collect();
            format!("{}{}", names.join(", "), if parts.len() > 4 { "…" } else { "" })
        }
    }
}

/// Writes a name as people do: `next_actions` is `next actions`. Names that say more by their signs stay as they are.
pub fn readable(name: &str) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if plain && !name.starts_with('_') { name.replace('_', " ") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_begin_with_forty_lines() {
        let long = "line\n".repeat(100);
        let (shown, lines) = beginning(&long).unwrap();
        assert_eq!((shown.lines().count(), lines), (40, 100));
        assert_eq!(beginning(&"line\n".repeat(42)), None);
        assert_eq!(beginning("short"), None);
    }

    #[test]
    fn one_long_line_is_cut_between_characters() {
        let long = "ä".repeat(20_000);
        let (shown, lines) = beginning(&long).unwrap();
        assert_eq!((shown.chars().count(), lines), (CHARACTERS, 1));
    }

    #[test]
    fn names_are_readable() {
        assert_eq!(readable("next_actions"), "next actions");
        for name in ["src/main.rs", "_id", "camelCase", "<b>"] {
            assert_eq!(readable(name), name);
        }
    }

    #[test]
    fn what_is_folded_says_what_it_is() {
        let fields =
            |count: usize| Body::Fields((0..count).map(|it| (format!("f{it}"), Body::Word("1".into()))).collect());
        assert_eq!(sum(&fields(2)), "f0, f1");
        assert_eq!(sum(&fields(9)), "f0, f1, f2, f3…");
        assert_eq!(sum(&Body::List(vec![fields(1)])), "1 item");
    }
}
