//! `huddle session`

mod data;
mod lifecycle;
mod log;
mod report;
mod transitions;
mod wait;

use huddle_core::model::{ErrorKind, JsonMap};
use huddle_core::wire;
use huddle_core::wire::mailbox::parse_object;

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Do one job with several agents: who waits for whom, who is done, what each found
///
/// A session is a directory of .claude/agents/context/. Say which with --id or HUDDLE_SESSION.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, disable_help_subcommand = true)]
pub(crate) struct SessionArgs {
    #[command(subcommand)]
    command: SessionCommand,
}

#[derive(Debug, clap::Subcommand)]
enum SessionCommand {
    Start(lifecycle::StartArgs),
    List(lifecycle::ListArgs),
    Status(lifecycle::StatusArgs),
    Join(transitions::JoinArgs),
    Progress(transitions::ProgressArgs),
    Complete(transitions::CompleteArgs),
    Fail(transitions::FailArgs),
    Retry(transitions::RetryArgs),
    Wait(wait::WaitArgs),
    Ready(wait::ReadyArgs),
    Log(log::LogArgs),
    Events(log::EventsArgs),
    Report(report::ReportArgs),
    Data(data::DataArgs),
    Recover(wait::RecoverArgs),
    Close(lifecycle::CloseArgs),
}

impl SessionArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        match self.command {
            SessionCommand::Start(args) => args.run(call),
            SessionCommand::List(args) => args.run(call),
            SessionCommand::Status(args) => args.run(call),
            SessionCommand::Join(args) => args.run(call),
            SessionCommand::Progress(args) => args.run(call),
            SessionCommand::Complete(args) => args.run(call),
            SessionCommand::Fail(args) => args.run(call),
            SessionCommand::Retry(args) => args.run(call),
            SessionCommand::Wait(args) => args.run(call),
            SessionCommand::Ready(args) => args.run(call),
            SessionCommand::Log(args) => args.run(call),
            SessionCommand::Events(args) => args.run(call),
            SessionCommand::Report(args) => args.run(call),
            SessionCommand::Data(args) => args.run(call),
            SessionCommand::Recover(args) => args.run(call),
            SessionCommand::Close(args) => args.run(call),
        }
    }
}

/// Which session.
#[derive(Debug, clap::Args)]
struct SessionOption {
    /// the session; else CLAUDE_SESSION_ID names it
    #[arg(long, value_name = "SESSION", env = "HUDDLE_SESSION")]
    id: Option<String>,
}

/// Reads JSON that is given outright, in a file, or on standard input (`-`, or when it is not given).
fn json_text(argument: Option<&str>, call: &mut Call<'_>) -> Result<String, Failure> {
    let argument = argument.unwrap_or("-");
    let outright = argument.starts_with(['-', '@']) || wire::parse(argument.as_bytes()).is_ok();
    // What looks like JSON and is none is not a file's name.
    if outright || argument.trim_start().starts_with(['{', '[']) {
        return call.input.text(argument);
    }
    let bytes = call.input.file(argument)?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::new(ErrorKind::Invalid, format!("not UTF-8: {argument}"), "give JSON"))
}

/// Reads a JSON object.
fn object(argument: Option<&str>, call: &mut Call<'_>) -> Result<JsonMap, Failure> {
    let text = json_text(argument, call)?;
    parse_object(text.as_bytes()).map_err(|error| {
        let place = argument.filter(|place| !place.trim_start().starts_with('{')).unwrap_or("the argument");
        Failure::new(ErrorKind::Invalid, format!("a report is a JSON object: {error}: {place}"), "check the quoting")
    })
}

/// Formats rows in columns below their headings.
fn table<const N: usize>(headings: [&str; N], rows: impl Iterator<Item = [String; N]>, none: &str) -> String {
    let mut cells = vec![Vec::from(headings.map(str::to_owned))];
    cells.extend(rows.map(Vec::from));
    if cells.len() == 1 { none.to_owned() } else { text::table(&cells) }
}
