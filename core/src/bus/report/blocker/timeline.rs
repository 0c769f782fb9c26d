//! What happened between a blocker and its end, pieced together from events and messages.

use super::{BlockerReport, RESOLVED, ReportEvent, is_event};
use crate::bus::report::{ReportStatus, is_notice, text};
use crate::bus::trace::ReplyIndex;
use crate::engine::MailSnapshot;
use crate::model::{AgentName, Json, Message, Recipient, Timestamp};

/// A message that asked somebody for help.
struct HelpRequest<'a> {
    message: &'a Message,
    helper: &'a AgentName,
}

/// The messages that concern one blocker.
struct BlockerCase<'a> {
    snapshot: &'a MailSnapshot,
    replies: ReplyIndex<'a>,
    messages: &'a [Message],
    event: &'a Message,
    task: Option<&'a str>,
    responsible: Option<&'a str>,
    resolved: Option<&'a Message>,
}

/// Reports on the blocker that `event` reported.
pub(super) fn build(
    snapshot: &MailSnapshot,
    messages: &[Message],
    event: &Message,
    id: &str,
    now: Timestamp,
) -> BlockerReport {
    let resolved = resolution(messages, event);
    let responsible = event.body.get("dependency").and_then(|dependency| text(dependency, "responsible_agent"));
    let responsible = responsible.or_else(|| text(&event.body, "responsible_agent"));
    let task = text(&event.body, "task_id");
    let case =
        BlockerCase { snapshot, replies: ReplyIndex::of(snapshot), messages, event, task, responsible, resolved };
    let help_requests = case.help_requests();
    let deliveries = case.deliveries(&help_requests);
    let mut timeline = vec![ReportEvent { at: event.sent_at, what: "Blocker encountered".to_owned() }];
    timeline.extend(case.notified(&help_requests));
    timeline.extend(help_requests.iter().map(|request| case.contacted(request)));
    timeline.extend(case.acknowledged(&help_requests));
    timeline.extend(deliveries.iter().map(|message| delivered(message)));
    timeline.extend(resolved.map(|end| ReportEvent { at: end.sent_at, what: "Blocker resolved".to_owned() }));
    timeline.sort_by_key(|entry| entry.at);
    let end = resolved.map_or(now, |end| end.sent_at);
    BlockerReport {
        id: id.to_owned(),
        event: event.id.clone(),
        task: task.map(str::to_owned),
        reported_by: event.from.clone(),
        kind: text(&event.body, "blocker_type").map(str::to_owned),
        timeline,
        blocked_for: end.since(event.sent_at),
        partial: resolved.into_iter().chain(deliveries).any(is_partial),
        status: case.report_status(&help_requests),
    }
}

/// Finds the first event that ends this blocker: of the same task, and of the same type where both say it.
fn resolution<'a>(messages: &'a [Message], event: &Message) -> Option<&'a Message> {
    let same = |end: &Message| match (text(&event.body, "task_id"), text(&end.body, "task_id")) {
        (Some(task), Some(other)) => task == other,
        (None, None) => event.from == end.from,
        _ => false,
    };
    let fits = |end: &Message| match (text(&event.body, "blocker_type"), text(&end.body, "blocker_type")) {
        (Some(kind), Some(other)) => kind == other,
        _ => true,
    };
    messages.iter().find(|end| is_event(end, RESOLVED) && end.sent_at >= event.sent_at && same(end) && fits(end))
}

impl<'a> BlockerCase<'a> {
    /// Lists the letters between named agents while the blocker lasted.
    fn direct_messages(&self) -> impl Iterator<Item = (&'a Message, &'a [AgentName])> {
        let (from, to) = (self.event.sent_at, self.resolved.map(|end| end.sent_at));
        let during = self.messages.iter().filter(move |message| {
            message.sent_at >= from && to.is_none_or(|to| message.sent_at <= to) && !is_notice(message)
        });
        during.filter_map(|message| match &message.to {
            Recipient::Agents(names) => Some((message, names.as_slice())),
            Recipient::All | Recipient::Subscribers(_) => None,
        })
    }

    fn was_notified(&self, name: &AgentName) -> bool {
        let mut copies = self.snapshot.deliveries.iter().filter(|delivery| delivery.message.id == self.event.id);
        copies.any(|delivery| delivery.recipient == *name)
    }

    /// Lists the first message by which each helper was asked for help.
    fn help_requests(&self) -> Vec<HelpRequest<'a>> {
        let mut help_requests: Vec<HelpRequest<'a>> = Vec::new();
        for (message, names) in self.direct_messages().filter(|(message, _)| message.in_reply_to.is_none()) {
            for helper in names {
                let known = help_requests.iter().any(|request| request.helper == helper);
                if !known && *helper != self.event.from && *helper != message.from && self.asks(message, helper) {
                    help_requests.push(HelpRequest { message, helper });
                }
            }
        }
        help_requests
    }

    /// Returns whether a message is about this blocker: it names the blocked agent or task, or goes from somebody who
    /// knows of the blocker to the one who can end it.
    fn asks(&self, message: &Message, helper: &AgentName) -> bool {
        let by_reporter = message.from == self.event.from;
        let names_task = self.task.is_some_and(|task| mentions(message, task));
        let names_agent = !by_reporter && mentions(message, self.event.from.as_str());
        let to_responsible = self.responsible == Some(helper.as_str());
        names_task || names_agent || (to_responsible && (by_reporter || self.was_notified(&message.from)))
    }

    /// Returns when each subscriber heard of the blocker.
    fn notified(&self, help_requests: &[HelpRequest<'_>]) -> Vec<ReportEvent> {
        let copies = self.snapshot.deliveries.iter().filter(|delivery| delivery.message.id == self.event.id);
        let events = copies.map(|copy| {
            let name = &copy.recipient;
            let acted = help_requests.iter().any(|request| request.message.from == *name);
            let known = copy.receipt.seen_at.or(copy.receipt.offered_at);
            let unseen = if known.is_some() || acted { "" } else { " (not yet seen)" };
            let what = format!("{} notified{unseen}", at_start(name));
            ReportEvent { at: known.unwrap_or(self.event.sent_at), what }
        });
        events.collect()
    }

    fn contacted(&self, request: &HelpRequest<'_>) -> ReportEvent {
        let from = &request.message.from;
        // Whoever was just said to be notified is who acts; anybody else is named.
        let by = if self.was_notified(from) { String::new() } else { format!(" by {from}") };
        ReportEvent { at: request.message.sent_at, what: format!("{} contacted{by}", request.helper) }
    }

    fn acknowledged(&self, help_requests: &[HelpRequest<'_>]) -> Vec<ReportEvent> {
        let replies = help_requests.iter().filter_map(|request| {
            let at = self.replies.first(request.message, request.helper)?;
            Some(ReportEvent { at, what: format!("{} acknowledged", request.helper) })
        });
        replies.collect()
    }

    /// Lists what those who were asked sent to the one who was blocked, besides saying that they heard.
    fn deliveries(&self, help_requests: &[HelpRequest<'_>]) -> Vec<&'a Message> {
        let is_helper = |message: &Message| {
            let asked = help_requests.iter().find(|request| *request.helper == message.from);
            asked.map_or(self.responsible == Some(message.from.as_str()), |request| {
                let replies = message.in_reply_to.as_ref() == Some(&request.message.id);
                let first_sign = self.replies.first(request.message, request.helper);
                message.sent_at >= request.message.sent_at && !(replies && first_sign == Some(message.sent_at))
            })
        };
        let to_blocked = self.direct_messages().filter(|(_, names)| names.contains(&self.event.from));
        to_blocked.map(|(message, _)| message).filter(|message| is_helper(message)).collect()
    }

    fn report_status(&self, help_requests: &[HelpRequest<'_>]) -> ReportStatus {
        if self.resolved.is_some() {
            return ReportStatus::Resolved;
        }
        let mut waits_for: Vec<AgentName> = help_requests.iter().map(|request| request.helper.clone()).collect();
        if waits_for.is_empty() {
            waits_for.extend(self.responsible.and_then(|name| AgentName::new(name).ok()));
        }
        ReportStatus::Open { waits_for }
    }
}

fn delivered(message: &Message) -> ReportEvent {
    let what = match (message.kind.as_str(), is_partial(message)) {
        ("interface_contract", true) => "Partial interface delivered".to_owned(),
        ("interface_contract", false) => "Interface delivered".to_owned(),
        _ => format!("{} wrote: {}", message.from, message.subject),
    };
    ReportEvent { at: message.sent_at, what }
}

/// Writes a name at the start of a sentence: a plain word gets a capital, an identifier stays as it is.
fn at_start(name: &AgentName) -> String {
    let name = name.as_str();
    let mut letters = name.chars();
    match letters.next() {
        Some(first) if name.chars().all(char::is_alphabetic) => {
            std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()
        }
        _ => name.to_owned(),
    }
}

fn is_partial(message: &Message) -> bool {
    words(message).iter().any(|text| text.to_ascii_lowercase().contains("partial"))
}

/// Returns whether a message names something, as a word of its own: `builder-1` is not in `builder-10`.
fn mentions(message: &Message, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    words(message).iter().any(|text| has_word(&text.to_ascii_lowercase(), &name))
}

fn has_word(text: &str, name: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    text.match_indices(name).any(|(start, found)| {
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        !before.is_some_and(joins) && !after.is_some_and(joins)
    })
}

/// Lists every text in a message that a person would read.
fn words(message: &Message) -> Vec<&str> {
    let mut texts = vec![message.subject.as_str()];
    collect_strings(&message.body, &mut texts);
    message.metadata.values().for_each(|value| collect_strings(value, &mut texts));
    texts
}

fn collect_strings<'a>(value: &'a Json, texts: &mut Vec<&'a str>) {
    match value {
        Json::String(text) => texts.push(text),
        Json::Array(values) => values.iter().for_each(|value| collect_strings(value, texts)),
        Json::Object(fields) => fields.values().for_each(|value| collect_strings(value, texts)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}
