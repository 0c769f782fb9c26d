//! `huddle inbox`

use std::io;

use huddle_api::{CheckInbox, CountUnread, InboxListing, InboxWatch, Notification, document, priority, span};
use huddle_core::model::{Priority, Span};

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// List what you have not read, most urgent first, then oldest first
///
/// Listing does not mark anything as read: huddle read ID does.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct InboxArgs {
    /// list what you have read, too
    #[arg(long)]
    all: bool,
    /// only of this type
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// only from this agent
    #[arg(long, value_name = "AGENT")]
    from: Option<String>,
    /// only at least this urgent: critical, high, normal or low
    #[arg(long, value_name = "PRIORITY", value_parser = priority)]
    min_priority: Option<Priority>,
    /// only of this conversation
    #[arg(long, value_name = "ID")]
    thread: Option<String>,
    /// list at most so many; the count still tells all. With --watch, end after so many
    #[arg(long, value_name = "N", value_parser = super::number)]
    limit: Option<usize>,
    /// when there is nothing, wait for something to come; exit code 4 when nothing does
    #[arg(long, value_name = "SECONDS", value_parser = span)]
    wait: Option<Span>,
    /// print each message as a line of JSON as it arrives, until stopped
    #[arg(long)]
    watch: bool,
    /// stop watching after this long
    #[arg(long = "for", value_name = "SECONDS", value_parser = span)]
    duration: Option<Span>,
    /// only say how many are unread, and nothing when none are; nothing is listed
    #[arg(long)]
    count: bool,
    /// look and leave no trace: nothing counts as offered
    #[arg(long)]
    peek: bool,
}

impl InboxArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        if self.count {
            return count(call);
        }
        let Self { all, kind, from, min_priority, thread, limit, wait, watch, duration, count: _, peek } = self;
        let request = CheckInbox { all, kind, from, min_priority, thread_id: thread, limit, wait, peek };
        match (watch, wait, duration) {
            (true, Some(_), _) => Err(call.wrong("--watch and --wait do not go together")),
            (true, None, _) => self::watch(request, duration, call),
            (false, _, Some(_)) => Err(call.wrong("--for goes with --watch")),
            (false, _, None) => {
                let agent = call.context.actor()?;
                let inbox = call.execute(request)?;
                call.answer(&inbox, |inbox| show(agent.as_str(), inbox, all))
            }
        }
    }
}

/// Counts unread messages, for hooks that run often: an agent without mail hears nothing.
fn count(call: &mut Call<'_>) -> Result<(), Failure> {
    let unread = call.execute(CountUnread {})?;
    call.answer(&unread, |unread| match unread.count {
        0 => String::new(),
        count => format!("📬 {}: {}: huddle inbox", unread.name, text::count(count, "unread message")),
    })
}

fn watch(request: CheckInbox, duration: Option<Span>, call: &mut Call<'_>) -> Result<(), Failure> {
    let mut watch = InboxWatch::start(request, duration, &mut call.context)?;
    loop {
        let news = watch.poll(&mut call.context);
        call.output.found(call.context.take_diagnostics());
        let Some(news) = news? else { return Ok(()) };
        for notification in &news {
            match call.output.line(&document(notification)) {
                // Whoever was listening has heard enough.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                written => written?,
            }
        }
    }
}

fn show(agent: &str, inbox: &InboxListing, all: bool) -> String {
    let what = if all { "message" } else { "unread message" };
    let mut lines = vec![format!("📬 {agent}: {}", text::count(inbox.count, what))];
    lines.extend(inbox.notifications.iter().map(entry));
    if inbox.notifications.len() < inbox.count {
        lines.push(format!("… and {} more", inbox.count - inbox.notifications.len()));
    }
    lines.join("\n")
}

/// How many characters of a subject a listing shows; `huddle read` shows all.
const SUBJECT_WIDTH: usize = 400;
/// How many characters of a type a listing shows.
const KIND_WIDTH: usize = 80;

fn entry(message: &Notification) -> String {
    let mut notes = Vec::new();
    notes.extend(message.requires_response.then(|| "needs a reply".to_owned()));
    notes.extend(message.response_deadline.as_ref().map(|deadline| format!("by {deadline}")));
    notes.extend(message.read.then(|| "read".to_owned()));
    let notes = if notes.is_empty() { String::new() } else { format!(" · {}", notes.join(" ")) };
    let Notification { id, from, preview, timestamp, priority, .. } = message;
    let (subject, kind) = (text::shorten(&message.subject, SUBJECT_WIDTH), text::shorten(&message.kind, KIND_WIDTH));
    let preview = if *preview == message.subject { String::new() } else { format!("\n      {preview}") };
    format!("   [{priority}] {from}: {subject} ({kind}){notes}\n      {id} · {timestamp}{preview}")
}
