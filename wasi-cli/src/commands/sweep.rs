//! `huddle sweep`

use clap::Args;
use huddle_core::bus::{SweepRules, Swept};
use huddle_core::model::{AgentName, MessageId, Span};
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;
use crate::{text, when};

/// Offer anew what got no sign in time, give up on what was offered often enough, archive what is old
///
/// Safe to run at any time, by anyone, twice. Senders of what was given up on are told.
#[derive(Debug, Args)]
pub(crate) struct Sweep {
    /// How long a message that needs a reply may go without a sign
    #[arg(long, value_name = "SECONDS", default_value = "1h", value_parser = when::span)]
    timeout: Span,
    /// How often to offer it anew before giving up
    #[arg(long, value_name = "N", default_value_t = SweepRules::default().attempts)]
    attempts: u32,
    /// How long read messages stay in the inbox; by default as long as registry.json says (72 hours)
    #[arg(long, value_name = "SECONDS", value_parser = when::span)]
    retention: Option<Span>,
}

impl Sweep {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let Self { timeout, attempts, retention } = *self;
        let me = session.me_if_told()?;
        let swept = session.bus.sweep(me.as_ref(), &SweepRules { timeout, attempts, retention })?;
        session.output.answer(|| answer::swept(&swept), || show(&swept))
    }
}

fn show(Swept { redelivered, dead, archived }: &Swept) -> String {
    let mut lines =
        vec![format!("✅ Swept: {} redelivered, {} given up on, {archived} archived", redelivered.len(), dead.len())];
    let copy = |what: &str, (agent, id): &(AgentName, MessageId)| format!("   {what} {id} for {agent}");
    lines.extend(redelivered.iter().map(|each| copy("redelivered", each)));
    lines.extend(dead.iter().map(|each| copy("given up on", each)));
    if !dead.is_empty() {
        lines.push(format!("   Try {} again: huddle dead-letters retry ID", text::count(dead.len(), "dead letter")));
    }
    lines.join("\n")
}
