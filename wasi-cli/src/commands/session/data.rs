//! `huddle session data`

use huddle_core::model::{AgentName, ArtifactName};
use huddle_core::wire::answer::session as answer;

use super::{ID, json_text, session, table};
use crate::args::{Args, Spec, flag, maybe, must, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec =
    Spec::group("huddle session data", "Share data that are too much for a report", &[PUT, GET, LIST]);

const PUT: Spec = Spec::command(
    "huddle session data put",
    "Write shared data under a name of their own, and log it",
    &[
        must("NAME", "their name, as in vulnerabilities"),
        maybe("DATA", "a file, JSON, or - for standard input, which is the default"),
        option("from", "AGENT", "who made them; by default the agent that acts"),
        option("description", "TEXT", "what they hold"),
        flag("replace", "even if there are data of that name"),
        ID,
    ],
    put,
);

const GET: Spec = Spec::command("huddle session data get", "Print shared data", &[must("NAME", "their name"), ID], get);

const LIST: Spec =
    Spec::command("huddle session data list", "List shared data, who made them and what they hold", &[ID], list);

fn put(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let (id, name): (_, ArtifactName) = (session(args, call)?, args.name("NAME")?);
    let from = match args.text("from") {
        Some(from) => AgentName::new(from)?,
        None => call.me()?,
    };
    let content = json_text(args.text("DATA"), call)?;
    let made =
        call.project.sessions.put_data(&id, &from, &name, &content, args.text("description"), args.has("replace"))?;
    call.output.answer(|| answer::data_file(&made), || format!("✅ {}", made.path))
}

fn get(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let (id, name): (_, ArtifactName) = (session(args, call)?, args.name("NAME")?);
    let (path, bytes) = call.project.sessions.data(&id, &name)?;
    call.output.content(&bytes, |_| answer::data(&path, &bytes))
}

fn list(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id = session(args, call)?;
    let found = call.project.sessions.data_list(&id)?;
    call.output.found(found.findings);
    let answer = answer::data_list(&found.value);
    let columns = [("DATA", "artifact"), ("FROM", "from"), ("AT", "timestamp"), ("DESCRIPTION", "description")];
    let shown = table(&answer, "data", &columns, "No data.");
    call.output.answer(|| answer, || shown)
}
