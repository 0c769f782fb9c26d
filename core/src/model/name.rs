//! Names that may become paths, and ids: validated once, then carried as types.

mod portable;

use std::fmt;

/// The longest accepted name, in bytes: file names are built from two names and must stay under 255.
pub const MAX_LEN: usize = 100;

/// Returns why a text is not a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} {text:?} {fault}")]
pub struct NameError {
    /// What the text was meant to name, as people say it: "agent name".
    pub what: &'static str,
    /// The text as it was given.
    pub text: String,
    /// The rule that it breaks.
    pub fault: &'static str,
    /// What to do about it.
    pub hint: &'static str,
}

/// What to do about a text that is no name at all.
const HINT: &str = "use up to 100 bytes without '/', '\\', '..', control characters or a leading dot";

/// Finds the first rule for names that `text` breaks.
fn fault_of(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return Some("is empty");
    }
    if text.len() > MAX_LEN {
        return Some("is longer than 100 bytes");
    }
    if text.starts_with('.') {
        return Some("starts with a dot");
    }
    if text.contains("..") {
        return Some("contains '..'");
    }
    if text.contains(['/', '\\']) {
        return Some("contains a path separator");
    }
    if text.chars().any(char::is_control) {
        return Some("contains a control character");
    }
    if text.trim() != text {
        return Some("starts or ends with a space");
    }
    None
}

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident = $what:literal, $extra:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// Checks `text` against the rules for names.
            pub fn new(text: impl Into<String>) -> Result<Self, NameError> {
                let text = text.into();
                let extra: fn(&str) -> Option<&'static str> = $extra;
                match fault_of(&text).or_else(|| extra(&text)) {
                    Some(fault) => Err(NameError { what: $what, text, fault, hint: HINT }),
                    None => Ok(Self(text)),
                }
            }

            /// Checks the rules that only new names have to keep: the same file on every system, and no other name to
            /// a reader's eye. Names that are stored already stay usable when they break one.
            pub fn check_portable(&self) -> Result<(), NameError> {
                match portable::fault_of(&self.0) {
                    Some((fault, hint)) => Err(NameError { what: $what, text: self.0.clone(), fault, hint }),
                    None => Ok(()),
                }
            }

            /// Returns the name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        /// As quoted text: messages show names this way.
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = NameError;
            fn from_str(text: &str) -> Result<Self, NameError> {
                Self::new(text)
            }
        }
    )*};
}

names! {
    /// The name of an agent: its inbox directory and its address.
    AgentName = "agent name", |text| {
        if text == "ALL" {
            Some("is reserved: it means every agent")
        } else if text.contains(',') {
            Some("contains a comma, which separates recipients")
        } else {
            None
        }
    };
    /// The type of an event, which is also the directory its events are kept in.
    EventName = "event name", |_| None;
    /// The name of a shared context document.
    ContextName = "context name", |_| None;
    /// The id of a message, broadcast, response or event: its file name without the ending.
    MessageId = "message id", |_| None;
    /// The id of a handoff: its directory.
    HandoffId = "handoff id", |_| None;
    /// The name of something that one agent at a time may change.
    LeaseName = "lease name", |_| None;
    /// The id of a session: its directory.
    SessionId = "session id", |_| None;
    /// The name of a file that agents of a session share.
    ArtifactName = "artifact name", |_| None;
}

impl AgentName {
    /// Finds the name that passes for this one: it differs in case alone, or looks the same. The name itself does not count.
    pub fn look_alike<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> Option<&'a Self> {
        others.into_iter().find(|other| portable::is_look_alike(&self.0, &other.0))
    }
}

/// Ties the messages of one conversation together; never part of a path, so any text without control characters will do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadId(String);

impl ThreadId {
    /// Checks that `text` is not empty and can be shown on one line.
    pub fn new(text: impl Into<String>) -> Result<Self, NameError> {
        let text = text.into();
        let fault = if text.is_empty() {
            "is empty"
        } else if text.chars().any(char::is_control) {
            "contains a control character"
        } else {
            return Ok(Self(text));
        };
        Err(NameError { what: "thread id", text, fault, hint: "use one line of text" })
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl std::str::FromStr for ThreadId {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_leave_their_directory_are_refused() {
        let long = "x".repeat(MAX_LEN + 1);
        for bad in
            ["", ".", "..", ".hidden", "a/b", "a\\b", "a..b", "a\nb", "a\0", " a", "a ", "a\u{7f}", long.as_str()]
        {
            assert!(AgentName::new(bad).is_err(), "agent {bad:?}");
            assert!(ContextName::new(bad).is_err(), "context {bad:?}");
            assert!(EventName::new(bad).is_err(), "event {bad:?}");
            assert!(MessageId::new(bad).is_err(), "message {bad:?}");
        }
    }

    #[test]
    fn ordinary_names_are_accepted() {
        for good in ["builder-1", "a", "api.contracts", "Ünï", "two words", "x".repeat(MAX_LEN).as_str()] {
            assert_eq!(AgentName::new(good).unwrap().as_str(), good);
        }
    }

    #[test]
    fn unportable_names_stay_readable() {
        for text in ["CON", "con.txt", "a:b", "a.", "аnn", "a\u{200b}nn", "\u{202e}nna", "e\u{301}"] {
            let name = AgentName::new(text).unwrap();
            let error = name.check_portable().unwrap_err();
            assert!(error.to_string().starts_with(&format!("agent name {text:?} ")) && error.hint != HINT, "{error}");
        }
        assert!(AgentName::new("Ünï").unwrap().check_portable().is_ok());
    }

    #[test]
    fn an_agent_is_not_called_all_and_has_no_comma() {
        assert_eq!(AgentName::new("ALL").unwrap_err().fault, "is reserved: it means every agent");
        assert!(AgentName::new("a,b").is_err());
        assert!(EventName::new("ALL").is_ok());
    }
}
