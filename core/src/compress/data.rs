//! Reads JSON, whole documents or one to a line, into sections; every section knows where its bytes are.

mod scan;

use std::ops::Range;

use self::scan::{Member, Shape};
use super::outline::{Fact, Node};
use super::words;

/// What lies deeper is looked up, not summed up.
const DEEPEST: usize = 4;
/// More scalars than that are counted, not listed.
const LISTED: usize = 12;

/// What a record is known by, the best first.
const NAMES: &[&str] = &[
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
const GRADES: &[&str] = &["severity", "priority", "status", "type"];
const PLACES: &[&str] = &["location", "by", "from", "file", "path"];

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

/// Gives the facts of a piece of JSON, section names included.
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
    if scan::shape(text, &range) == Shape::List {
        return records(node, text, members.into_iter().map(|member| member.value).collect());
    }
    for Member { key, value } in members {
        let name = spaced(&key);
        let topic = words::topic_of(&name);
        match scan::shape(text, &value) {
            Shape::Scalar => {
                let said = scan::said(text, &value);
                let said = words::brief(&words::plain(&said));
                let is_number = !said.contains(|c: char| c.is_ascii_alphabetic());
                match topic {
                    _ if said.is_empty() || said == "null" => {}
                    Some(_) if !is_number => node.facts.push(Fact::plain(said).of(topic)),
                    _ => node.facts.push(scalar(key, &said)),
                }
            }
            Shape::List if scan::is_flat(text, &value) => flat_list(node, text, &name, &value),
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
fn scalar(key: String, said: &str) -> Fact {
    let is_stamp = key.ends_with("_at") || key.ends_with("At") || key.ends_with("id") || key.ends_with("Id");
    let mut fact = Fact::labelled(key, said);
    if said.len() <= 40 {
        fact.lead.clone_from(&fact.text);
    }
    fact.fainter(if is_stamp || is_time(said) { 6 } else { 0 })
}

/// Says whether a value is a time, which matters less than what happened then.
fn is_time(said: &str) -> bool {
    said.len() >= 19 && said.is_char_boundary(19) && crate::model::Timestamp::parse(said).is_some()
}

/// Takes a list of scalars: a fact each if it matters who they are, and otherwise one.
fn flat_list(node: &mut Node, text: &str, name: &str, list: &Range<usize>) {
    let members = scan::members(text, list.clone());
    let said = |member: &Member| words::brief(&words::plain(&scan::said(text, &member.value)));
    let topic = words::topic_of(name);
    if members.is_empty() {
    } else if topic.is_some() {
        node.facts.extend(members.iter().map(|member| Fact::plain(said(member)).of(topic)));
    } else if members.len() <= LISTED {
        let all: Vec<String> = members.iter().map(said).collect();
        node.facts.push(Fact::labelled(name, &words::brief(&all.join(", "))));
    } else {
        let heading = format!("{name} ({} values)", members.len());
        let facts = members.iter().take(LISTED).map(|member| Fact::plain(said(member)).fainter(10)).collect();
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
        let faint = if number < LISTED || number >= last { 0 } else { 20 };
        node.facts.push(record(text, &value).fainter(faint));
    }
}

/// Tells a record by its name, its grade and its place.
fn record(text: &str, value: &Range<usize>) -> Fact {
    if scan::shape(text, value) != Shape::Object {
        return Fact::plain(words::brief(&words::plain(&scan::said(text, value))));
    }
    let members = scan::members(text, value.clone());
    let scalar = |members: &[Member], key: &&str| {
        let found = members.iter().find(|member| member.key == *key);
        let value = found.map(|member| member.value.clone()).filter(|value| scan::shape(text, value) == Shape::Scalar);
        value.map(|value| words::plain(&scan::said(text, &value))).filter(|said| !said.is_empty() && said != "null")
    };
    let first = |members: &[Member], keys: &[&str]| keys.iter().find_map(|key| scalar(members, key));
    let inner = || {
        let data = members.iter().find(|member| matches!(member.key.as_str(), "data" | "payload" | "value"))?;
        first(&scan::members(text, data.value.clone()), NAMES)
    };
    let Some(name) = first(&members, NAMES).or_else(inner) else {
        let pairs = members.iter().map(|member| format!("{} {}", member.key, scan::said(text, &member.value)));
        return Fact::plain(words::brief(&words::plain(&pairs.collect::<Vec<_>>().join(", "))));
    };
    let grade = first(&members, GRADES).map(|grade| format!("[{grade}] ")).unwrap_or_default();
    let place = first(&members, PLACES).filter(|place| *place != name);
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
