//! `huddle threads`

use huddle_core::bus;
use huddle_core::history::Thread;
use huddle_core::history::query::State;
use huddle_core::history::snapshot::time;
use huddle_core::wire::answer;

use crate::args::{Args, Spec, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::sources::{PATHS, Past};
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle threads",
    "List the conversations, the one with the newest message first",
    &[PATHS, option("limit", "N", "how many are listed of those at PATH").default("50")],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    if args.has("PATH") {
        return of_past(args, call);
    }
    let threads = call.value(call.bus.threads()?);
    call.output.answer(|| answer::threads(&threads), || table(&threads))
}

fn table(threads: &[bus::Thread]) -> String {
    let rows = threads.iter().map(|thread| {
        let (messages, waiting, participants) =
            (thread.messages.len(), thread.waiting.len(), text::list(&thread.participants));
        text::row([&thread.id, &thread.last_at, &messages, &waiting, &participants, &thread.subject])
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
fn of_past(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let limit = args.number("limit")?.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let mut past = Past::load(args, call)?;
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
