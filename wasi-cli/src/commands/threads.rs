//! `huddle threads`

use huddle_api::{ListHistoryThreads, ListThreads, ThreadList};

use super::paths::Paths;
use crate::call::Call;
use crate::failure::Failure;
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
        let list = match paths.is_empty() {
            true => call.execute(ListThreads {})?,
            false => call.execute(ListHistoryThreads { paths, limit: Some(limit) })?,
        };
        call.answer(&list, table)
    }
}

fn table(ThreadList { count, threads }: &ThreadList) -> String {
    let mut rows = vec![text::row([&"THREAD", &"LAST", &"MESSAGES", &"WAITING", &"PARTICIPANTS", &"SUBJECT"])];
    rows.extend(threads.iter().map(|thread| {
        let (last, waiting) = (text::or_dash(thread.last_at.as_ref()), thread.waiting.len());
        let participants = text::list(&thread.participants);
        text::row([&thread.thread_id, &last, &thread.message_count, &waiting, &participants, &thread.subject])
    }));
    let mut shown = if threads.is_empty() { "No conversations.".to_owned() } else { text::table(&rows) };
    let more = count - threads.len();
    if more > 0 {
        shown += &format!("\n… and {more} more (--limit N lists more)");
    }
    shown
}
