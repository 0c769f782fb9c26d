//! What a text says, sorted: sections with their facts, whatever form the text had.

use std::ops::Range;

/// The topic of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Topic {
    Objective,
    Summary,
    Decision,
    Finding,
    Next,
}

/// A part of a text under one heading.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) heading: String,
    /// Where the whole of it is in the input.
    pub(super) range: Range<usize>,
    /// Its file extension.
    pub(super) ending: &'static str,
    /// Whether it is there to be looked up rather than to be read.
    pub(super) is_bulk: bool,
    /// Whether it has no heading, only a label, which says nothing without what follows.
    pub(super) is_label: bool,
    pub(super) facts: Vec<Fact>,
    pub(super) children: Vec<Node>,
}

/// A statement of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fact {
    /// What it is about, in a word or two: all that is kept of it when there is little room.
    pub(super) lead: String,
    /// All of it.
    pub(super) text: String,
    pub(super) topic: Option<Topic>,
    /// Lowers its rank: elaborations come after statements.
    pub(super) penalty: u16,
}

impl Fact {
    /// Makes a fact that has no short form.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { lead: text.clone(), text, topic: None, penalty: 0 }
    }

    /// Creates a fact that can be told by its label alone.
    pub(super) fn labelled(label: impl Into<String>, text: &str) -> Self {
        let lead = label.into();
        let text = if text.is_empty() { lead.clone() } else { format!("{lead}: {text}") };
        Self { lead, text, topic: None, penalty: 0 }
    }

    pub(super) fn of(mut self, topic: Option<Topic>) -> Self {
        self.topic = topic;
        self
    }

    pub(super) fn with_penalty(mut self, by: u16) -> Self {
        self.penalty += by;
        self
    }
}

impl Node {
    /// Goes through the node and all below it, in the order of the text.
    pub(super) fn visit<'n>(&'n self, depth: usize, visitor: &mut dyn FnMut(&'n Node, usize)) {
        visitor(self, depth);
        for child in &self.children {
            child.visit(depth + 1, visitor);
        }
    }
}
