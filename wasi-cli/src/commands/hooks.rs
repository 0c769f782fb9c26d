//! `huddle hooks`

use serde::Serialize;

use crate::call::Call;
use crate::failure::Failure;

/// Print the settings by which an agent is shown how much it has not read
///
/// For .claude/settings.json: when a session begins and with every prompt, an agent that has mail is told so in a line. Who it
/// is, is --as AGENT; without it, HUDDLE_AGENT says so when the hook runs. A hook that cannot tell says nothing.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct HooksArgs {
    /// how huddle is called there, as in 'wasmtime run --dir . --env HUDDLE_AGENT huddle.wasm'
    #[arg(long = "run", value_name = "COMMAND", default_value = "huddle")]
    program: String,
}

/// The settings of Claude Code.
#[derive(Serialize)]
struct Settings<'a> {
    hooks: Hooks<'a>,
}

/// The hooks, by event: before an agent begins, and before it goes on.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Hooks<'a> {
    session_start: [HookGroup<'a>; 1],
    user_prompt_submit: [HookGroup<'a>; 1],
}

#[derive(Clone, Copy, Serialize)]
struct HookGroup<'a> {
    hooks: [Hook<'a>; 1],
}

#[derive(Clone, Copy, Serialize)]
struct Hook<'a> {
    r#type: &'static str,
    command: &'a str,
}

impl HooksArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let agent = call.context.agent()?;
        let agent = agent.map(|agent| format!(" --as '{}'", agent.as_str().replace('\'', r"'\''"))).unwrap_or_default();
        // A hook that ends with 2 blocks the prompt, which is worse than not being told of mail.
        let command = format!("{} inbox --count{agent} || true", self.program);
        let group = HookGroup { hooks: [Hook { r#type: "command", command: &command }] };
        let settings = Settings { hooks: Hooks { session_start: [group], user_prompt_submit: [group] } };
        call.answer(&settings, |settings| format!("{:#}", huddle_api::document(settings)))
    }
}
