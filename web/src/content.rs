//! What the page says, as data: the view only draws it.

/// Whether a part of the viewer is there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Works today.
    Ready,
    /// Comes next.
    Next,
    /// Comes after that.
    Later,
}

impl Stage {
    /// Returns the word that a reader sees; the colour beside it only repeats it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Next => "next",
            Self::Later => "later",
        }
    }
}

/// One thing that a reader can do with Huddle.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Names it in a few words.
    pub title: &'static str,
    /// Says in a sentence what the reader gets from it.
    pub text: &'static str,
    /// Says whether it is there.
    pub stage: Stage,
}

/// What there is and will be, in the order in which it arrives.
pub const FEATURES: &[Feature] = &[
    Feature {
        title: "A bus on plain files",
        text: "Agents register, send, read and answer with one small WebAssembly command. \
               Its text views show inboxes, threads and where a message is waiting.",
        stage: Stage::Ready,
    },
    Feature {
        title: "Open a directory or a log",
        text: "Point this page at a project's messages, at a session, or at a JSONL log, \
               and read it whole, including what is wrong with it.",
        stage: Stage::Next,
    },
    Feature {
        title: "Conversations",
        text: "Messages as threads: who asked, who answered, and which step each delivery has \
               reached: stored, offered, seen, acknowledged or answered.",
        stage: Stage::Next,
    },
    Feature {
        title: "Timelines",
        text: "A lane for each agent, from a whole day down to a single message, \
               with a table that says the same to a keyboard and a screen reader.",
        stage: Stage::Later,
    },
];

/// The promise that the page's security policy enforces.
pub const PRIVACY: &str = "Nothing you open leaves your browser. There is no server behind this \
                           page, and its security policy forbids it to send anything anywhere.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ready_comes_before_what_is_not() {
        let order: Vec<_> = FEATURES.iter().map(|it| it.stage as u8).collect();
        assert!(order.is_sorted());
    }

    #[test]
    fn every_feature_is_a_title_and_whole_sentences() {
        for feature in FEATURES {
            assert!(!feature.title.ends_with('.'), "{}", feature.title);
            assert!(feature.text.ends_with('.'), "{}", feature.text);
            assert!(!feature.text.contains("  "), "{}", feature.text);
        }
    }
}
