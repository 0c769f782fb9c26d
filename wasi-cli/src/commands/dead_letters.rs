//! `huddle dead-letters`

use clap::Subcommand;
use huddle_api::{DeadLetter, ListDeadLetters, RetryDeadLetter};

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// List what sweeps have given up on, or try one of them again
#[derive(Debug, clap::Args)]
pub(crate) struct DeadLettersArgs {
    #[command(subcommand)]
    command: Option<DeadLettersCommand>,
}

#[derive(Debug, Subcommand)]
enum DeadLettersCommand {
    /// Put a dead letter back into the inbox of everybody who did not get it
    Retry {
        /// the message's id
        id: String,
    },
}

impl DeadLettersArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        match self.command {
            None => {
                let list = call.execute(ListDeadLetters {})?;
                call.answer(&list, |list| table(&list.dead_letters))
            }
            Some(DeadLettersCommand::Retry { id }) => {
                let retried = call.execute(RetryDeadLetter { message_id: id })?;
                call.answer(&retried, |retried| {
                    format!("✅ {} is back in the inbox of {}", retried.id, text::list(&retried.recipients))
                })
            }
        }
    }
}

fn table(letters: &[DeadLetter]) -> String {
    if letters.is_empty() {
        return "No dead letters.".to_owned();
    }
    let mut rows = vec![text::row([&"MESSAGE", &"FROM", &"FOR", &"GIVEN UP", &"SUBJECT", &"REASON"])];
    rows.extend(letters.iter().map(|DeadLetter { message, recipient, reason, dead_at }| {
        text::row([&message.id, &message.from, recipient, dead_at, &message.subject, reason])
    }));
    text::table(&rows)
}
