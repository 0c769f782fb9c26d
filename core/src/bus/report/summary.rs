//! The summary of a conversation.

use std::collections::BTreeMap;
use std::fmt;

use super::{ReportStatus, about, heading, is_notice, list, text, updated_contexts};
use crate::bus::Thread;
use crate::engine::MailSnapshot;
use crate::model::{AgentName, Json, Message, Recipient, Span, ThreadId};

/// The summary of a thread.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadSummary {
    /// The conversation.
    pub thread: ThreadId,
    /// Its subject.
    pub subject: String,
    /// The participants, in order of appearance.
    pub participants: Vec<AgentName>,
    /// How many messages it has.
    pub messages: usize,
    /// How long it took from the first message to the last.
    pub duration: Span,
    /// Whether it is settled.
    pub status: ReportStatus,
    /// The outcome, one line per item.
    pub outcome: Vec<String>,
}

impl fmt::Display for ThreadSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, "Conversation Summary")?;
        writeln!(f, "Conversation ID: {}", self.thread)?;
        writeln!(f, "Participants: {}", list(&self.participants))?;
        writeln!(f, "Messages: {}", self.messages)?;
        writeln!(f, "Duration: {}", about(self.duration))?;
        writeln!(f, "Status: {}", self.status)?;
        write!(f, "\nOutcome:")?;
        self.outcome.iter().try_for_each(|line| write!(f, "\n- {line}"))
    }
}

/// Sums up a conversation; the snapshot tells what the participants did besides talking.
pub fn summarize(thread: &Thread, snapshot: &MailSnapshot) -> ThreadSummary {
    let status = report_status(thread);
    ThreadSummary {
        thread: thread.id.clone(),
        subject: thread.subject.clone(),
        participants: thread.participants.clone(),
        messages: thread.messages.len(),
        duration: thread.last_at.since(thread.started_at),
        outcome: outcome(thread, snapshot, &status),
        status,
    }
}

/// Words by which a message says that all agree.
const AGREED: [&str; 3] = ["accepted", "agreed", "approved"];
/// Words by which a message says that the matter is closed.
const CLOSED: [&str; 4] = ["resolved", "complete", "completed", "done"];
/// Words by which a message says that something is still to come.
const UNSETTLED: [&str; 4] = ["pending", "in_progress", "partial", "blocked"];

/// Finds what the conversation came to: its last message that says something.
fn last_message(thread: &Thread) -> Option<&Message> {
    thread.messages.iter().rev().find(|message| !is_notice(message))
}

fn status_word(message: &Message) -> Option<&str> {
    ["status", "state", "outcome"].iter().find_map(|field| text(&message.body, field))
}

fn report_status(thread: &Thread) -> ReportStatus {
    let last = last_message(thread);
    let word = last.and_then(status_word).unwrap_or_default();
    if AGREED.contains(&word) || CLOSED.contains(&word) {
        return ReportStatus::Resolved;
    }
    let mut waits_for: Vec<AgentName> = Vec::new();
    for name in thread.waiting.iter().flat_map(|waiting| &waiting.waits_for) {
        if !waits_for.contains(name) {
            waits_for.push(name.clone());
        }
    }
    let unsettled = UNSETTLED.contains(&word) || word.ends_with("requested");
    if waits_for.is_empty()
        && unsettled
        && let Some(Recipient::Agents(names)) = last.map(|message| &message.to)
    {
        // Agents on shell scripts do not say that they wait: what they ask for says it.
        waits_for.clone_from(names);
    }
    if waits_for.is_empty() && !unsettled { ReportStatus::Resolved } else { ReportStatus::Open { waits_for } }
}

fn outcome(thread: &Thread, snapshot: &MailSnapshot, status: &ReportStatus) -> Vec<String> {
    let resolved = *status == ReportStatus::Resolved;
    let interfaces = interfaces(thread);
    let mut lines: Vec<String> = Vec::new();
    let defined = if resolved { "defined" } else { "proposed" };
    lines.extend(interfaces.iter().map(|name| format!("{name} interface {defined}")));
    let modified = if resolved { "Method signature modified" } else { "Method signature change requested" };
    lines.extend(changes(thread).into_iter().map(|change| format!("{modified} ({change})")));
    let contexts = updated_contexts(snapshot, &thread.participants, thread.started_at);
    let documented = if resolved { "Agreement documented in shared context" } else { "Shared context updated" };
    lines.extend(contexts.into_iter().map(|name| format!("{documented} ({name})")));
    lines.extend(answers(thread));
    lines.extend(ending(thread, resolved, !interfaces.is_empty()));
    if lines.is_empty() {
        lines.push("Nothing recorded".to_owned());
    }
    lines
}

/// Lists the interfaces that the conversation is about, in the order they came up.
fn interfaces(thread: &Thread) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for body in bodies(thread) {
        let found = ["interface", "interface_name"].iter().filter_map(|field| text(body, field));
        for name in found {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// Lists every body, each followed by the interface that it brings up to date.
fn bodies(thread: &Thread) -> impl Iterator<Item = &Json> {
    let bodies = thread.messages.iter().map(|message| &message.body);
    bodies.flat_map(|body| std::iter::once(body).chain(body.get("updated_interface")))
}

/// Lists the changes that were asked for: by what became of the method where that was said, else in the asker's words.
fn changes(thread: &Thread) -> Vec<String> {
    let returns = return_types(thread);
    let asked = thread.messages.iter().filter_map(|message| message.body.get("changes")?.as_array()).flatten();
    let mut lines: Vec<String> = Vec::new();
    for change in asked {
        let words = text(change, "change").or_else(|| text(change, "description")).or_else(|| change.as_str());
        let line = match (text(change, "method"), words) {
            (Some(method), words) => match returns.get(method).map(Vec::as_slice) {
                Some([old, .., new]) if old != new => format!("{method} returns {}", difference(old, new)),
                _ => words.map_or_else(|| method.to_owned(), |words| format!("{method}: {words}")),
            },
            (None, Some(words)) => words.to_owned(),
            (None, None) => continue,
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// Lists what each method was said to return, over time.
fn return_types(thread: &Thread) -> BTreeMap<&str, Vec<&str>> {
    let mut types: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let methods = bodies(thread).filter_map(|body| body.get("methods")?.as_array()).flatten();
    for method in methods {
        let returns = text(method, "returns").or_else(|| text(method, "return_type"));
        if let (Some(name), Some(returns)) = (text(method, "name"), returns) {
            types.entry(name).or_default().push(returns);
        }
    }
    types
}

/// Describes how a return type changed; the commonest change has a word of its own.
fn difference<'a>(old: &str, new: &'a str) -> &'a str {
    if new.replace(" | null", "") == old { "nullable" } else { new }
}

/// Returns which questions were answered.
fn answers(thread: &Thread) -> Vec<String> {
    let asked = thread.messages.iter().filter(|message| message.requires_response);
    let lines = asked.filter_map(|question| {
        let mut replies = thread.messages.iter().filter(|reply| reply.in_reply_to.as_ref() == Some(&question.id));
        let answer = replies.rfind(|reply| !is_notice(reply) && reply.from != question.from)?;
        Some(format!("{}: answered by {}", question.subject, answer.from))
    });
    lines.collect()
}

/// Describes how it ended, or who has yet to speak.
fn ending(thread: &Thread, resolved: bool, about_an_interface: bool) -> Vec<String> {
    let last = last_message(thread);
    let word = last.and_then(status_word);
    let agents = match thread.participants.len() {
        2 => "Both agents".to_owned(),
        count => format!("All {count} agents"),
    };
    if !resolved {
        let owed = thread.waiting.iter();
        let owed = owed.map(|waiting| format!("{}: no answer yet from {}", waiting.subject, list(&waiting.waits_for)));
        return owed.collect();
    }
    match (word, last) {
        (Some(word), _) if AGREED.contains(&word) && about_an_interface => vec![format!("{agents} ready to implement")],
        (Some(word), Some(last)) => vec![format!("Final status: {word} (by {})", last.from)],
        _ => Vec::new(),
    }
}
