//! `huddle agents`

use huddle_core::bus::AgentView;
use huddle_core::wire::answer;

use crate::args::{Args, Spec, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle agents",
    "List the agents, when they were last seen, and what waits for them",
    &[option("capability", "CAPABILITY", "only those that can be asked for this")],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let agents = call.value(call.bus.agents(args.text("capability"))?);
    call.output.answer(|| answer::agents(&agents), || table(&agents))
}

fn table(views: &[AgentView]) -> String {
    if views.is_empty() {
        return "No such agents. Register one: huddle register AGENT --role ROLE".to_owned();
    }
    let mut rows =
        vec![text::row([&"AGENT", &"ROLE", &"STATUS", &"LAST SEEN", &"UNREAD", &"OLDEST UNREAD", &"CAPABILITIES"])];
    rows.extend(views.iter().map(|AgentView { name, agent, unread }| {
        let (seen, oldest) = (text::or_dash(agent.last_seen.as_ref()), text::or_dash(unread.oldest.as_ref()));
        text::row([name, &agent.role, &agent.status, &seen, &unread.count, &oldest, &text::list(&agent.capabilities)])
    }));
    text::table(&rows)
}
