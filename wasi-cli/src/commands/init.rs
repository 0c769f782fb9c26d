//! `huddle init`

use huddle_core::wire::answer;

use crate::args::{Args, Spec};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command("huddle init", "Make the message bus of a project", &[], run).more(
    "Makes .agent-messages/ with its directories, registry.json and routing.json. A second call changes nothing.",
);

fn run(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let created = call.bus.init()?;
    let place = call.project.bus_place;
    call.output.answer(
        || answer::initialized(place, created),
        || match created {
            true => format!("✅ Message bus initialized at {place}"),
            false => format!("Message bus at {place} is there already; nothing was changed"),
        },
    )
}
