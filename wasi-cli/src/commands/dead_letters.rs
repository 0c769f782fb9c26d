//! `huddle dead-letters`

use huddle_core::bus::DeadLetter;
use huddle_core::model::MessageId;
use huddle_core::wire::answer;

use crate::args::{Args, Spec, must};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec {
    run: Some(list),
    ..Spec::group("huddle dead-letters", "List what sweeps have given up on, or try one of them again", &[RETRY])
};

const RETRY: Spec = Spec::command(
    "huddle dead-letters retry",
    "Put a dead letter back into the inbox of everybody who did not get it",
    &[must("ID", "the message's id")],
    retry,
);

fn list(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let letters = call.value(call.bus.dead_letters()?);
    call.output.answer(|| answer::dead_letters(&letters), || table(&letters))
}

fn retry(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id: MessageId = args.name("ID")?;
    let recipients = call.bus.retry_dead_letter(&id)?;
    call.output.answer(
        || answer::retried(&id, &recipients),
        || format!("✅ {id} is back in the inbox of {}", text::list(&recipients)),
    )
}

fn table(letters: &[DeadLetter]) -> String {
    if letters.is_empty() {
        return "No dead letters.".to_owned();
    }
    let mut rows = vec![text::row([&"MESSAGE", &"FROM", &"FOR", &"GIVEN UP", &"SUBJECT", &"REASON"])];
    rows.extend(letters.iter().map(|DeadLetter { delivery, reason, at }| {
        let message = &delivery.message;
        text::row([&message.id, &message.from, &delivery.recipient, at, &message.subject, reason])
    }));
    text::table(&rows)
}
