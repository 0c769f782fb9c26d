//! `huddle threads`

use huddle_api::{ListThreads, ThreadEntry};
use huddle_core::history::Thread;
use huddle_core::history::query::State;
use huddle_core::history::snapshot::time;
use huddle_core::wire::answer;

use super::paths::Paths;
use crate::call::Call;
use crate::failure::Failure;
use crate::sources::Past;
use crate::text;

/// List the conversations, the one with the newest message first
#[derive(Debug, clap::Args)]
pub(crate) struct ThreadsArgs {
    #[command(flatten)]
    paths: Paths,
    /// how many are listed of those at PATH
    #[arg(long, value_name = "N", default_value = "50", value_parser = super::number)]
    limit: usize,
}

impl ThreadsArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { paths: Paths { paths }, limit } = self;
        if !paths.is_empty() {
            return of_past(&paths, limit, call);
        }
        let list = call.execute(ListThreads {})?;
        call.answer(&list, |list| table(&list.threads))
    }
}

fn table(threads: &[ThreadEntry]) -> String {
    let rows = threads.iter().map(|thread| {
        let (last, waiting) = (text::or_dash(thread.last_at.as_ref()), thread.waiting.len());
        let participants = text::list(&thread.participants);
        text::row([&thread.thread_id, &last, &thread.message_count, &waiting, &participants, &thread.subject])
    });
    under_heads(rows.collect())
}

fn under_heads(rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return "No conversations.".to_owned();
    }
    let heads = text::row([&"THREAD", &"LAST", &"MESSAGES", &"WAITING", &"PARTICIPANTS", &"SUBJECT"]);
    text::table(&[vec![heads], rows].concat())
}

/// Lists the conversations of what lies at a path.
fn of_past(paths: &[String], limit: usize, call: &mut Call<'_>) -> Result<(), Failure> {
    let mut past = Past::load(paths, call)?;
    let listed = past.threads(limit)?;
    call.output.answer(|| answer::history_threads(&past.history, &past.derived, &listed), || past_table(&past, &listed))
}

fn past_table(past: &Past, listed: &[(Thread, String)]) -> String {
    let rows = listed.iter().map(|(thread, subject)| {
        let members = past.derived.threads.members(thread).iter();
        let waiting = members.filter(|position| past.derived.is(**position, State::Unanswered)).count();
        let participants = text::list(&past.history.participants(&past.derived, thread));
        let (name, last) = (past.history.thread_name(thread), text::or_dash(time(thread.end).as_ref()));
        text::row([&name, &last, &thread.count, &waiting, &participants, subject])
    });
    let mut shown = under_heads(rows.collect());
    let more = past.derived.threads.threads.len() - listed.len();
    if more > 0 {
        shown += &format!("\n… and {more} more (--limit N lists more)");
    }
    shown
}
