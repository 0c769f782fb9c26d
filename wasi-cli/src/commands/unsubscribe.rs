//! `huddle unsubscribe`

use huddle_core::model::EventName;
use huddle_core::wire::answer;

use crate::args::{Args, Spec, many};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle unsubscribe",
    "Stop getting copies of events",
    &[many("EVENT", "an event not to listen for any more")],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let events = args.all("EVENT").into_iter().map(EventName::new).collect::<Result<Vec<_>, _>>()?;
    let left = call.bus.unsubscribe(&me, &events)?;
    call.output
        .answer(|| answer::subscriptions(&me, &left), || format!("✅ {me} now listens for: {}", text::list(&left)))
}
