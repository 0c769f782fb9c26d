//! What a row says of a message, in words and shapes: without a browser.

use crate::format;
use crate::protocol::{Head, Line};

/// A mark at a message's end: its name, which is also its class in the styles, and what it means.
pub type Mark = (&'static str, &'static str);

/// Tells what became of a message, and what is amiss with it.
pub fn marks(line: &Line) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    if line.recovered {
        marks.push(("recovered", "It was damaged, and could be read all the same"));
    }
    if line.crossed {
        marks.push(("crossed", "It crossed another message"));
    }
    if line.overdue {
        marks.push(("overdue", "An answer is overdue"));
    } else if line.unanswered {
        marks.push(("unanswered", "Somebody owes an answer"));
    }
    if line.unread {
        marks.push(("unread", "Somebody has not read it"));
    }
    marks.extend(reach(&line.reach));
    marks
}

/// Tells how far a message has come.
pub fn reach(word: &str) -> Option<Mark> {
    Some(match word {
        "sent" => ("sent", "Sent; not seen yet"),
        "seen" => ("seen", "Seen"),
        "acked" => ("acked", "Acknowledged"),
        "answered" => ("answered", "Answered"),
        "dead" => ("dead", "Given up: it could not be delivered"),
        "mixed" => ("mixed", "Not as far with every recipient"),
        _ => return None,
    })
}

/// Gives the shape of a class of messages.
pub fn shape(class: &str) -> &'static str {
    match class {
        "message" => "✉\u{fe0e}",
        "status" => "○",
        "finding" => "◇",
        "error" => "✕",
        "data" => "▤",
        "completed" => "✓",
        _ => "·",
    }
}

/// Gives the shape of a severity.
pub fn severity(severity: &str) -> Option<&'static str> {
    Some(match severity {
        "high" => "▲",
        "medium" => "◆",
        "low" => "●",
        _ => return None,
    })
}

/// Gives the priority, where it is worth a word.
pub fn priority(priority: &str) -> Option<&str> {
    Some(priority).filter(|priority| !matches!(*priority, "" | "normal" | "medium"))
}

/// Writes how long after the message above, where that is long enough to be told.
pub fn gap(gap: Option<i64>) -> String {
    match gap {
        Some(gap) if gap >= 1_000_000 => format!("+{}", format::span(gap)),
        _ => String::new(),
    }
}

/// Whether a message is known by the beginning of what it says, for want of a subject.
pub fn begins(line: &Line) -> bool {
    let subject = line.subject.trim_end_matches('…').trim_end();
    !subject.is_empty() && line.preview.starts_with(subject)
}

/// Whether there is room on one line for what a message is about and what it says.
pub fn is_short(line: &Line) -> bool {
    line.subject.chars().count() + line.preview.chars().count() < 46
}

/// Gives names apart: they are joined by a comma and a space.
pub fn names(joined: &str) -> impl Iterator<Item = &str> {
    joined.split(", ").filter(|name| !name.is_empty())
}

/// Says a message in a sentence, for those who hear the list.
pub fn spoken(line: &Line) -> String {
    let mut said = String::new();
    let mut add = |before: &str, part: &str| {
        if !part.is_empty() {
            if !said.is_empty() {
                said.push_str(before);
            }
            said.push_str(part);
        }
    };
    add("", &line.from);
    add(" to ", &line.to);
    add(", ", &line.kind);
    if severity(&line.severity).is_some() {
        add(", severity ", &line.severity);
    }
    add(", priority ", priority(&line.priority).unwrap_or_default());
    add(": ", &line.subject);
    if let Some(at) = line.at {
        add(". ", &format::clock(at));
    }
    marks(line).iter().for_each(|(name, _)| add(", ", name));
    if line.hit {
        add(", ", "found");
    }
    said
}

/// Says what a conversation comes to: how many messages, for how long, and what is missing.
pub fn sum(head: &Head) -> String {
    let mut said = format::count(head.count.into(), "message");
    if let Some((start, end)) = head.start.zip(head.end).filter(|(start, end)| end - start >= 1_000_000) {
        said.push_str(" in ");
        said.push_str(&format::span(end - start));
    }
    said
}

/// Says a conversation in a sentence, for those who hear the list.
pub fn spoken_head(head: &Head) -> String {
    let mut said = format!("Conversation: {}, {}", title(head), sum(head));
    if head.unanswered > 0 {
        said.push_str(&format!(", {} unanswered", head.unanswered));
    }
    if head.hits > 0 {
        said.push_str(&format!(", {} found", head.hits));
    }
    said
}

/// Gives what a conversation is about, or what it is called.
pub fn title(head: &Head) -> &str {
    if head.subject.is_empty() { &head.name } else { &head.subject }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        Line {
            from: "planner".into(),
            to: "builder, tester".into(),
            kind: "error".into(),
            class: "error".into(),
            severity: "high".into(),
            priority: "normal".into(),
            subject: "Build fails".into(),
            at: Some(1_737_626_523_000_000),
            reach: "seen".into(),
            unanswered: true,
            overdue: true,
            hit: true,
            ..Line::default()
        }
    }

    #[test]
    fn a_message_is_said_in_a_sentence() {
        assert_eq!(
            spoken(&line()),
            "planner to builder, tester, error, severity high: Build fails. 10:02:03, overdue, seen, found"
        );
        assert_eq!(spoken(&Line { subject: "x".into(), ..Line::default() }), "x");
        assert_eq!(spoken(&Line::default()), "");
    }

    #[test]
    fn what_is_overdue_is_not_also_unanswered() {
        let names = |line: &Line| marks(line).iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!(names(&line()), ["overdue", "seen"]);
        assert_eq!(names(&Line { overdue: false, reach: "odd".into(), ..line() }), ["unanswered"]);
        assert!(names(&Line::default()).is_empty());
    }

    #[test]
    fn short_gaps_are_not_told() {
        assert_eq!(gap(Some(125_000_000)), "+2 min 5 s");
        assert_eq!(gap(Some(900_000)), "");
        assert_eq!(gap(None), "");
    }

    #[test]
    fn what_has_no_subject_is_known_by_its_beginning() {
        let line =
            |subject: &str, preview: &str| Line { subject: subject.into(), preview: preview.into(), ..Line::default() };
        assert!(begins(&line("It is slow …", "It is slow and it fails")));
        assert!(!begins(&line("Slow", "It is slow")));
        assert!(!begins(&line("Slow", "")) && !begins(&line("", "It is slow")));
        assert!(is_short(&line("Slow", "It is slow")) && !is_short(&line("Slow", &"slow ".repeat(9))));
    }

    #[test]
    fn every_class_and_severity_has_its_own_shape() {
        let classes = ["message", "status", "finding", "error", "data", "completed", "other"];
        let shapes: std::collections::HashSet<&str> =
            classes.into_iter().map(shape).chain(["high", "medium", "low"].into_iter().filter_map(severity)).collect();
        assert_eq!(shapes.len(), 10);
    }

    #[test]
    fn a_conversation_is_summed_up() {
        let head = Head {
            name: "t-1".into(),
            count: 3,
            start: Some(0),
            end: Some(65_000_000),
            unanswered: 2,
            ..Head::default()
        };
        assert_eq!(spoken_head(&head), "Conversation: t-1, 3 messages in 1 min 5 s, 2 unanswered");
        assert_eq!(names("a, b").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(names("").count(), 0);
    }
}
