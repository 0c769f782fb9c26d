//! The three protocols, and which of them a situation calls for.

use std::collections::BTreeSet;

/// The protocols of the orchestrator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// One agent is done, and the next takes over.
    Handoff,
    /// All agents need to know something.
    Broadcast,
    /// One agent needs to know something of another.
    Query,
}

impl Protocol {
    /// Every protocol, in the specification's order.
    pub const ALL: [Self; 3] = [Self::Handoff, Self::Broadcast, Self::Query];

    /// Returns the word that settings and log use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Handoff => "handoff",
            Self::Broadcast => "broadcast",
            Self::Query => "query",
        }
    }

    /// Reads the word that settings and log use.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.as_str() == text)
    }

    /// Returns the command that speaks it.
    pub const fn command(self) -> &'static str {
        match self {
            Self::Handoff => "huddle handoff create TO --task TEXT --summary TEXT --next-action TEXT",
            Self::Broadcast => "huddle broadcast SUBJECT --type context_update",
            Self::Query => "huddle ask TO QUESTION",
        }
    }
}

/// A row of the specification's table: what to use when, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// When.
    pub scenario: &'static str,
    /// What to use.
    pub protocol: Protocol,
    /// Why.
    pub reason: &'static str,
    /// The beginnings of words that tell such a situation.
    keywords: &'static [&'static str],
}

/// The specification's table.
pub const TABLE: [Choice; 5] = [
    Choice {
        scenario: "Phase 3a → 3b",
        protocol: Protocol::Handoff,
        reason: "Sequential dependency",
        keywords: &[
            "phase", "→", "->", "sequen", "next", "then", "after", "finish", "complete", "done", "hand", "depend",
        ],
    },
    Choice {
        scenario: "Phase 5 parallel agents",
        protocol: Protocol::Broadcast,
        reason: "All need same context",
        keywords: &[
            "parallel",
            "all",
            "every",
            "concurrent",
            "simultan",
            "same",
            "agents",
            "share",
            "team",
            "announce",
        ],
    },
    Choice {
        scenario: "Frontend needs API schema",
        protocol: Protocol::Query,
        reason: "Specific info request",
        keywords: &[
            "need", "ask", "quest", "?", "schema", "info", "what", "which", "how", "where", "request", "unclear",
        ],
    },
    Choice {
        scenario: "User preference change",
        protocol: Protocol::Broadcast,
        reason: "All agents affected",
        keywords: &["user", "prefer", "change", "priorit", "urgen", "abort", "stop", "affect"],
    },
    Choice {
        scenario: "Error in one agent",
        protocol: Protocol::Handoff,
        reason: "Pass to error handler",
        keywords: &["error", "fail", "crash", "exception", "broke", "stuck", "bug", "panic", "wrong"],
    },
];

/// Finds the rows that fit a situation best, in the table's order; none when no word of it tells anything.
pub fn choose(situation: &str) -> Vec<Choice> {
    let words = words(situation);
    let score = |choice: &Choice| {
        words.iter().filter(|word| choice.keywords.iter().any(|keyword| matches_keyword(word, keyword))).count()
    };
    let best = TABLE.iter().map(score).max().unwrap_or(0);
    TABLE.into_iter().filter(|choice| best > 0 && score(choice) == best).collect()
}

/// Returns whether a word begins as a sign does; arrows and question marks may be anywhere in it.
fn matches_keyword(word: &str, keyword: &str) -> bool {
    if keyword.starts_with(char::is_alphabetic) { word.starts_with(keyword) } else { word.contains(keyword) }
}

/// Takes a text apart, each word once.
fn words(text: &str) -> BTreeSet<String> {
    let text = text.to_ascii_lowercase();
    let words = text.split(|c: char| c.is_whitespace() || ",.;:\"'()".contains(c));
    BTreeSet::from_iter(words.filter(|word| !word.is_empty()).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_situation_choose_the_row() {
        let check = |situation: &str, scenarios: &[&str]| {
            let chosen: Vec<_> = choose(situation).iter().map(|choice| choice.scenario).collect();
            assert_eq!(chosen, scenarios, "{situation}");
        };
        for choice in TABLE {
            check(choice.scenario, &[choice.scenario]);
            check(&format!("({})", choice.scenario.to_uppercase()), &[choice.scenario]);
        }
        check("I finished the tests, builder-2 goes on", &["Phase 3a → 3b"]);
        check("all agents need to know the port", &["Phase 5 parallel agents"]);
        check("Which port does the server use?", &["Frontend needs API schema"]);
        check("the user prefers Spanish", &["User preference change"]);
        check("the build of bob failed with an exception", &["Error in one agent"]);
        check("zebra", &[]);
        check("", &[]);
    }

    #[test]
    fn words_go_both_ways() {
        for protocol in Protocol::ALL {
            assert_eq!(Protocol::parse(protocol.as_str()), Some(protocol));
        }
    }
}
