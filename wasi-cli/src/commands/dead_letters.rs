//! `huddle dead-letters`

use clap::{Args, Subcommand};
use huddle_core::bus::DeadLetter;
use huddle_core::model::MessageId;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;
use crate::text;

/// List what sweeps have given up on, or try one of them again
#[derive(Debug, Args)]
pub(crate) struct DeadLetters {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    Retry(Retry),
}

/// Put a dead letter back into the inbox of everybody who did not get it
#[derive(Debug, Args)]
struct Retry {
    /// The message's id
    id: MessageId,
}

impl DeadLetters {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        if let Some(Action::Retry(Retry { id })) = &self.action {
            let recipients = session.bus.retry_dead_letter(id)?;
            let text = || format!("✅ {id} is back in the inbox of {}", text::list(&recipients));
            return session.output.answer(|| answer::retried(id, &recipients), text);
        }
        let found = session.bus.dead_letters()?;
        session.output.found(found.findings);
        session.output.answer(|| answer::dead_letters(&found.value), || table(&found.value))
    }
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
