//! The summary of a conversation.

use std::collections::BTreeMap;
use std::fmt;

use super::{ReportStatus, about, contexts_about, heading, is_notice, list, text};
use crate::bus::Thread;
use crate::model::{AgentName, Context, Json, Message, MessageId, MessageType, Recipient, Span, ThreadId};

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
    /// Whether an interface was agreed on: then the outcome has what the last messages say, and they are not quoted.
    pub interface_agreed: bool,
    /// The last message of each participant that says something, in order of appearance.
    pub last_words: Vec<LastWord>,
}

/// The last message by which a participant said something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastWord {
    /// The participant.
    pub by: AgentName,
    /// The message.
    pub id: MessageId,
    /// What it says, in one line.
    pub quote: String,
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
        self.outcome.iter().try_for_each(|line| write!(f, "\n- {line}"))?;
        if self.interface_agreed {
            return Ok(());
        }
        write!(f, "\n\nLast messages:")?;
        self.last_words.iter().try_for_each(|last| write!(f, "\n- {}: {:?}", last.by, last.quote))
    }
}

/// Sums up a conversation; the shared contexts tell what was written down of it.
pub fn summarize(thread: &Thread, contexts: &[Context]) -> ThreadSummary {
    let status = report_status(thread);
    ThreadSummary {
        thread: thread.id.clone(),
        subject: thread.subject.clone(),
        participants: thread.participants.clone(),
        messages: thread.messages.len(),
        duration: thread.last_at.since(thread.started_at),
        outcome: outcome(thread, contexts, &status),
        interface_agreed: is_agreed(thread, &status) && !interfaces(thread).is_empty(),
        last_words: last_words(thread),
        status,
    }
}

/// Where a message says that the matter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stance {
    Agreed,
    Rejected,
    Modified,
    Closed,
    Unsettled,
    /// It asks for an answer, or proposes something.
    Asked,
}

impl Stance {
    /// Reads the stance of a message: by its type, by the word of its status, or by a body that is such a word.
    fn of(message: &Message) -> Option<Self> {
        match message.kind.as_str() {
            MessageType::HANDOFF_ACCEPTED => return Some(Self::Agreed),
            MessageType::HANDOFF_DECLINED => return Some(Self::Rejected),
            _ => {}
        }
        let word = ["status", "state", "outcome"].iter().find_map(|field| text(&message.body, field));
        let said = word.or(message.body.as_str()).and_then(Self::parse);
        let implied = match message.kind.as_str() {
            "result" => Some(Self::Closed),
            "error" => Some(Self::Unsettled),
            "interface_contract" => Some(Self::Asked),
            _ => message.asks().then_some(Self::Asked),
        };
        said.or(implied)
    }

    fn parse(text: &str) -> Option<Self> {
        let word = text.trim().trim_end_matches(['.', '!']).to_lowercase().replace([' ', '-'], "_");
        match word.as_str() {
            "accepted" | "accept" | "agreed" | "agree" | "approved" | "approve" => Some(Self::Agreed),
            "rejected" | "reject" | "declined" | "decline" | "refused" | "denied" => Some(Self::Rejected),
            "modified" | "needs_change" | "needs_changes" | "needs_modification" => Some(Self::Modified),
            "resolved" | "complete" | "completed" | "done" | "closed" => Some(Self::Closed),
            "pending" | "in_progress" | "partial" | "blocked" | "open" => Some(Self::Unsettled),
            word if word.ends_with("_requested") => Some(Self::Modified),
            _ => None,
        }
    }
}

/// Lists the last message of each participant that says something.
fn last_messages(thread: &Thread) -> Vec<&Message> {
    let last = |name: &AgentName| {
        let mut theirs = thread.messages.iter().filter(|message| message.from == *name);
        theirs.rfind(|message| !is_notice(message))
    };
    thread.participants.iter().filter_map(last).collect()
}

fn last_words(thread: &Thread) -> Vec<LastWord> {
    const WIDTH: usize = 120;
    let quoted = |message: &Message| LastWord {
        by: message.from.clone(),
        id: message.id.clone(),
        quote: message.preview(WIDTH),
    };
    last_messages(thread).into_iter().map(quoted).collect()
}

/// Finds the last message that takes a stance, and the stance.
fn last_stance(thread: &Thread) -> Option<(&Message, Stance)> {
    let saying = thread.messages.iter().rev().filter(|message| !is_notice(message));
    saying.filter_map(|message| Some((message, Stance::of(message)?))).next()
}

fn report_status(thread: &Thread) -> ReportStatus {
    let mut waits_for: Vec<AgentName> = Vec::new();
    for name in thread.waiting.iter().flat_map(|waiting| &waiting.waits_for) {
        if !waits_for.contains(name) {
            waits_for.push(name.clone());
        }
    }
    let Some((last, stance)) = last_stance(thread) else { return ReportStatus::Open { waits_for } };
    let addressed = match &last.to {
        Recipient::Agents(names) => names.clone(),
        Recipient::All | Recipient::Subscribers(_) => Vec::new(),
    };
    // One who agrees to a refusal does not undo it.
    let refused = last_messages(thread).into_iter().find(|message| Stance::of(message) == Some(Stance::Rejected));
    match (stance, refused) {
        (Stance::Rejected | Stance::Agreed | Stance::Closed, Some(refused)) => {
            ReportStatus::Rejected { by: refused.from.clone() }
        }
        (Stance::Agreed | Stance::Closed, None) if waits_for.is_empty() => ReportStatus::Resolved,
        (Stance::Modified, _) => ReportStatus::Modified { by: last.from.clone(), waits_for: addressed },
        (Stance::Asked, _) if last.requires_response && waits_for.is_empty() => ReportStatus::Resolved,
        // Agents on shell scripts do not say that they wait: what they ask for says it.
        _ if waits_for.is_empty() => ReportStatus::Open { waits_for: addressed },
        _ => ReportStatus::Open { waits_for },
    }
}

/// Returns whether it ended with an agreement.
fn is_agreed(thread: &Thread, status: &ReportStatus) -> bool {
    let stance = last_stance(thread).map(|(_, stance)| stance);
    *status == ReportStatus::Resolved && stance == Some(Stance::Agreed)
}

fn outcome(thread: &Thread, contexts: &[Context], status: &ReportStatus) -> Vec<String> {
    let agreed = is_agreed(thread, status);
    let interfaces = interfaces(thread);
    let mut lines: Vec<String> = Vec::new();
    let defined = if agreed { "defined" } else { "proposed" };
    lines.extend(interfaces.iter().map(|name| format!("{name} interface {defined}")));
    let modified = if agreed { "Method signature modified" } else { "Method signature change requested" };
    lines.extend(changes(thread).into_iter().map(|change| format!("{modified} ({change})")));
    let ids = thread.messages.iter().flat_map(|message| {
        let thread = message.thread.as_ref().map(ThreadId::as_str);
        thread.into_iter().chain([message.id.as_str()])
    });
    let references: Vec<&str> = ids.chain(interfaces.iter().map(String::as_str)).collect();
    let documented = if agreed { "Agreement documented in shared context" } else { "Shared context updated" };
    let contexts = contexts_about(contexts, &thread.participants, thread.started_at, &references);
    lines.extend(contexts.into_iter().map(|name| format!("{documented} ({name})")));
    lines.extend(answers(thread));
    lines.extend(ending(thread, status, !interfaces.is_empty()));
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
fn ending(thread: &Thread, status: &ReportStatus, about_an_interface: bool) -> Vec<String> {
    if *status != ReportStatus::Resolved {
        let owed = thread.waiting.iter();
        let owed = owed.map(|waiting| format!("{}: no answer yet from {}", waiting.subject, list(&waiting.waits_for)));
        return owed.collect();
    }
    match last_stance(thread) {
        Some((_, Stance::Agreed)) if about_an_interface && thread.participants.len() == 2 => {
            vec!["Both agents ready to implement".to_owned()]
        }
        Some((last, Stance::Agreed)) => vec![format!("Agreed by {}", last.from)],
        Some((last, Stance::Closed)) => vec![format!("Closed by {}", last.from)],
        _ => Vec::new(),
    }
}
