//! `huddle context`

use clap::{Args, Subcommand};
use huddle_api::{ContextList, CreateContext, ListContexts, ReadContext, UpdateContext, UpdatedContext};

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Keep documents that agents extend together
#[derive(Debug, Args)]
pub(crate) struct ContextArgs {
    #[command(subcommand)]
    command: ContextCommand,
}

#[derive(Debug, Subcommand)]
enum ContextCommand {
    Create(CreateArgs),
    Show(ShowArgs),
    List(ListArgs),
    Update(UpdateArgs),
}

/// Start a shared context
#[derive(Debug, Args)]
struct CreateArgs {
    /// the context's name
    name: String,
    /// what it begins with, in Markdown; @FILE reads a file, - reads standard input
    text: Option<String>,
}

/// Print a shared context
#[derive(Debug, Args)]
struct ShowArgs {
    /// the context's name
    name: String,
}

/// List the shared contexts
#[derive(Debug, Args)]
struct ListArgs {}

/// Add to a shared context and tell everybody
#[derive(Debug, Args)]
struct UpdateArgs {
    /// the context's name
    name: String,
    /// what to add, in Markdown; @FILE reads a file, - reads standard input
    text: String,
    /// refuse when the context is not at this version any more
    #[arg(long, value_name = "N", value_parser = super::long_number)]
    expect_version: Option<u64>,
}

impl ContextArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        match self.command {
            ContextCommand::Create(args) => args.run(call),
            ContextCommand::Show(args) => args.run(call),
            ContextCommand::List(ListArgs {}) => list(call),
            ContextCommand::Update(args) => args.run(call),
        }
    }
}

impl CreateArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        call.context.actor()?;
        let text = call.input.text(self.text.as_deref().unwrap_or_default())?;
        let made = call.execute(CreateContext { name: self.name, text })?;
        call.answer(&made, |made| format!("✅ Created shared context: {}", made.entry.name))
    }
}

impl ShowArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let context = call.execute(ReadContext { name: self.name })?;
        call.answer(&context, |context| context.content.clone())
    }
}

impl UpdateArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        call.context.actor()?;
        let text = call.input.text(&self.text)?;
        let request = UpdateContext { name: self.name, text, expected_version: self.expect_version };
        let updated = call.execute(request)?;
        call.answer(&updated, updated_text)
    }
}

fn list(call: &mut Call<'_>) -> Result<(), Failure> {
    let contexts = call.execute(ListContexts {})?;
    call.answer(&contexts, table)
}

fn table(list: &ContextList) -> String {
    if list.contexts.is_empty() {
        return "No shared contexts. Start one: huddle context create NAME TEXT".to_owned();
    }
    let mut rows = vec![text::row([&"CONTEXT", &"VERSION", &"UPDATED", &"CONTRIBUTORS"])];
    rows.extend(list.contexts.iter().map(|context| {
        let updated = text::or_dash(context.updated_at.as_ref());
        text::row([&context.name, &context.version, &updated, &text::list(&context.contributors)])
    }));
    text::table(&rows)
}

fn updated_text(UpdatedContext { entry, notice, told }: &UpdatedContext) -> String {
    format!(
        "✅ Updated shared context: {} (version {})\n   Notice: {notice} to {}",
        entry.name,
        entry.version,
        text::list(told)
    )
}
