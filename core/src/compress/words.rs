//! Words and sentences: what a heading or a label announces, what is only thinking aloud, and how to be brief.

use super::document::Topic;

/// Longer facts are cut: who needs the rest expands the reference.
const LONGEST: usize = 220;

/// How people begin when they think aloud.
const THINKING_ALOUD: &[&str] = &[
    "i think",
    "i believe",
    "i guess",
    "i wonder",
    "i'll",
    "i will",
    "i need to",
    "i should",
    "i can see",
    "i see",
    "i'm going",
    "i am going",
    "i'm not sure",
    "i could",
    "i want to",
    "i started",
    "i looked",
    "i tried",
    "i was",
    "let me",
    "let's",
    "lets see",
    "hmm",
    "ok,",
    "okay",
    "wait",
    "maybe",
    "perhaps",
    "actually",
    "so,",
    "well,",
    "now,",
    "now i",
    "now let",
    "first, i",
    "first i",
    "then i",
    "it seems",
    "it looks like",
    "looking at",
    "thinking",
    "my first thought",
    "on second thought",
    "alternatively",
    "in other words",
    "to be honest",
    "as you can see",
    "as mentioned",
    "note to self",
    "one could",
    "of course",
    "interesting",
    "great",
    "alright",
    "good,",
    "at first",
];

/// Returns whether a sentence is thinking aloud, which nobody needs afterwards.
pub(super) fn is_thinking_aloud(sentence: &str) -> bool {
    let head: String =
        sentence.chars().take(40).map(|c| if c == '’' { '\'' } else { c.to_ascii_lowercase() }).collect();
    let follows = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    THINKING_ALOUD
        .iter()
        .any(|start| head.strip_prefix(start).is_some_and(|rest| start.ends_with(',') || follows(rest)))
}

/// Describes what a heading announces.
pub(super) fn topic_of(heading: &str) -> Option<Topic> {
    let words = normal(heading);
    match words.split_once(' ') {
        Some((_, "decisions")) => Some(Topic::Decision),
        Some((_, "findings")) => Some(Topic::Finding),
        _ => topic_named(&words),
    }
}

/// Describes what a label announces: it must say so outright, because lists label all kinds of things.
pub(super) fn topic_of_label(label: &str) -> Option<Topic> {
    topic_named(&normal(label))
}

/// Leaves the words that say what a heading is about.
fn normal(heading: &str) -> String {
    let words = lower_words(heading);
    words.split(' ').filter(|word| !is_filler(word)).collect::<Vec<_>>().join(" ")
}

/// What headings announce, as they are spelled without filler.
const TOPICS: &[(Topic, &[&str])] = &[
    (Topic::Objective, &["objective", "objectives", "goal", "goals", "aim", "mission", "task", "task description"]),
    (Topic::Objective, &["current task", "user request"]),
    (Topic::Summary, &["summary", "tldr", "tl dr", "abstract", "executive summary"]),
    (Topic::Decision, &["decision", "decisions", "decided", "decisions made", "resolution"]),
    (Topic::Finding, &["finding", "findings", "result", "results", "test results", "conclusion", "conclusions"]),
    (Topic::Finding, &["observations", "issues", "issues found", "known issues", "known issues blockers", "blockers"]),
    (Topic::Finding, &["risks", "root cause", "lessons learned"]),
    (Topic::Next, &["next", "next step", "next steps", "next action", "next actions", "todo", "todos", "to do"]),
    (Topic::Next, &["action items", "recommendation", "recommendations", "recommended actions"]),
];

fn topic_named(words: &str) -> Option<Topic> {
    if words.starts_with("next steps for") {
        return Some(Topic::Next);
    }
    TOPICS.iter().find(|(_, names)| names.contains(&words)).map(|(topic, _)| *topic)
}

/// Words that say nothing about what is below a heading: numbers and praise.
fn is_filler(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit()) || matches!(word, "key" | "main" | "the" | "our" | "important" | "open")
}

/// Returns whether a heading tells what the whole is for, if nothing says so outright.
pub(super) fn is_purpose(heading: &str) -> bool {
    let lower = heading.to_ascii_lowercase();
    ["purpose", "description", "overview", "introduction", "background", "about", "context"].contains(&lower.trim())
}

/// Describes how a section weighs: 0 what others must keep to, 1 most, 2 what illustrates.
pub(super) fn weight_of(heading: &str) -> u16 {
    const MUST: &[&str] = &[
        "rule",
        "protocol",
        "principle",
        "requirement",
        "standard",
        "practice",
        "constraint",
        "limit",
        "guarantee",
        "error handling",
        "types",
        "status",
        "state",
        "structure",
        "compression",
        "must",
    ];
    const SECONDARY: &[&str] = &[
        "example",
        "version",
        "changelog",
        "history",
        "related",
        "appendix",
        "license",
        "contents",
        "troubleshooting",
        "see also",
        "references",
        "reading",
        "not to use",
        "when to",
        "prerequisite",
        "expected output",
        "issue:",
        "writing",
        "creating",
        "updating",
        "rationale",
        "notes",
    ];
    let lower = heading.to_ascii_lowercase();
    if SECONDARY.iter().any(|word| lower.contains(word)) {
        2
    } else {
        u16::from(!MUST.iter().any(|word| lower.contains(word)))
    }
}

/// Describes what a sentence itself announces.
pub(super) fn topic_in(sentence: &str) -> Option<Topic> {
    const DECIDED: &[&str] = &["decided to", "decided that", "we chose", "agreed to", "agreed that", "settled on"];
    const FOUND: &[&str] = &["found that", "turned out that", "root cause", "discovered that", "the cause was"];
    let lower = sentence.to_ascii_lowercase();
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    if lower.starts_with("next,") || lower.starts_with("todo") || lower.contains("next step is") {
        Some(Topic::Next)
    } else if has(DECIDED) {
        Some(Topic::Decision)
    } else if has(FOUND) || lower.starts_with("found ") {
        Some(Topic::Finding)
    } else {
        None
    }
}

/// Splits a paragraph into sentences.
pub(super) fn sentences(paragraph: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    for (at, end) in paragraph.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | '。')) {
        let next = at + end.len_utf8();
        let (before, after) = (&paragraph[start..at], &paragraph[next..]);
        let starts = after.chars().find(|c| !c.is_whitespace()).is_none_or(|c| !c.is_ascii_lowercase());
        let breaks = end == '。' || after.starts_with(char::is_whitespace) || after.is_empty();
        // "e.g.", "i.e.", "1." and initials end no sentence.
        let is_short = || before.rsplit([' ', '(']).next().is_some_and(|word| word.contains('.') || word.len() < 2);
        if breaks && starts && (end != '.' || !is_short()) {
            found.push(paragraph[start..next].trim());
            start = next;
        }
    }
    found.push(paragraph[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Takes a label off the beginning of a line: `**Purpose**: …`, `Purpose: …`, `**Atomic** - …`.
pub(super) fn label(line: &str) -> Option<(&str, &str)> {
    for mark in ["**", "`", "__"] {
        let Some(rest) = line.strip_prefix(mark) else { continue };
        let (label, rest) = rest.split_once(mark)?;
        let rest = rest.trim_start();
        let after = strip_any(rest, &[":", "- ", "– ", "— ", "→"]);
        let whole = rest.is_empty() && mark != "`";
        let colon = label.ends_with(':');
        let label = label.trim_end_matches(':').trim();
        return (after.is_some() || whole || colon).then(|| (label, after.unwrap_or(rest).trim()));
    }
    let (label, rest) = line.split_once(':')?;
    let short = label.len() <= 48 && label.split_whitespace().count() <= 6;
    let starts = label.starts_with(|c: char| is_letter(c) || c == '/' || c == '_');
    let spaced = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let worded = !label.contains(['"', '{', '(', '.', ',', ';', '=']);
    (short && starts && spaced && worded).then(|| (label.trim(), rest.trim()))
}

/// Takes marks for emphasis, code and links away, and makes all blanks one.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['*', '`', '[', '_']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = strip_any(rest, &["**", "`", "__"]) {
            rest = after;
        } else if let Some((words, after)) = link(rest) {
            out.push_str(words);
            rest = after;
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    words.trim_matches('*').to_owned()
}

/// Reads `[words](address)`, looking no further than to the next bracket or blank that cannot be part of it.
fn link(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('[')?;
    let (words, after) = text.split_at(text.find(['[', ']'])?);
    let address = after.strip_prefix("](")?;
    let end = address.find(|c: char| matches!(c, ')' | '[') || c.is_whitespace())?;
    Some((words, address[end..].strip_prefix(')')?))
}

/// Cuts what is too long to be a point, between words.
pub(super) fn brief(text: &str) -> String {
    clip(text, LONGEST)
}

/// Cuts a text to about so many bytes, between words, and shows that it was cut.
pub(super) fn clip(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.trim_end_matches([':', ' ']).to_owned();
    }
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let cut = &text[..end];
    // A cut at a clause is best, if that does not lose half of it.
    let clause = cut.rfind(['.', ',', ';', ':', '(', '—']).filter(|at| *at > most / 2);
    let at = clause.or_else(|| cut.rfind(char::is_whitespace)).unwrap_or(end);
    format!("{}…", cut[..at].trim_end_matches(|c: char| !is_letter(c)))
}

/// Creates a name for a program to know something by.
pub(super) fn slug(text: &str) -> String {
    clip(&lower_words(text).replace(' ', "_"), 60).trim_end_matches('…').to_owned()
}

/// Returns the words of a text in small letters, one blank apart.
fn lower_words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for c in text.chars() {
        if is_letter(c) {
            words.push(c.to_ascii_lowercase());
        } else if !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
    }
    words.truncate(words.trim_end().len());
    words
}

/// Returns whether a character can be part of a word: outside ASCII, all can.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii()
}

/// Takes the first of some beginnings off a text.
pub(super) fn strip_any<'t>(text: &'t str, starts: &[&str]) -> Option<&'t str> {
    starts.iter().find_map(|start| text.strip_prefix(start))
}
