//! `huddle trace`

use huddle_core::bus::{Trace, TracedDelivery};
use huddle_core::wire::answer;

use crate::args::{Args, Spec, must};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle trace",
    "Say how far a message has come with each recipient, and what it waits for",
    &[must("ID", "the message's id")],
    run,
)
.more("A message is stored, offered (an inbox check listed it), seen (read), acked, and answered.");

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let trace = call.value(call.bus.trace(&args.name("ID")?)?);
    call.output.answer(|| answer::trace(&trace), || show(&trace))
}

fn show(trace: &Trace) -> String {
    let message = &trace.message;
    let mut lines = vec![format!("{} → {}: {} ({})", message.from, message.to, message.subject, message.kind)];
    if trace.deliveries.is_empty() {
        lines.push("   Nobody was there to get it.".to_owned());
    }
    lines.extend(trace.deliveries.iter().map(way));
    lines.join("\n")
}

fn way(delivery: &TracedDelivery) -> String {
    let steps = [
        ("stored", Some(delivery.stored_at)),
        ("offered", delivery.offered_at),
        ("seen", delivery.seen_at),
        ("acked", delivery.acked_at),
        ("answered", delivery.answered_at),
    ];
    let rows: Vec<_> =
        steps.iter().map(|(step, at)| text::row([&format!("   {step}"), &text::or_dash(at.as_ref())])).collect();
    let TracedDelivery { recipient, step, waits_for, .. } = delivery;
    format!("{recipient}: {step}, waits for {waits_for}\n{}", text::table(&rows))
}
