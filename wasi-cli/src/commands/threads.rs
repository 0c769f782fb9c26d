//! `huddle threads`

use huddle_core::bus::Thread;
use huddle_core::wire::answer;

use crate::args::{Args, Spec};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec =
    Spec::command("huddle threads", "List the conversations, the one with the newest message first", &[], run);

fn run(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let threads = call.value(call.bus.threads()?);
    call.output.answer(|| answer::threads(&threads), || table(&threads))
}

fn table(threads: &[Thread]) -> String {
    if threads.is_empty() {
        return "No conversations.".to_owned();
    }
    let mut rows = vec![text::row([&"THREAD", &"LAST", &"MESSAGES", &"WAITING", &"PARTICIPANTS", &"SUBJECT"])];
    rows.extend(threads.iter().map(|thread| {
        let (messages, waiting, participants) =
            (thread.messages.len(), thread.waiting.len(), text::list(&thread.participants));
        text::row([&thread.id, &thread.last_at, &messages, &waiting, &participants, &thread.subject])
    }));
    text::table(&rows)
}
