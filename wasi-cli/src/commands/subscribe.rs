//! `huddle subscribe`

use huddle_core::model::EventName;
use huddle_core::wire::answer;

use crate::args::{Args, Spec, many};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle subscribe",
    "Ask for copies of events from now on",
    &[many("EVENT", "an event to listen for")],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let events = args.all("EVENT").into_iter().map(EventName::new).collect::<Result<Vec<_>, _>>()?;
    let left = call.bus.subscribe(&me, &events)?;
    call.output
        .answer(|| answer::subscriptions(&me, &left), || format!("✅ {me} now listens for: {}", text::list(&left)))
}
