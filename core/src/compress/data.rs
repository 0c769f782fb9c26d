//! Reads JSON, whole documents or one to a line, into sections; every section knows where its bytes are.

mod scan;

use std::ops::Range;

use self::scan::{JsonKind, JsonMember};
use super::document::{Fact, Node};
use super::words;

/// What lies deeper is looked up, not summed up.
const DEEPEST: usize = 4;
/// More scalars than that are counted, not listed.
const LISTED: usize = 12;

/// What a record is known by, the best first.
const NAME_KEYS: &[&str] = &[
    "title",
    "decision",
    "summary",
    "subject",
    "message",
    "finding",
    "action",
    "name",
    "description",
    "text",
    "content",
    "question",
    "path",
    "file",
    "id",
];
/// What is said of a record in a word before its name, and where it belongs after it.
const GRADE_KEYS: &[&str] = &["severity", "priority", "status", "type"];
const LOCATION_KEYS: &[&str] = &["location", "by", "from", "file", "path"];

/// Reads a text if it is JSON.
pub(super) fn read(text: &str) -> Option<Node> {
    let mut root = Node { range: 0..text.len(), ending: "json", ..Node::default() };
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    if scan::is_json(text) {
        fill(&mut root, text, scan::trimmed(text, 0..text.len()), 0);
        return Some(root);
    }
    let lines = json_lines(text)?;
    root.ending = "jsonl";
    records(&mut root, text, lines);
    Some(root)
}

/// Returns the facts of a piece of JSON, section names included.
pub(super) fn value_facts(text: &str) -> Option<Vec<Fact>> {
    let root = read(text)?;
    let mut facts = root.facts;
    facts.extend(root.children.iter().map(|child| {
        let below = child.children.iter().map(|child| child.heading.as_str());
        let names: Vec<&str> = child.facts.iter().map(|fact| fact.lead.as_str()).chain(below).collect();
        Fact::labelled(child.heading.as_str(), &words::brief(&names.join(", ")))
    }));
    Some(facts)
}

/// Finds the documents of a text that has one on each line.
fn json_lines(text: &str) -> Option<Vec<Range<usize>>> {
    let (mut found, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let range = scan::trimmed(text, at..at + line.len());
        at += line.len();
        if range.is_empty() {
            continue;
        }
        if !scan::is_json(&text[range.clone()]) {
            return None;
        }
        found.push(range);
    }
    (found.len() > 1).then_some(found)
}

/// Fills a section with what an object or a list has.
fn fill(node: &mut Node, text: &str, range: Range<usize>, depth: usize) {
    let members = scan::members(text, range.clone());
    if scan::kind(text, &range) == JsonKind::List {
        return records(node, text, members.into_iter().map(|member| member.value).collect());
    }
    for JsonMember { key, value } in members {
        let name = spaced(&key);
        let topic = words::topic_of(&name);
        match scan::kind(text, &value) {
            JsonKind::Scalar => {
                let shown = scan::display_value(text, &value);
                let shown = words::brief(&words::plain(&shown));
                let is_number = !shown.contains(|c: char| c.is_ascii_alphabetic());
                match topic {
                    _ if shown.is_empty() || shown == "null" => {}
                    Some(_) if !is_number => node.facts.push(Fact::plain(shown).of(topic)),
                    _ => node.facts.push(scalar(key, &shown)),
                }
            }
            JsonKind::List if scan::is_flat(text, &value) => flat_list(node, text, &name, &value),
            _ if depth < DEEPEST => {
                let mut child = Node { heading: name, range: value.clone(), ending: "json", ..Node::default() };
                fill(&mut child, text, value, depth + 1);
                node.children.push(child);
            }
            _ => node.facts.push(Fact::plain(name)),
        }
    }
}

/// Takes a value: a short one is told with its key.
fn scalar(key: String, shown: &str) -> Fact {
    let is_stamp = key.ends_with("_at") || key.ends_with("At") || key.ends_with("id") || key.ends_with("Id");
    let mut fact = Fact::labelled(key, shown);
    if shown.len() <= 40 {
        fact.lead.clone_from(&fact.text);
    }
    fact.with_penalty(if is_stamp || is_time(shown) { 6 } else { 0 })
}

/// Returns whether a value is a time, which matters less than what happened then.
fn is_time(shown: &str) -> bool {
    shown.len() >= 19 && shown.is_char_boundary(19) && crate::model::Timestamp::parse(shown).is_some()
}

/// Takes a list of scalars: a fact each if it matters who they are, and otherwise one.
fn flat_list(node: &mut Node, text: &str, name: &str, list: &Range<usize>) {
    let members = scan::members(text, list.clone());
    let shown = |member: &JsonMember| words::brief(&words::plain(&scan::display_value(text, &member.value)));
    let topic = words::topic_of(name);
    if members.is_empty() {
    } else if topic.is_some() {
        node.facts.extend(members.iter().map(|member| Fact::plain(shown(member)).of(topic)));
    } else if members.len() <= LISTED {
        let all: Vec<String> = members.iter().map(shown).collect();
        node.facts.push(Fact::labelled(name, &words::brief(&all.join(", "))));
    } else {
        let heading = format!("{name} ({} values)", members.len());
        let facts = members.iter().take(LISTED).map(|member| Fact::plain(shown(member)).with_penalty(10)).collect();
        let (range, ending, is_bulk) = (list.clone(), "json", true);
        node.children.push(Node { heading, range, ending, is_bulk, facts, ..Node::default() });
    }
}

/// Takes a list: a fact for each record.
fn records(node: &mut Node, text: &str, values: Vec<Range<usize>>) {
    let count = format!("{} records", values.len());
    if node.heading.is_empty() {
        node.heading = count;
    } else if values.len() > LISTED {
        node.heading = format!("{} ({count})", node.heading);
    }
    let last = values.len().saturating_sub(3);
    for (number, value) in values.into_iter().enumerate() {
        // Of many, the first and the last say most.
        let penalty = if number < LISTED || number >= last { 0 } else { 20 };
        node.facts.push(record(text, &value).with_penalty(penalty));
    }
}

/// Tells a record by its name, its grade and its place.
fn record(text: &str, value: &Range<usize>) -> Fact {
    if scan::kind(text, value) != JsonKind::Object {
        return Fact::plain(words::brief(&words::plain(&scan::display_value(text, value))));
    }
    let members = scan::members(text, value.clone());
    let scalar = |members: &[JsonMember], key: &&str| {
        let found = members.iter().find(|member| member.key == *key);
        let value =
            found.map(|member| member.value.clone()).filter(|value| scan::kind(text, value) == JsonKind::Scalar);
        value
            .map(|value| words::plain(&scan::display_value(text, &value)))
            .filter(|shown| !shown.is_empty() && shown != "null")
    };
    let first = |members: &[JsonMember], keys: &[&str]| keys.iter().find_map(|key| scalar(members, key));
    let inner = || {
        let data = members.iter().find(|member| matches!(member.key.as_str(), "data" | "payload" | "value"))?;
        first(&scan::members(text, data.value.clone()), NAME_KEYS)
    };
    let Some(name) = first(&members, NAME_KEYS).or_else(inner) else {
        let pairs = members.iter().map(|member| format!("{} {}", member.key, scan::display_value(text, &member.value)));
        return Fact::plain(words::brief(&words::plain(&pairs.collect::<Vec<_>>().join(", "))));
    };
    let grade = first(&members, GRADE_KEYS).map(|grade| format!("[{grade}] ")).unwrap_or_default();
    let place = first(&members, LOCATION_KEYS).filter(|place| *place != name);
    let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
    let lead = words::brief(&name);
    Fact { text: format!("{grade}{lead}{place}"), lead, ..Fact::default() }
}

/// Writes a key as words: `keyDecisions` and `key_decisions` are "key decisions".
fn spaced(key: &str) -> String {
    let mut words = String::with_capacity(key.len() + 4);
    let mut low = false;
    for c in key.chars() {
        if c.is_ascii_uppercase() && low {
            words.push(' ');
            words.push(c.to_ascii_lowercase());
        } else {
            words.push(if c == '_' { ' ' } else { c });
        }
        low = c.is_ascii_lowercase();
    }
    words
}
