//! The Markdown of a shared context: a header, the content it was made with, and the updates that agents appended.
//!
//! The document belongs to its readers, who may edit it by hand: what is not understood stays as it is, byte for byte.

use crate::model::{AgentName, Context, ContextName, Timestamp};

const CREATED: &str = "**Created**:";
const LAST_UPDATED: &str = "**Last Updated**:";
const CONTRIBUTORS: &str = "**Contributors**:";
const UPDATE: &str = "## Update: ";

/// Writes a new document, as the protocol's own script does.
pub fn new_document(name: &ContextName, content: &str, at: Timestamp) -> String {
    format!(
        "# Shared Context: {name}\n\n\
         {CREATED} {at}\n\
         {LAST_UPDATED} {at}\n\
         {CONTRIBUTORS} []\n\n\
         ---\n\n\
         {content}\n\n\
         ---\n\n\
         ## Update History\n\
         - {at}: Initial creation\n"
    )
}

/// Appends an update, and brings the header up to date if there is one.
///
/// A line of the update that reads like the heading of another is escaped, as Markdown does it: every call makes one
/// update, and nobody's words pass for somebody else's.
pub fn appended(text: &str, agent: &AgentName, update: &str, at: Timestamp) -> String {
    let mut contributors = contributors(text);
    if !contributors.contains(agent) {
        contributors.push(agent.clone());
    }
    let (header, rest) = split_header(text);
    let header: String = header.split_inclusive('\n').map(|line| renewed(line, &contributors, at)).collect();
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
    let escape = |line| if heading(line).is_some() { "\\" } else { "" };
    let update: String = update.split_inclusive('\n').flat_map(|line| [escape(line), line]).collect();
    format!("{header}{rest}{end}{newline}{UPDATE}{at} by {agent}{newline}{update}{newline}")
}

/// Reads what a document says of itself. Any text is a document, at version one if it has no updates.
pub fn decode(name: &ContextName, text: &str) -> Context {
    let (header, _) = split_header(text);
    let stated =
        header.lines().filter_map(|line| line.strip_prefix(CREATED).or_else(|| line.strip_prefix(LAST_UPDATED)));
    let updates = text.lines().filter_map(heading);
    Context {
        name: name.clone(),
        text: text.to_owned(),
        version: 1 + updates.clone().count() as u64,
        updated_at: stated.filter_map(Timestamp::parse).chain(updates.map(|(at, _)| at)).max(),
        contributors: contributors(text),
    }
}

/// One version of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version<'t> {
    /// Who made it; nobody is told for the first.
    pub author: &'t str,
    /// When.
    pub at: Option<Timestamp>,
    /// What it added.
    pub text: &'t str,
}

/// Takes a document apart into its versions, the first first; together their texts, with the headings of updates between
/// them, are the document.
pub fn versions(text: &str) -> Vec<Version<'_>> {
    let created = split_header(text).0.lines().find_map(|line| line.strip_prefix(CREATED));
    let mut versions = vec![Version { author: "", at: created.and_then(Timestamp::parse), text: "" }];
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if let Some((made, author)) = heading(line) {
            versions.last_mut().into_iter().for_each(|last| last.text = &text[start..at]);
            versions.push(Version { author, at: Some(made), text: "" });
            start = at + line.len();
        }
        at += line.len();
    }
    versions.last_mut().into_iter().for_each(|last| last.text = &text[start..]);
    versions
}

/// Lists the header's contributors and the updates' authors in the order they first appear.
///
/// The protocol's script does not keep the header's list, so neither of the two is enough.
fn contributors(text: &str) -> Vec<AgentName> {
    let (header, _) = split_header(text);
    let listed = header.lines().filter_map(|line| line.strip_prefix(CONTRIBUTORS)).flat_map(listed);
    let authors = text.lines().filter_map(heading).map(|(_, author)| author);
    let mut names = Vec::new();
    for name in listed.chain(authors).filter_map(|name| AgentName::new(name).ok()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Splits a document before its first rule; without a rule there is no header.
fn split_header(text: &str) -> (&str, &str) {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return text.split_at(end);
        }
        end += line.len();
    }
    ("", text)
}

/// Takes the time and the author from the heading of an update.
fn heading(line: &str) -> Option<(Timestamp, &str)> {
    let (at, author) = line.strip_prefix(UPDATE)?.split_once(" by ")?;
    let author = author.trim();
    Some((Timestamp::parse(at)?, author)).filter(|_| !author.is_empty())
}

/// Takes the names from a list such as ` [a, b]`, also from one that has lost its brackets.
fn listed(value: &str) -> impl Iterator<Item = &str> {
    let value = value.trim();
    let value = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(value);
    value.split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// Brings one line of a header up to date, its ending kept.
fn renewed(line: &str, contributors: &[AgentName], at: Timestamp) -> String {
    let content = line.trim_end();
    let ending = &line[content.len()..];
    if content.starts_with(LAST_UPDATED) {
        return format!("{LAST_UPDATED} {at}{ending}");
    }
    let Some(value) = content.strip_prefix(CONTRIBUTORS) else { return line.to_owned() };
    let known: Vec<&str> = listed(value).collect();
    let missing = contributors.iter().map(AgentName::as_str).filter(|name| !known.contains(name));
    let all: Vec<&str> = known.iter().copied().chain(missing).collect();
    // A list that is complete keeps the form that somebody gave it.
    if all.len() == known.len() { line.to_owned() } else { format!("{CONTRIBUTORS} [{}]{ending}", all.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_made_of_its_versions() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let ann = AgentName::new("ann").unwrap();
        let first = new_document(&ContextName::new("api").unwrap(), "Begin", at("2025-01-23T10:00:00Z"));
        let second = appended(&first, &ann, "More\n## Update: not one", at("2025-01-23T11:00:00Z"));
        let found = versions(&second);
        assert_eq!(found.len() as u64, decode(&ContextName::new("api").unwrap(), &second).version);
        assert_eq!((found[0].author, found[0].at), ("", Some(at("2025-01-23T10:00:00Z"))));
        assert!(found[0].text.contains("Begin"));
        assert_eq!((found[1].author, found[1].text.trim()), ("ann", "More\n## Update: not one"));
        assert_eq!(versions("").len(), 1);
    }

    /// Written by the protocol's own script: fixtures/mailbox-by-spec-scripts.
    const FIXTURE: &str = "\
# Shared Context: api-contracts

**Created**: 2026-11-16T02:57:26Z
**Last Updated**: 2026-11-16T02:57:26Z
**Contributors**: []

---

# API Contract Definitions

### POST /auth/login
**Status**: Defined by architect-1

---

## Update History
- 2026-11-16T02:57:26Z: Initial creation
";
    const LATER: &str = "2026-11-16T03:00:00Z";

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn append(text: &str, agent: &str, update: &str) -> String {
        appended(text, &agent.parse().unwrap(), update, at(LATER))
    }

    /// Decodes, and gives version, time and contributors.
    fn facts(text: &str) -> (u64, String, String) {
        let context = decode(&"api-contracts".parse().unwrap(), text);
        assert_eq!(context.text, text);
        let names: Vec<_> = context.contributors.iter().map(AgentName::as_str).collect();
        (context.version, context.updated_at.map_or_else(String::new, |at| at.to_string()), names.join(" "))
    }

    fn check(text: &str, version: u64, updated_at: &str, contributors: &str) {
        assert_eq!(facts(text), (version, updated_at.to_owned(), contributors.to_owned()), "{text}");
    }

    #[test]
    fn a_new_document_is_the_one_that_the_script_writes() {
        let content = "# API Contract Definitions\n\n### POST /auth/login\n**Status**: Defined by architect-1";
        let made = new_document(&"api-contracts".parse().unwrap(), content, at("2026-11-16T02:57:26Z"));
        assert_eq!(made, FIXTURE);
        check(&made, 1, "2026-11-16T02:57:26Z", "");
    }

    #[test]
    fn an_update_is_appended_and_the_header_follows() {
        let once = append(FIXTURE, "builder-1", "**Implementation complete**\n- 2FA support");
        let header = FIXTURE
            .replace("**Last Updated**: 2026-11-16T02:57:26Z", "**Last Updated**: 2026-11-16T03:00:00Z")
            .replace("**Contributors**: []", "**Contributors**: [builder-1]");
        let update = "\n## Update: 2026-11-16T03:00:00Z by builder-1\n**Implementation complete**\n- 2FA support\n";
        assert_eq!(once, format!("{header}{update}"));
        check(&once, 2, LATER, "builder-1");

        let twice = append(&append(&once, "builder-1", "more"), "architect-1", "and more");
        assert!(twice.contains("\n**Contributors**: [builder-1, architect-1]\n"), "{twice}");
        check(&twice, 4, LATER, "builder-1 architect-1");
    }

    #[test]
    fn updates_that_the_script_made_are_seen_and_put_into_the_header() {
        // The script's sed never matches the header, so only the headings tell.
        let shell = format!("{FIXTURE}\n## Update: 2026-11-16T02:58:00Z by builder-2\nby shell\n\n");
        check(&shell, 2, "2026-11-16T02:58:00Z", "builder-2");
        let ours = append(&shell, "builder-1", "by huddle");
        assert!(ours.contains("\n**Contributors**: [builder-2, builder-1]\n"), "{ours}");
        check(&ours, 3, LATER, "builder-2 builder-1");
    }

    #[test]
    fn an_update_with_the_heading_of_another_in_it_is_still_one_update() {
        let update = "quoting:\n## Update: 2030-01-01T00:00:00Z by architect-1\n## Update: soon\n## Results by hand";
        let text = append(FIXTURE, "builder-1", update);
        let quoted =
            "quoting:\n\\## Update: 2030-01-01T00:00:00Z by architect-1\n## Update: soon\n## Results by hand\n";
        assert!(text.ends_with(quoted), "{text}");
        check(&text, 2, LATER, "builder-1");
    }

    #[test]
    fn only_the_header_is_touched() {
        let text = "# Mine\n**Last Updated**: long ago\n**Contributors**: x, [y]\nby hand\n---\n**Contributors**: []\n---\n**Last Updated**: never";
        let update = "## Update: 2026-11-16T03:00:00Z by builder-1\nhello\n";
        let header = "# Mine\n**Last Updated**: 2026-11-16T03:00:00Z\n**Contributors**: [x, [y], builder-1]\nby hand\n";
        let rest = "---\n**Contributors**: []\n---\n**Last Updated**: never\n\n";
        assert_eq!(append(text, "builder-1", "hello"), format!("{header}{rest}{update}"));

        for text in ["", "no header\n**Contributors**: []\n", "---\n**Contributors**: []\n---\n"] {
            assert_eq!(append(text, "builder-1", "hello"), format!("{text}\n{update}"));
        }
    }

    #[test]
    fn line_endings_are_kept() {
        let dos = FIXTURE.replace('\n', "\r\n");
        check(&dos, 1, "2026-11-16T02:57:26Z", "");
        let text = append(&dos, "builder-1", "hello");
        assert_eq!(text, append(FIXTURE, "builder-1", "hello").replace('\n', "\r\n"));
        check(&text, 2, LATER, "builder-1");
    }

    #[test]
    fn a_complete_list_of_contributors_keeps_its_form() {
        let text = "**Contributors**:   [ builder-1 ,architect-1]  \n---\n";
        assert!(append(text, "builder-1", "hello").starts_with(text));
    }

    #[test]
    fn any_text_is_a_document() {
        check("", 1, "", "");
        check("just words", 1, "", "");
        check("**Last Updated**: 2026-01-01T00:00:00Z\n", 1, "", "");
        check("**Created**: 2026-01-01T00:00:00Z\n**Last Updated**: soon\n---", 1, "2026-01-01T00:00:00Z", "");
        check("**Contributors**: [a, ../b, a, ALL, c]\n---\n", 1, "", "a c");
        // An author who cannot be an agent has still written something that others must not miss.
        check("## Update: 2026-01-01T00:00:00Z by ../x\n", 2, "2026-01-01T00:00:00Z", "");
        check(
            "## Update: 2026-01-01T00:00:00Z by \n## Update: now by a\n### Update: 2026-01-01T00:00:00Z by a",
            1,
            "",
            "",
        );
        check("## Update: 2026-01-01T01:00:00+01:00 by two by two\r\n", 2, "2026-01-01T00:00:00Z", "two by two");
    }
}
