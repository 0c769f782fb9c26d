//! `huddle session data`

use huddle_api::{ListSharedData, PutSharedData, ShowSharedData, document};

use super::{SessionOption, json_text, table};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Share data that are too much for a report
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
pub(super) struct DataArgs {
    #[command(subcommand)]
    command: DataCommand,
}

#[derive(Debug, clap::Subcommand)]
enum DataCommand {
    Put(PutArgs),
    Get(GetArgs),
    List(ListArgs),
}

impl DataArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        match self.command {
            DataCommand::Put(args) => args.run(call),
            DataCommand::Get(args) => args.run(call),
            DataCommand::List(args) => args.run(call),
        }
    }
}

/// Write shared data under a name of their own, and log it
#[derive(Debug, clap::Args)]
struct PutArgs {
    /// their name, as in vulnerabilities
    name: String,
    /// a file, JSON, or - for standard input, which is the default
    data: Option<String>,
    /// who made them; by default the agent that acts
    #[arg(long, value_name = "AGENT")]
    from: Option<String>,
    /// what they hold
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// even if there are data of that name
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    session: SessionOption,
}

impl PutArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { name, data, from, description, replace, session } = self;
        if from.is_none() {
            call.context.actor()?;
        }
        let data = json_text(data.as_deref(), call)?;
        let request = PutSharedData { session: session.id, agent: from, name, data, description, replace };
        let made = call.execute(request)?;
        call.answer(&made, |made| format!("✅ {}", made.artifact))
    }
}

/// Print shared data
#[derive(Debug, clap::Args)]
struct GetArgs {
    /// their name
    name: String,
    #[command(flatten)]
    session: SessionOption,
}

impl GetArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let data = call.execute(ShowSharedData { session: self.session.id, name: self.name })?;
        call.output.content(&data.bytes, |_| document(&data))
    }
}

/// List shared data, who made them and what they hold
#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    session: SessionOption,
}

impl ListArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let list = call.execute(ListSharedData { session: self.session.id })?;
        call.answer(&list, |list| {
            let rows = list.data.iter().map(|one| {
                let [from, at, description] =
                    [&one.from, &one.timestamp, &one.description].map(|text| text::or_dash(text.as_ref()));
                [one.artifact.clone(), from, at, description]
            });
            table(["DATA", "FROM", "AT", "DESCRIPTION"], rows, "No data.")
        })
    }
}
