//! What happened between a blocker and its end, pieced together from events and messages.

use super::{BlockerReport, Moment, RESOLVED, is_event};
use crate::bus::report::{Standing, is_notice, text};
use crate::bus::trace::Signs;
use crate::engine::Survey;
use crate::model::{AgentName, Json, Message, Recipient, Timestamp};

/// A message that asked somebody for help.
struct Contact<'a> {
    message: &'a Message,
    helper: &'a AgentName,
}

/// What is known about one blocker.
struct Case<'a> {
    survey: &'a Survey,
    signs: Signs<'a>,
    messages: &'a [Message],
    event: &'a Message,
    task: Option<&'a str>,
    responsible: Option<&'a str>,
    resolved: Option<&'a Message>,
}

/// Tells the story of the blocker that `event` reported.
pub(super) fn tell(survey: &Survey, messages: &[Message], event: &Message, id: &str, now: Timestamp) -> BlockerReport {
    let resolved = resolution(messages, event);
    let responsible = event.body.get("dependency").and_then(|dependency| text(dependency, "responsible_agent"));
    let responsible = responsible.or_else(|| text(&event.body, "responsible_agent"));
    let task = text(&event.body, "task_id");
    let case = Case { survey, signs: Signs::of(survey), messages, event, task, responsible, resolved };
    let contacts = case.contacts();
    let deliveries = case.deliveries(&contacts);
    let mut timeline = vec![Moment { at: event.sent_at, what: "Blocker encountered".to_owned() }];
    timeline.extend(case.notified(&contacts));
    timeline.extend(contacts.iter().map(|contact| case.contacted(contact)));
    timeline.extend(case.acknowledged(&contacts));
    timeline.extend(deliveries.iter().map(|message| delivered(message)));
    timeline.extend(resolved.map(|end| Moment { at: end.sent_at, what: "Blocker resolved".to_owned() }));
    timeline.sort_by_key(|moment| moment.at);
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
        status: case.standing(&contacts),
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

impl<'a> Case<'a> {
    /// Lists the letters between named agents while the blocker lasted.
    fn letters(&self) -> impl Iterator<Item = (&'a Message, &'a [AgentName])> {
        let (from, to) = (self.event.sent_at, self.resolved.map(|end| end.sent_at));
        let during = self.messages.iter().filter(move |message| {
            message.sent_at >= from && to.is_none_or(|to| message.sent_at <= to) && !is_notice(message)
        });
        during.filter_map(|message| match &message.to {
            Recipient::Agents(names) => Some((message, names.as_slice())),
            Recipient::All | Recipient::Subscribers(_) => None,
        })
    }

    fn was_told(&self, name: &AgentName) -> bool {
        let mut copies = self.survey.deliveries.iter().filter(|delivery| delivery.message.id == self.event.id);
        copies.any(|delivery| delivery.recipient == *name)
    }

    /// Lists the first message by which each helper was asked for help.
    fn contacts(&self) -> Vec<Contact<'a>> {
        let mut contacts: Vec<Contact<'a>> = Vec::new();
        for (message, names) in self.letters().filter(|(message, _)| message.in_reply_to.is_none()) {
            for helper in names {
                let known = contacts.iter().any(|contact| contact.helper == helper);
                if !known && *helper != self.event.from && *helper != message.from && self.asks(message, helper) {
                    contacts.push(Contact { message, helper });
                }
            }
        }
        contacts
    }

    /// Says whether a message is about this blocker: it names the blocked agent or task, or goes from somebody who
    /// knows of the blocker to the one who can end it.
    fn asks(&self, message: &Message, helper: &AgentName) -> bool {
        let by_reporter = message.from == self.event.from;
        let names_task = self.task.is_some_and(|task| mentions(message, task));
        let names_agent = !by_reporter && mentions(message, self.event.from.as_str());
        let to_responsible = self.responsible == Some(helper.as_str());
        names_task || names_agent || (to_responsible && (by_reporter || self.was_told(&message.from)))
    }

    /// Tells when each subscriber heard of the blocker.
    fn notified(&self, contacts: &[Contact<'_>]) -> Vec<Moment> {
        let copies = self.survey.deliveries.iter().filter(|delivery| delivery.message.id == self.event.id);
        let moments = copies.map(|copy| {
            let name = &copy.recipient;
            let acted = contacts.iter().any(|contact| contact.message.from == *name);
            let known = copy.receipt.seen_at.or(copy.receipt.offered_at);
            let unseen = if known.is_some() || acted { "" } else { " (not yet seen)" };
            let what = format!("{} notified{unseen}", at_start(name));
            Moment { at: known.unwrap_or(self.event.sent_at), what }
        });
        moments.collect()
    }

    fn contacted(&self, contact: &Contact<'_>) -> Moment {
        let from = &contact.message.from;
        // Whoever was just said to be notified is who acts; anybody else is named.
        let by = if self.was_told(from) { String::new() } else { format!(" by {from}") };
        Moment { at: contact.message.sent_at, what: format!("{} contacted{by}", contact.helper) }
    }

    fn acknowledged(&self, contacts: &[Contact<'_>]) -> Vec<Moment> {
        let signs = contacts.iter().filter_map(|contact| {
            let at = self.signs.first(contact.message, contact.helper)?;
            Some(Moment { at, what: format!("{} acknowledged", contact.helper) })
        });
        signs.collect()
    }

    /// Lists what those who were asked sent to the one who was blocked, besides saying that they heard.
    fn deliveries(&self, contacts: &[Contact<'_>]) -> Vec<&'a Message> {
        let is_helper = |message: &Message| {
            let asked = contacts.iter().find(|contact| *contact.helper == message.from);
            asked.map_or(self.responsible == Some(message.from.as_str()), |contact| {
                let replies = message.in_reply_to.as_ref() == Some(&contact.message.id);
                let first_sign = self.signs.first(contact.message, contact.helper);
                message.sent_at >= contact.message.sent_at && !(replies && first_sign == Some(message.sent_at))
            })
        };
        let to_blocked = self.letters().filter(|(_, names)| names.contains(&self.event.from));
        to_blocked.map(|(message, _)| message).filter(|message| is_helper(message)).collect()
    }

    fn standing(&self, contacts: &[Contact<'_>]) -> Standing {
        if self.resolved.is_some() {
            return Standing::Resolved;
        }
        let mut waits_for: Vec<AgentName> = contacts.iter().map(|contact| contact.helper.clone()).collect();
        if waits_for.is_empty() {
            waits_for.extend(self.responsible.and_then(|name| AgentName::new(name).ok()));
        }
        Standing::Open { waits_for }
    }
}

fn delivered(message: &Message) -> Moment {
    let what = match (message.kind.as_str(), is_partial(message)) {
        ("interface_contract", true) => "Partial interface delivered".to_owned(),
        ("interface_contract", false) => "Interface delivered".to_owned(),
        _ => format!("{} wrote: {}", message.from, message.subject),
    };
    Moment { at: message.sent_at, what }
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

/// Says whether a message names something, as a word of its own: `builder-1` is not in `builder-10`.
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
    gather(&message.body, &mut texts);
    message.metadata.values().for_each(|value| gather(value, &mut texts));
    texts
}

fn gather<'a>(value: &'a Json, texts: &mut Vec<&'a str>) {
    match value {
        Json::String(text) => texts.push(text),
        Json::Array(values) => values.iter().for_each(|value| gather(value, texts)),
        Json::Object(fields) => fields.values().for_each(|value| gather(value, texts)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}
