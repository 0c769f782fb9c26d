//! `huddle protocol`

use huddle_api::{ChooseProtocol, ProtocolChoice};
use serde::Serialize;

use crate::call::Call;
use crate::failure::Failure;
use crate::remedy::protocol_command;
use crate::text;

/// Say which protocol a situation calls for: handoff, broadcast or query
///
/// When no word of the situation tells, `matched` is false and all rows are there to choose from.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ProtocolArgs {
    /// what the situation is, in a few words; without, all rows are listed
    situation: Option<String>,
}

/// The protocols that a situation calls for, with their commands.
#[derive(Serialize)]
struct Choices {
    situation: String,
    matched: bool,
    choices: Vec<Choice>,
}

#[derive(Serialize)]
struct Choice {
    #[serde(flatten)]
    choice: ProtocolChoice,
    command: &'static str,
}

impl ProtocolArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let chosen = call.execute(ChooseProtocol { situation: self.situation.unwrap_or_default() })?;
        let with_command = |choice: ProtocolChoice| Choice { choice, command: protocol_command(choice.protocol) };
        let choices = chosen.choices.into_iter().map(with_command).collect();
        let choices = Choices { situation: chosen.situation, matched: chosen.matched, choices };
        call.answer(&choices, |choices| table(&choices.choices))
    }
}

fn table(choices: &[Choice]) -> String {
    let mut rows = vec![text::row([&"PROTOCOL", &"WHEN", &"WHY", &"COMMAND"])];
    rows.extend(choices.iter().map(|Choice { choice, command }| {
        text::row([&choice.protocol.as_str(), &choice.scenario, &choice.reason, command])
    }));
    text::table(&rows)
}
