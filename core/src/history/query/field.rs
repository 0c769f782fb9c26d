//! The names that the language knows.

/// A field of the query language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryField {
    /// The sender.
    From,
    /// The recipient.
    To,
    /// The row's type.
    Type,
    /// Its severity.
    Severity,
    /// Its conversation.
    Thread,
    /// Its priority.
    Priority,
    /// The path of its file.
    File,
    /// An end of the time in which it was made.
    Before,
    /// A start of the time in which it was made.
    After,
    /// A state.
    Is,
    /// Something that it has.
    Has,
}

impl QueryField {
    /// Every field, in the order in which completions are shown.
    pub const ALL: [Self; 11] = [
        Self::From,
        Self::To,
        Self::Type,
        Self::Severity,
        Self::Thread,
        Self::Priority,
        Self::File,
        Self::Before,
        Self::After,
        Self::Is,
        Self::Has,
    ];

    /// Returns the name, without the colon.
    pub const fn name(self) -> &'static str {
        match self {
            Self::From => "from",
            Self::To => "to",
            Self::Type => "type",
            Self::Severity => "severity",
            Self::Thread => "thread",
            Self::Priority => "priority",
            Self::File => "file",
            Self::Before => "before",
            Self::After => "after",
            Self::Is => "is",
            Self::Has => "has",
        }
    }

    /// Lists the values that it can have, if there are only some; none means that any will do.
    pub const fn values(self) -> &'static [&'static str] {
        match self {
            Self::Is => &["unread", "unanswered", "overdue", "crossed", "damaged"],
            Self::Has => &["artifact"],
            _ => &[],
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name().eq_ignore_ascii_case(name))
    }

    /// Finds the field that was meant by a name with one slip in it.
    pub(super) fn near(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Self::ALL.into_iter().find(|field| slip(name.as_bytes(), field.name().as_bytes()))
    }
}

/// A state that a row can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Somebody it is for has not read it.
    Unread,
    /// It waits for an answer.
    Unanswered,
    /// It waits for an answer, and the time for it is up.
    Overdue,
    /// It crossed another one on the way: neither author had seen the other's.
    Crossed,
    /// It was damaged.
    Damaged,
}

impl State {
    /// Every state, in the order of the values of [`QueryField::Is`].
    pub const ALL: [Self; 5] = [Self::Unread, Self::Unanswered, Self::Overdue, Self::Crossed, Self::Damaged];

    /// Returns the name, as it stands after `is:`.
    pub const fn name(self) -> &'static str {
        QueryField::Is.values()[self as usize]
    }
}

/// Returns whether one letter too many, too few or wrong, or two in the wrong order, make a name of the other.
///
/// Of two letters any word is half right: those only count in the wrong order.
fn slip(a: &[u8], b: &[u8]) -> bool {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a_rest, b_rest) = (&a[start..], &b[start..]);
    let end = a_rest.iter().rev().zip(b_rest.iter().rev()).take_while(|(x, y)| x == y).count();
    match (&a_rest[..a_rest.len() - end], &b_rest[..b_rest.len() - end]) {
        ([], [_]) | ([_], [] | [_]) => a.len() > 2,
        ([a1, a2], [b1, b2]) => a1 == b2 && a2 == b1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_recognised() {
        let check =
            |name: &str, meant: Option<&str>| assert_eq!(QueryField::near(name).map(QueryField::name), meant, "{name}");
        check("form", Some("from"));
        check("fom", Some("from"));
        check("Ffrom", Some("from"));
        check("files", Some("file"));
        check("tyoe", Some("type"));
        check("befor", Some("before"));
        check("ot", Some("to"));
        check("too", Some("to"));
        check("sevirety", None);
        check("mrof", None);
        check("in", None);
        check("t", None);
        check("", None);
        check("http", None);
    }

    #[test]
    fn names_are_found_and_states_have_the_names_of_values() {
        for field in QueryField::ALL {
            assert_eq!(QueryField::named(&field.name().to_uppercase()), Some(field));
        }
        assert_eq!(State::ALL.map(State::name), QueryField::Is.values());
    }
}
