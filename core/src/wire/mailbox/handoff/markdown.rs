//! The Markdown documents of a handoff package.

use super::directory;
use crate::model::{Artifact, Context, Handoff, HandoffId, HandoffStatus};
use crate::wire::mailbox::layout;

/// What the protocol asks of a receiver unless the giver asks for something else.
const CRITERIA: [&str; 4] = [
    "All tests passing",
    "Code reviewed and understood",
    "Integration points verified",
    "Ready to continue implementation",
];
const TASK_HEADING: &str = "## Task Description";
const CRITERIA_HEADING: &str = "## Acceptance Criteria";
/// What stands where there is nothing to say.
const NONE: &str = "None.";

/// What the giver tells the receiver, beyond the structured part.
#[derive(Debug, Clone, Copy, Default)]
pub struct Briefing<'a> {
    /// What has been done.
    pub done: &'a str,
    /// What one has to know.
    pub context: &'a str,
    /// What comes next; if empty, what the protocol advises.
    pub next: &'a [String],
    /// What is in the way.
    pub issues: &'a [String],
    /// What is not clear.
    pub questions: &'a [String],
    /// When the handoff may be accepted; if empty, as the protocol has it.
    pub criteria: &'a [String],
}

/// Writes `HANDOFF.md`.
pub fn document(handoff: &Handoff, briefing: &Briefing<'_>) -> String {
    let Handoff { id, from, to, task, .. } = handoff;
    let created = handoff.created_at.map_or_else(String::new, |at| at.to_string());
    let artifacts: Vec<String> = handoff.artifacts.iter().map(artifact_line).collect();
    format!(
        "# Handoff: {from} → {to}\n\n\
         **Handoff ID**: {id}\n\
         **Created**: {created}\n\
         **From**: {from}\n\
         **To**: {to}\n\n\
         {TASK_HEADING}\n{}\n\n\
         ## Work Completed\n{}\n\n\
         ## Artifacts Transferred\n{}\n\n\
         ## Context and Background\n{}\n\n\
         ## Next Steps for Receiving Agent\n{}\n\n\
         ## Known Issues / Blockers\n{}\n\n\
         ## Questions / Clarifications\n{}\n\n\
         {CRITERIA_HEADING}\n{}\n",
        prose(task),
        prose(briefing.done),
        list(&artifacts, |_| "- ".to_owned()),
        prose(briefing.context),
        next_steps(id, briefing.next),
        list(briefing.issues, |_| "- ".to_owned()),
        list(briefing.questions, |_| "- ".to_owned()),
        criteria_list(briefing.criteria),
    )
}

/// Reads the task from a `HANDOFF.md`: the protocol's script writes it nowhere else.
pub fn task_in(document: &str) -> String {
    section(document, TASK_HEADING).unwrap_or_default().to_owned()
}

/// Appends the decision that a handoff carries to its `HANDOFF.md`; a pending handoff leaves it as it is.
pub fn with_decision(document: &str, handoff: &Handoff) -> String {
    let (word, title, checklist, decision) = match &handoff.status {
        HandoffStatus::Pending => return document.to_owned(),
        HandoffStatus::Accepted(decision) => ("Accepted", "Acceptance Notes", accepted_checklist(document), decision),
        HandoffStatus::Declined(decision) => ("Declined", "Decline Reason", String::new(), decision),
    };
    let end = if document.is_empty() || document.ends_with('\n') { "" } else { "\n" };
    let at = decision.at.map_or_else(String::new, |at| at.to_string());
    format!(
        "{document}{end}\n---\n\n\
         ## Handoff {word}\n\n\
         **{word} by**: {}\n\
         **{word} at**: {at}\n\n\
         ### {title}\n{}\n{checklist}",
        decision.by,
        prose(&decision.notes),
    )
}

/// Writes `context-links.md`: which shared contexts there are, and how far they had come.
pub fn context_links(handoff: &Handoff, contexts: &[Context]) -> String {
    let line = |context: &Context| {
        let updated = context.updated_at.map_or_else(String::new, |at| format!(", updated {at}"));
        let Context { name, version, .. } = context;
        format!("{name}: `{}/{}` (version {version}{updated})", layout::ROOT, layout::context(name))
    };
    let lines: Vec<String> = contexts.iter().map(line).collect();
    let created = handoff.created_at.map_or_else(String::new, |at| format!(" as of {at}"));
    format!(
        "# Context Links: {}\n\nShared context documents{created}:\n\n{}\n",
        handoff.id,
        list(&lines, |_| "- ".to_owned()),
    )
}

/// Writes `acceptance-checklist.md`.
pub fn checklist(handoff: &Handoff, criteria: &[String]) -> String {
    let Handoff { id, from, to, task, .. } = handoff;
    format!(
        "# Acceptance Checklist: {id}\n\n\
         **From**: {from}\n\
         **To**: {to}\n\n\
         {TASK_HEADING}\n{}\n\n\
         {CRITERIA_HEADING}\n{}\n",
        prose(task),
        criteria_list(criteria),
    )
}

fn prose(text: &str) -> &str {
    if text.trim().is_empty() { NONE } else { text.trim_end() }
}

/// Writes a list, each item after its mark and its further lines under the first.
fn list(items: &[String], mark: impl Fn(usize) -> String) -> String {
    if items.is_empty() {
        return NONE.to_owned();
    }
    let lines = items.iter().enumerate().map(|(index, item)| {
        let mark = mark(index);
        let indent = format!("\n{}", " ".repeat(mark.len()));
        format!("{mark}{}", item.trim().replace('\n', &indent))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Tells the path that was given, and the name of the copy where it is another.
fn artifact_line(artifact: &Artifact) -> String {
    let Artifact { source, stored } = artifact;
    let plain = source.rsplit(['/', '\\']).next() == Some(stored.as_str());
    if plain { source.clone() } else { format!("{source} (as `artifacts/{stored}`)") }
}

fn next_steps(id: &HandoffId, steps: &[String]) -> String {
    let numbered = |index: usize| format!("{}. ", index + 1);
    if !steps.is_empty() {
        return list(steps, numbered);
    }
    let advice = [
        format!("Review artifacts in `{}/artifacts/`", directory(id)),
        "Read shared context documents".to_owned(),
        "Run tests to verify functionality".to_owned(),
        "Continue implementation from this point".to_owned(),
    ];
    list(&advice, numbered)
}

fn criteria_list(criteria: &[String]) -> String {
    // A check box belongs to the text of its item, so further lines go under the box.
    let boxed = |criterion: &str| format!("[ ] {criterion}");
    let own = criteria.iter().map(|criterion| boxed(criterion.trim()));
    let items: Vec<String> = if criteria.is_empty() { CRITERIA.map(boxed).into() } else { own.collect() };
    list(&items, |_| "- ".to_owned())
}

/// Ticks off the criteria that the document lists, or the protocol's if it has none.
fn accepted_checklist(document: &str) -> String {
    // The last such heading: a task or its background may bring one of its own.
    let start = document.rfind(CRITERIA_HEADING).unwrap_or(document.len());
    let listed = section(&document[start..], CRITERIA_HEADING).filter(|criteria| criteria.contains("- [ ] "));
    let criteria = listed.map_or_else(|| criteria_list(&[]), str::to_owned);
    format!("\n### Acceptance Checklist\n{}\n", criteria.replace("- [ ] ", "- [x] "))
}

/// Takes the text between a heading and the next of its rank.
fn section<'a>(document: &'a str, heading: &str) -> Option<&'a str> {
    let mut at = 0;
    let mut start = None;
    for line in document.split_inclusive('\n') {
        let ends = line.starts_with("## ") || line.trim_end() == "---";
        match start {
            Some(start) if ends => return Some(document[start..at].trim()),
            None if line.trim_end() == heading => start = Some(at + line.len()),
            _ => {}
        }
        at += line.len();
    }
    start.map(|start| document[start..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::handoff::Decision;
    use crate::model::{JsonMap, Timestamp};

    /// Written by the protocol's own script: fixtures/mailbox-by-spec-scripts.
    const FIXTURE: &str = "\
# Handoff: architect-1builder-1

**Handoff ID**: handoff_20261116_025726
**Created**: 2026-11-16T02:57:26Z
**From**: architect-1
**To**: builder-1

## Task Description
Implement JWT service based on design

## Work Completed
[Summary of completed work]

## Artifacts Transferred
- jwt-design.md

## Context and Background
Design is complete.

## Next Steps for Receiving Agent
1. Review artifacts in `.agent-messages/handoffs/handoff_20261116_025726/artifacts/`
2. Read shared context documents
3. Run tests to verify functionality
4. Continue implementation from this point

## Known Issues / Blockers
[Any issues or blockers to be aware of]

## Questions / Clarifications
[Areas needing clarification]

## Acceptance Criteria
- [ ] All tests passing
- [ ] Code reviewed and understood
- [ ] Integration points verified
- [ ] Ready to continue implementation
";

    fn handoff() -> Handoff {
        Handoff {
            id: "handoff_20261116_025726".parse().unwrap(),
            from: "architect-1".parse().unwrap(),
            to: "builder-1".parse().unwrap(),
            task: "Implement JWT service based on design".to_owned(),
            created_at: Timestamp::parse("2026-11-16T02:57:26Z"),
            status: HandoffStatus::Pending,
            artifacts: vec![Artifact { source: "jwt-design.md".to_owned(), stored: "jwt-design.md".to_owned() }],
            extra: JsonMap::new(),
        }
    }

    fn decision(notes: &str) -> Decision {
        let at = Timestamp::parse("2026-11-16T03:00:00Z");
        Decision { by: "builder-1".parse().unwrap(), at, notes: notes.to_owned() }
    }

    #[test]
    fn a_document_is_the_one_that_the_script_writes_without_its_gaps() {
        let briefing = Briefing { context: "Design is complete.", ..Briefing::default() };
        let expected = FIXTURE
            .replace("architect-1builder-1", "architect-1 → builder-1")
            .replace("[Summary of completed work]", "None.")
            .replace("[Any issues or blockers to be aware of]", "None.")
            .replace("[Areas needing clarification]", "None.");
        assert_eq!(document(&handoff(), &briefing), expected);
    }

    #[test]
    fn a_briefing_takes_the_place_of_the_defaults() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let (next, issues) = (words(&["Write it\nin Rust", "Test it"]), words(&["no keys"]));
        let (questions, criteria) = (words(&["which port?", "which host?"]), words(&["it runs"]));
        let briefing = Briefing {
            done: "The design.\n",
            context: "",
            next: &next,
            issues: &issues,
            questions: &questions,
            criteria: &criteria,
        };
        let mut handoff = handoff();
        handoff.artifacts.push(Artifact { source: "b/jwt-design.md".to_owned(), stored: "jwt-design-2.md".to_owned() });
        let text = document(&handoff, &briefing);
        for part in [
            "## Work Completed\nThe design.\n\n",
            "\n- jwt-design.md\n- b/jwt-design.md (as `artifacts/jwt-design-2.md`)\n\n",
            "## Context and Background\nNone.\n\n",
            "Agent\n1. Write it\n   in Rust\n2. Test it\n\n",
            "Blockers\n- no keys\n\n",
            "Clarifications\n- which port?\n- which host?\n\n",
            "Criteria\n- [ ] it runs\n",
        ] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
    }

    #[test]
    fn acceptance_is_appended_as_the_script_does() {
        let mut handoff = handoff();
        assert_eq!(with_decision(FIXTURE, &handoff), FIXTURE);
        handoff.status = HandoffStatus::Accepted(decision("Design reviewed."));
        let block = "
---

## Handoff Accepted

**Accepted by**: builder-1
**Accepted at**: 2026-11-16T03:00:00Z

### Acceptance Notes
Design reviewed.

### Acceptance Checklist
- [x] All tests passing
- [x] Code reviewed and understood
- [x] Integration points verified
- [x] Ready to continue implementation
";
        assert_eq!(with_decision(FIXTURE, &handoff), format!("{FIXTURE}{block}"));
        assert_eq!(with_decision("by hand", &handoff), format!("by hand\n{block}"));
    }

    #[test]
    fn a_refusal_is_appended_too() {
        let handoff = Handoff { status: HandoffStatus::Declined(decision("")), ..handoff() };
        let block = "
---

## Handoff Declined

**Declined by**: builder-1
**Declined at**: 2026-11-16T03:00:00Z

### Decline Reason
None.
";
        assert_eq!(with_decision(FIXTURE, &handoff), format!("{FIXTURE}{block}"));
    }

    #[test]
    fn the_criteria_that_were_set_are_the_ones_ticked_off() {
        let criteria = ["it runs\nanywhere".to_owned(), "it is fast".to_owned()];
        let mut handoff = handoff();
        handoff.task = "Do it.\n\n## Acceptance Criteria\n- [ ] not this one".to_owned();
        let text = document(&handoff, &Briefing { criteria: &criteria, ..Briefing::default() });
        handoff.status = HandoffStatus::Accepted(decision("ok"));
        let ticked = "### Acceptance Checklist\n- [x] it runs\n  anywhere\n- [x] it is fast\n";
        assert!(with_decision(&text, &handoff).ends_with(ticked));
    }

    #[test]
    fn the_task_is_found_in_the_document() {
        assert_eq!(task_in(FIXTURE), "Implement JWT service based on design");
        assert_eq!(task_in("## Task Description\r\na\r\nb\r\n\r\n## Next\r\n"), "a\r\nb");
        assert_eq!(task_in("## Task Description"), "");
        assert_eq!(task_in("no such heading"), "");
    }

    #[test]
    fn links_tell_where_shared_contexts_are() {
        let made = Timestamp::parse("2026-11-16T02:00:00Z");
        let context = Context {
            name: "api-contracts".parse().unwrap(),
            text: String::new(),
            version: 3,
            updated_at: made,
            contributors: Vec::new(),
        };
        let head =
            "# Context Links: handoff_20261116_025726\n\nShared context documents as of 2026-11-16T02:57:26Z:\n\n";
        let line = "- api-contracts: `.agent-messages/shared-context/api-contracts.md` \
                    (version 3, updated 2026-11-16T02:00:00Z)\n";
        assert_eq!(context_links(&handoff(), &[context]), format!("{head}{line}"));
        assert_eq!(context_links(&handoff(), &[]), format!("{head}None.\n"));
    }

    #[test]
    fn the_checklist_has_the_criteria() {
        let text = checklist(&handoff(), &[]);
        assert!(text.ends_with(FIXTURE.split_once("## Questions").unwrap().1.split_once("\n\n").unwrap().1), "{text}");
        assert!(checklist(&handoff(), &["it runs".to_owned()]).ends_with("\n- [ ] it runs\n"));
    }
}
