//! `huddle trace`

use huddle_api::{MessageTrace, Trace, TracedDelivery};

use crate::call::Call;
use crate::failure::Failure;
use crate::remedy::Face;
use crate::text;

/// Say how far a message has come with each recipient, and what it waits for
///
/// A message is stored, offered (an inbox check listed it), seen (read), acked, and answered.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct TraceArgs {
    /// the message's id
    id: String,
}

impl TraceArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let mut trace = call.execute(Trace { message_id: self.id })?;
        for delivery in &mut trace.deliveries {
            delivery.waits_for = Face::Command.waits_for(&delivery.waits_for, &delivery.remedy);
        }
        call.answer(&trace, show)
    }
}

fn show(trace: &MessageTrace) -> String {
    let mut lines = vec![format!("{} → {}: {} ({})", trace.from, trace.to, trace.subject, trace.kind)];
    if trace.deliveries.is_empty() {
        lines.push("   Nobody was there to get it.".to_owned());
    }
    lines.extend(trace.deliveries.iter().map(delivery));
    lines.join("\n")
}

fn delivery(delivery: &TracedDelivery) -> String {
    let stages = [
        ("stored", Some(&delivery.stored_at)),
        ("offered", delivery.offered_at.as_ref()),
        ("seen", delivery.seen_at.as_ref()),
        ("acked", delivery.acked_at.as_ref()),
        ("answered", delivery.answered_at.as_ref()),
    ];
    let rows: Vec<_> =
        stages.iter().map(|(stage, at)| text::row([&format!("   {stage}"), &text::or_dash(*at)])).collect();
    let TracedDelivery { recipient, step, waits_for, .. } = delivery;
    format!("{recipient}: {step}, waits for {waits_for}\n{}", text::table(&rows))
}
