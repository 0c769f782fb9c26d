//! `huddle inbox`

use std::io;

use clap::Args;
use huddle_core::bus::{self, Wanted, Watch};
use huddle_core::model::{AgentName, Delivery, MessageType, Priority, Span, ThreadId};
use huddle_core::wire::answer;

use super::message_options::priority;
use crate::failure::Failure;
use crate::session::Session;
use crate::{text, when};

/// List what you have not read, most urgent first, then oldest first
///
/// Listing does not mark anything as read: huddle read ID does.
#[derive(Debug, Args)]
pub(crate) struct Inbox {
    /// List what you have read, too
    #[arg(long)]
    all: bool,
    /// Only of this type
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Only from this agent
    #[arg(long, value_name = "AGENT")]
    from: Option<AgentName>,
    /// Only at least this urgent: critical, high, normal or low
    #[arg(long, value_name = "PRIORITY", value_parser = priority)]
    min_priority: Option<Priority>,
    /// Only of this conversation
    #[arg(long, value_name = "ID")]
    thread: Option<ThreadId>,
    /// List at most so many; the count still tells all. With --watch, end after so many
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// When there is nothing, wait this long for something to come; exit code 4 when nothing does
    #[arg(long, value_name = "SECONDS", value_parser = when::span)]
    wait: Option<Span>,
    /// Print each message as a line of JSON as it arrives, until stopped
    #[arg(long, conflicts_with = "wait")]
    watch: bool,
    /// Stop watching after this long
    #[arg(long = "for", value_name = "SECONDS", requires = "watch", value_parser = when::span)]
    watch_for: Option<Span>,
}

impl Inbox {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        if self.watch {
            return self.watch(&me, session);
        }
        let wanted = self.wanted(self.limit);
        let mut inbox = match self.wait {
            Some(wait) => session.bus.wait_inbox(&me, &wanted, wait)?,
            None => session.bus.inbox(&me, &wanted)?,
        };
        session.output.found(std::mem::take(&mut inbox.findings));
        session.output.answer(|| answer::inbox(&inbox), || self.show(&me, &inbox))
    }

    fn wanted(&self, limit: Option<usize>) -> Wanted {
        Wanted {
            all: self.all,
            kind: self.kind.as_deref().map(MessageType::new),
            from: self.from.clone(),
            min_priority: self.min_priority,
            thread: self.thread.clone(),
            limit,
        }
    }

    fn watch(&self, me: &AgentName, session: &mut Session<'_>) -> Result<(), Failure> {
        let end = self.watch_for.map(|span| session.now().plus(span));
        let mut left = self.limit.unwrap_or(usize::MAX);
        let (wanted, mut watch) = (self.wanted(None), Watch::default());
        while left > 0 {
            let news = session.bus.news(me, &wanted, &mut watch)?;
            session.output.found(news.findings);
            for delivery in news.shown.iter().take(left) {
                match session.output.line(&answer::notification(delivery)) {
                    // Whoever was listening has heard enough.
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                    written => written?,
                }
            }
            left = left.saturating_sub(news.shown.len());
            if end.is_some_and(|end| session.now() >= end) {
                break;
            }
            session.bus.pause();
        }
        Ok(())
    }

    fn show(&self, me: &AgentName, inbox: &bus::Inbox) -> String {
        let what = if self.all { "message" } else { "unread message" };
        let mut lines = vec![format!("📬 {me}: {}", text::count(inbox.total, what))];
        lines.extend(inbox.shown.iter().map(entry));
        if inbox.shown.len() < inbox.total {
            lines.push(format!("… and {} more", inbox.total - inbox.shown.len()));
        }
        lines.join("\n")
    }
}

fn entry(delivery: &Delivery) -> String {
    let message = &delivery.message;
    let mut notes = Vec::new();
    notes.extend(message.requires_response.then(|| "needs a reply".to_owned()));
    notes.extend(message.deadline.map(|deadline| format!("by {deadline}")));
    notes.extend((!delivery.is_unread()).then(|| "read".to_owned()));
    let notes = if notes.is_empty() { String::new() } else { format!(" · {}", notes.join(" ")) };
    let preview = message.preview(80);
    let preview = if preview == message.subject { String::new() } else { format!("\n      {preview}") };
    format!(
        "   [{}] {}: {} ({}){notes}\n      {} · {}{preview}",
        message.priority, message.from, message.subject, message.kind, message.id, message.sent_at
    )
}
