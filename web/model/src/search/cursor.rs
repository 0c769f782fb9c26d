//! The cursor in a text: browsers count units of UTF-16, queries count characters.

/// Gives how many characters stand before so many units.
pub fn chars_of(text: &str, units: u32) -> u32 {
    let mut left = units as usize;
    let before = text.chars().take_while(|character| {
        let fits = left >= character.len_utf16();
        left = left.saturating_sub(character.len_utf16());
        fits
    });
    before.count() as u32
}

/// Gives how many units so many characters have.
pub fn units_of(text: &str, chars: u32) -> u32 {
    text.chars().take(chars as usize).map(|character| character.len_utf16() as u32).sum()
}

/// Puts a choice in the place of what stands between two characters; gives the text and the character after the choice.
pub fn filled_in(text: &str, start: u32, end: u32, choice: &str) -> (String, u32) {
    let mut filled: String = text.chars().take(start as usize).collect();
    filled.push_str(choice);
    let mut after = start + choice.chars().count() as u32;
    let rest: String = text.chars().skip(end as usize).collect();
    // A value is done with, a field's name is not.
    if !choice.ends_with(':') && !rest.starts_with(' ') {
        filled.push(' ');
    }
    after += u32::from(!choice.ends_with(':'));
    filled.push_str(&rest);
    (filled, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_characters_are_told_apart() {
        let text = "aä😀b";
        for (units, chars) in [(0, 0), (1, 1), (2, 2), (4, 3), (5, 4)] {
            assert_eq!(chars_of(text, units), chars, "{units} units");
            assert_eq!(units_of(text, chars), units, "{chars} characters");
        }
        assert_eq!(chars_of(text, 3), 2, "half of a character is none");
        assert_eq!((chars_of(text, 99), units_of(text, 99)), (4, 5));
    }

    #[test]
    fn a_choice_takes_the_place_of_what_was_typed() {
        let check = |text: &str, start, end, choice: &str, wanted: (&str, u32)| {
            assert_eq!(filled_in(text, start, end, choice), (wanted.0.to_owned(), wanted.1));
        };
        check("fr", 0, 2, "from:", ("from:", 5));
        check("from:an", 5, 7, "ann", ("from:ann ", 9));
        check("😀 from:an x", 7, 9, "\"an n\"", ("😀 from:\"an n\" x", 14));
        check("is: x", 3, 3, "unread", ("is:unread x", 10));
    }
}
