//! Patterns for names: `*` stands for any text, `?` for one character.

/// Returns whether a name fits a pattern.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where to go on when the text that the last star stands for turns out to be one character longer.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p + 1, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match retry {
                Some((after, from)) => {
                    retry = Some((after, from + 1));
                    (p, n) = (after, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks_stand_for_text() {
        let check =
            |pattern: &str, name: &str, wanted: bool| assert_eq!(matches(pattern, name), wanted, "{pattern} {name}");
        check("*-analyzer", "security-analyzer", true);
        check("*-analyzer", "skill-generator", false);
        check("*", "", true);
        check("", "", true);
        check("", "a", false);
        check("a?c", "aüc", true);
        check("a*b*c", "a-b-b-c", true);
        check("a*b*c", "a-b-b", false);
        check("**x", "abx", true);
        check("abc", "abc", true);
        check("abc", "abcd", false);
    }
}
