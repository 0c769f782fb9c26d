//! Sorts what an outline holds by what it is for: summary, objective, decisions, findings, what comes next, and the rest.

use super::document::{Fact, Node, Topic};
use super::words;

/// The lists of a compressed text, in the order in which they are shown.
pub(super) const LISTS: [Topic; 3] = [Topic::Decision, Topic::Finding, Topic::Next];

/// The parts of a text that can be selected.
#[derive(Debug, Default)]
pub(super) struct Outline<'n> {
    pub(super) summary: String,
    pub(super) objective: String,
    /// What belongs to each of [`LISTS`].
    pub(super) lists: [Vec<String>; 3],
    /// The sections, in the order of the text.
    pub(super) sections: Vec<Section<'n>>,
}

/// A section and those of its facts that belong nowhere else.
#[derive(Debug)]
pub(super) struct Section<'n> {
    pub(super) node: &'n Node,
    pub(super) parent: Option<usize>,
    pub(super) depth: usize,
    /// 0 what must be kept to, 1 most, 2 what illustrates.
    pub(super) weight: u16,
    pub(super) facts: Vec<&'n Fact>,
}

/// Sorts an outline.
pub(super) fn build<'n>(root: &'n Node, kind: &str) -> Outline<'n> {
    // A heading above all others is the title.
    let (title, top) = match root.children.as_slice() {
        [only] if !only.is_bulk && only.ending == "md" => (only.heading.as_str(), only),
        _ => (root.heading.as_str(), root),
    };
    let mut outline = Outline::default();
    let objective = objective(root, top);
    outline.objective = objective.map(|fact| unlabelled(fact).to_owned()).unwrap_or_default();
    let summary = summary(top);
    let mut builder = OutlineBuilder { outline, used: [objective, summary] };
    builder.add_section(top, None, 0, 1, None);
    let OutlineBuilder { mut outline, .. } = builder;
    outline.summary = match (title, summary) {
        ("", Some(fact)) => fact.text.clone(),
        (title, Some(fact)) => format!("{title}: {}", fact.text),
        ("", None) => untitled(&mut outline, kind),
        (title, None) => title.to_owned(),
    };
    outline
}

/// Finds what the whole is for: what says so outright, then what is called a purpose, then how the text begins.
fn objective<'n>(root: &'n Node, top: &'n Node) -> Option<&'n Fact> {
    let outright = first(top, &|node, _| words::topic_of(&node.heading) == Some(Topic::Objective), usize::MAX);
    let stated = first(top, &|_, fact| fact.topic == Some(Topic::Objective), usize::MAX);
    let purpose = || first(top, &|node, _| words::is_purpose(&node.heading), 2);
    let described = || root.facts.iter().chain(&top.facts).find(|fact| fact.lead == "description");
    let begins = || top.facts.iter().find(|fact| fact.penalty == 0 && fact.topic.is_none());
    let titled = !std::ptr::eq(root, top);
    outright.or(stated).or_else(purpose).or_else(described).or_else(|| if titled { begins() } else { None })
}

/// Finds what sums the whole up.
fn summary(top: &Node) -> Option<&Fact> {
    let stated = first(top, &|_, fact| fact.topic == Some(Topic::Summary), 3);
    let opens = |node: &Node, fact: &Fact| node.facts.first() == Some(fact) && fact.lead == fact.text;
    stated.or_else(|| {
        first(top, &|node, fact| words::topic_of(&node.heading) == Some(Topic::Summary) && opens(node, fact), 2)
    })
}

/// Finds the first statement that is wanted, not deeper than so far.
fn first<'n>(top: &'n Node, wanted: &dyn Fn(&Node, &Fact) -> bool, deepest: usize) -> Option<&'n Fact> {
    let mut found = None;
    top.visit(0, &mut |node, depth| {
        if found.is_none() && depth <= deepest {
            found = node.facts.iter().find(|fact| fact.penalty < 5 && wanted(node, fact));
        }
    });
    found
}

/// Returns what a fact says, when it is known what it is about.
fn unlabelled(fact: &Fact) -> &str {
    let rest = fact.text.strip_prefix(&fact.lead).and_then(|rest| rest.strip_prefix(": "));
    rest.unwrap_or(&fact.text)
}

/// Sums up a text that has no title by how it begins, or by what it is.
fn untitled(outline: &mut Outline<'_>, kind: &str) -> String {
    let opening = outline.sections.first_mut().filter(|section| section.depth == 0);
    if let Some(section) = opening.filter(|section| kind != "JSON" && !section.facts.is_empty()) {
        return section.facts.remove(0).text.clone();
    }
    let headings: Vec<&str> =
        outline.sections.iter().filter(|section| section.depth == 1).map(Section::heading).collect();
    if headings.is_empty() {
        return kind.to_owned();
    }
    words::clip(&format!("{kind}: {}", headings.join(", ")), 100)
}

struct OutlineBuilder<'n> {
    outline: Outline<'n>,
    /// Facts that have their place already.
    used: [Option<&'n Fact>; 2],
}

impl<'n> OutlineBuilder<'n> {
    fn add_section(&mut self, node: &'n Node, parent: Option<usize>, depth: usize, weight: u16, topic: Option<Topic>) {
        let topic = words::topic_of(&node.heading).filter(|topic| LISTS.contains(topic)).or(topic);
        let weight = if weight == 2 || depth == 0 { weight } else { words::weight_of(&node.heading) };
        let number = self.outline.sections.len();
        self.outline.sections.push(Section { node, parent, depth, weight, facts: Vec::new() });
        for fact in &node.facts {
            let is_blank = fact.text.starts_with('[') && fact.text.ends_with(']');
            if is_blank || self.used.iter().flatten().any(|used| std::ptr::eq(*used, fact)) {
                // A place that was left to be filled in, or a fact that has its place already.
                continue;
            }
            match LISTS.iter().position(|list| fact.topic.or(topic) == Some(*list)) {
                Some(list) => {
                    // Who says a thing twice mostly does so at once.
                    let list = &mut self.outline.lists[list];
                    if !list.iter().rev().take(50).any(|listed| *listed == fact.text) {
                        list.push(fact.text.clone());
                    }
                }
                None if fact.text == self.outline.objective => {}
                None => self.outline.sections[number].facts.push(fact),
            }
        }
        for child in &node.children {
            self.add_section(child, Some(number), depth + 1, weight, topic);
        }
        // A heading over facts that all went elsewhere says nothing any more.
        let section = &self.outline.sections[number];
        let spent = section.facts.is_empty() && !node.facts.is_empty() && self.outline.sections.len() == number + 1;
        if spent && depth > 0 && node.range.len() < 600 {
            self.outline.sections.pop();
        }
    }
}

impl Section<'_> {
    /// Returns the heading as it is shown.
    pub(super) fn heading(&self) -> &str {
        &self.node.heading
    }
}
