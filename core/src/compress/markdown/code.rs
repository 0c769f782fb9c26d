//! What a block of code says without being read: data has facts, a directory tree has names, a program has definitions.

use crate::compress::data;
use crate::compress::document::Fact;
use crate::compress::words;

/// Code matters less than words about it, and programs less than data.
const DATA: u16 = 7;
const CODE: u16 = 12;
/// What JSON in a document has for values is mostly made up.
const SAMPLE: u16 = 20;
/// A list is worth more than a value.
const SCALAR: u16 = 8;

/// Returns the facts of a block.
pub(super) fn facts(body: &str, language: &str) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut lines = body.lines().filter(|line| !line.trim().is_empty());
    if let (Some(line), None) = (lines.next(), lines.next())
        && line.len() <= 100
    {
        return vec![Fact::plain(line.trim())];
    }
    if body.contains("├─") || body.contains("└─") {
        tree_facts(body, &mut facts);
        return facts;
    }
    let penalty = if let Some(found) = data::value_facts(body) {
        facts = with_keys(found, SAMPLE);
        DATA
    } else if matches!(language, "yaml" | "yml" | "toml") {
        data_facts(body, &mut facts);
        facts = with_keys(facts, 0);
        DATA
    } else {
        definitions(body, &mut facts);
        CODE
    };
    facts.into_iter().map(|fact| fact.with_penalty(penalty)).collect()
}

/// Puts the keys of data before the data: a key alone says little, all of them say what it is.
fn with_keys(facts: Vec<Fact>, penalty: u16) -> Vec<Fact> {
    let keys: Vec<&str> = facts.iter().filter_map(|fact| Some(fact.text.split_once(": ")?.0)).collect();
    let mut all = Vec::new();
    if keys.len() > 1 {
        all.push(Fact::plain(words::clip(&keys.join(", "), 100)));
    }
    all.extend(facts.into_iter().map(|fact| Fact { lead: fact.text.clone(), ..fact }.with_penalty(penalty)));
    all
}

/// Returns what a file of a language ends with.
pub(super) fn ending(language: &str) -> &'static str {
    const ENDINGS: &[(&str, &str)] = &[
        ("json", "json"),
        ("yaml", "yaml"),
        ("bash", "sh"),
        ("sh", "sh"),
        ("rust", "rs"),
        ("python", "py"),
        ("javascript", "js"),
        ("typescript", "ts"),
    ];
    ENDINGS.iter().find(|(name, _)| *name == language).map_or("txt", |(_, ending)| ending)
}

/// Reads keys and values that stand below each other, as YAML and front matter have them: a key has what is below it.
pub(super) fn data_facts(body: &str, facts: &mut Vec<Fact>) {
    let mut open: Option<(String, Vec<String>)> = None;
    for line in body.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let item = line.strip_prefix("- ").map(str::trim);
        let pair = words::label(item.unwrap_or(line));
        match (item, pair) {
            (Some(item), _) if open.is_some() => {
                if let Some((_, values)) = &mut open {
                    values.push(unquoted(item));
                }
            }
            (_, Some((key, ""))) => {
                close(&mut open, facts);
                open = Some((key.to_owned(), Vec::new()));
            }
            (_, Some((key, value))) => {
                close(&mut open, facts);
                let fact = Fact::labelled(key, &words::brief(&unquoted(value))).of(words::topic_of_label(key));
                facts.push(fact.with_penalty(SCALAR));
            }
            (Some(item), None) => facts.push(Fact::plain(words::brief(&unquoted(item)))),
            (None, None) => {}
        }
    }
    close(&mut open, facts);
}

fn close(open: &mut Option<(String, Vec<String>)>, facts: &mut Vec<Fact>) {
    if let Some((key, values)) = open.take().filter(|(_, values)| !values.is_empty()) {
        facts.push(Fact::labelled(key.as_str(), &words::brief(&values.join(", "))).of(words::topic_of_label(&key)));
    }
}

fn unquoted(value: &str) -> String {
    words::plain(value.trim_matches(['"', '\'']))
}

/// Reads a drawn directory tree: names, and what is said of them.
fn tree_facts(body: &str, facts: &mut Vec<Fact>) {
    for line in body.lines() {
        let name = line.trim_start_matches(|c: char| c.is_whitespace() || "│├└─|`+-".contains(c));
        let (name, comment) = name.split_once('#').unwrap_or((name, ""));
        let name = name.trim();
        if name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.') && name != "..." {
            facts.push(Fact::labelled(words::clip(name, 60), comment.trim()));
        }
    }
    // Where some names are explained, the others are examples.
    if facts.iter().any(|fact| fact.lead != fact.text) {
        let mut root = true;
        facts.retain(|fact| std::mem::take(&mut root) || fact.lead != fact.text);
    }
}

/// Finds what a program defines.
fn definitions(body: &str, facts: &mut Vec<Fact>) {
    const WORDS: &[&str] = &["function ", "fn ", "def ", "class ", "struct ", "enum ", "trait ", "interface "];
    const BEFORE: &[&str] = &["pub ", "export ", "async ", "default ", "public ", "static "];
    for line in body.lines() {
        let mut rest = line;
        while let Some(after) = words::strip_any(rest, BEFORE) {
            rest = after;
        }
        let Some(after) = words::strip_any(rest, WORDS) else { continue };
        let length = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
        let fact = Fact::plain(&after[..length]);
        if length > 0 && !facts.contains(&fact) {
            facts.push(fact);
        }
    }
}
