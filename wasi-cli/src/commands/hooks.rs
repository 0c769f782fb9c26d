//! `huddle hooks`

use huddle_core::model::Json;

use crate::args::{Args, Spec, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle hooks",
    "Print the settings by which an agent is shown how much it has not read",
    &[option(
        "run",
        "COMMAND",
        "how huddle is called there, as in 'wasmtime run --dir . --env HUDDLE_AGENT huddle.wasm'",
    )
    .default("huddle")],
    run,
)
.more(
    "\
For .claude/settings.json: when a session begins and with every prompt, an agent that has mail is told so in a line. Who it
is, is --as AGENT; without it, HUDDLE_AGENT says so when the hook runs. A hook that cannot tell says nothing.",
);

/// When an agent is told: before it begins, and before it goes on.
const MOMENTS: [&str; 2] = ["SessionStart", "UserPromptSubmit"];

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me_if_told()?.map(|me| format!(" --as '{}'", me.as_str().replace('\'', r"'\''"))).unwrap_or_default();
    // A hook that ends with 2 blocks the prompt, which is worse than not being told of mail.
    let command = format!("{} inbox --count{me} || true", args.need("run"));
    let hook = Json::from_iter([("type", "command"), ("command", &command)]);
    let group = Json::from_iter([("hooks", Json::Array(vec![hook]))]);
    let moments = Json::from_iter(MOMENTS.map(|moment| (moment, Json::Array(vec![group.clone()]))));
    let settings = Json::from_iter([("hooks", moments)]);
    let text = format!("{settings:#}");
    call.output.answer(|| settings, || text)
}
