//! `huddle sweep`

use huddle_core::bus::{SweepReport, SweepRules};
use huddle_core::model::{AgentName, MessageId};
use huddle_core::wire::answer;

use crate::args::{Args, Spec, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::{text, when};

pub(super) const SPEC: Spec = Spec::command(
    "huddle sweep",
    "Offer anew what got no sign in time, give up on what was offered often enough, archive what is old",
    &[
        option("timeout", "SECONDS", "how long a message that needs a reply may go without a sign").default("1h"),
        option("attempts", "N", "how often to offer it anew before giving up").default("3"),
        option("retention", "SECONDS", "how long read messages stay; by default as registry.json says (72 hours)"),
    ],
    run,
)
.more("Safe to run at any time, by anyone, twice. Senders of what was given up on are told.");

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let default = SweepRules::default();
    let attempts = |text: &str| text.parse().map_err(|_| "give a whole number".to_owned());
    let rules = SweepRules {
        timeout: args.read("timeout", when::span)?.unwrap_or(default.timeout),
        attempts: args.read("attempts", attempts)?.unwrap_or(default.attempts),
        retention: args.read("retention", when::span)?,
    };
    let me = call.me_if_told()?;
    let swept = call.bus.sweep(me.as_ref(), &rules)?;
    call.output.answer(|| answer::swept(&swept), || show(&swept))
}

fn show(SweepReport { redelivered, dead, archived, pruned }: &SweepReport) -> String {
    let (again, lost) = (redelivered.len(), dead.len());
    let removed = if *pruned > 0 { format!(", {pruned} removed from the archive") } else { String::new() };
    let mut lines = vec![format!("✅ Swept: {again} redelivered, {lost} given up on, {archived} archived{removed}")];
    let copy = |what: &str, (agent, id): &(AgentName, MessageId)| format!("   {what} {id} for {agent}");
    lines.extend(redelivered.iter().map(|each| copy("redelivered", each)));
    lines.extend(dead.iter().map(|each| copy("given up on", each)));
    if !dead.is_empty() {
        lines.push(format!("   Try {} again: huddle dead-letters retry ID", text::count(dead.len(), "dead letter")));
    }
    lines.join("\n")
}
