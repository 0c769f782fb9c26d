//! `huddle sweep`

use huddle_api::{AgentCopy, Sweep, Swept, span};
use huddle_core::model::Span;

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Offer anew what got no sign in time, give up on what was offered often enough, archive what is old
///
/// Safe to run at any time, by anyone, twice. Senders of what was given up on are told.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SweepArgs {
    /// how long a message that needs a reply may go without a sign
    #[arg(long, value_name = "SECONDS", default_value = "1h", value_parser = span)]
    timeout: Span,
    /// how often to offer it anew before giving up
    #[arg(long, value_name = "N", default_value = "3", value_parser = attempts)]
    attempts: u32,
    /// how long read messages stay; by default as registry.json says (72 hours)
    #[arg(long, value_name = "SECONDS", value_parser = span)]
    retention: Option<Span>,
}

impl SweepArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { timeout, attempts, retention } = self;
        let swept = call.execute(Sweep { timeout: Some(timeout), attempts: Some(attempts), retention })?;
        call.answer(&swept, show)
    }
}

fn attempts(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "give a whole number".to_owned())
}

fn show(Swept { redelivered, dead, archived, pruned }: &Swept) -> String {
    let (again, lost) = (redelivered.len(), dead.len());
    let removed = pruned.map(|pruned| format!(", {pruned} removed from the archive")).unwrap_or_default();
    let mut lines = vec![format!("✅ Swept: {again} redelivered, {lost} given up on, {archived} archived{removed}")];
    let copy = |what: &str, AgentCopy { recipient, id }: &AgentCopy| format!("   {what} {id} for {recipient}");
    lines.extend(redelivered.iter().map(|each| copy("redelivered", each)));
    lines.extend(dead.iter().map(|each| copy("given up on", each)));
    if !dead.is_empty() {
        lines.push(format!("   Try {} again: huddle dead-letters retry ID", text::count(dead.len(), "dead letter")));
    }
    lines.join("\n")
}
