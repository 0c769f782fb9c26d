//! `huddle context`

use clap::{Args, Subcommand};
use huddle_core::bus::ContextUpdated;
use huddle_core::model::{Context as Document, ContextName};
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;
use crate::text;

/// Keep documents that agents extend together
#[derive(Debug, Subcommand)]
pub(crate) enum Context {
    Create(Create),
    Show(Show),
    List(List),
    Update(Update),
}

impl Context {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        match self {
            Self::Create(command) => command.run(session),
            Self::Show(command) => command.run(session),
            Self::List(command) => command.run(session),
            Self::Update(command) => command.run(session),
        }
    }
}

/// Start a shared context
#[derive(Debug, Args)]
pub(crate) struct Create {
    /// The context's name
    name: ContextName,
    /// What it begins with, in Markdown; @FILE reads a file, - reads standard input
    #[arg(value_name = "TEXT|@FILE|-", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    content: String,
}

impl Create {
    fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let content = session.input.text(&self.content)?;
        let made = session.bus.create_context(&me, &self.name, &content)?;
        session.output.answer(|| answer::context(&made), || format!("✅ Created shared context: {}", made.name))
    }
}

/// Print a shared context
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The context's name
    name: ContextName,
}

impl Show {
    fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let context = session.bus.context(&self.name)?;
        session.output.answer(|| answer::context(&context), || context.text.clone())
    }
}

/// List the shared contexts
#[derive(Debug, Args)]
pub(crate) struct List {}

impl List {
    fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let found = session.bus.contexts()?;
        session.output.found(found.findings);
        session.output.answer(|| answer::contexts(&found.value), || table(&found.value))
    }
}

fn table(contexts: &[Document]) -> String {
    if contexts.is_empty() {
        return "No shared contexts. Start one: huddle context create NAME TEXT".to_owned();
    }
    let mut rows = vec![text::row([&"CONTEXT", &"VERSION", &"UPDATED", &"CONTRIBUTORS"])];
    rows.extend(contexts.iter().map(|context| {
        let updated = text::or_dash(context.updated_at.as_ref());
        text::row([&context.name, &context.version, &updated, &text::list(&context.contributors)])
    }));
    text::table(&rows)
}

/// Add to a shared context and tell everybody
#[derive(Debug, Args)]
pub(crate) struct Update {
    /// The context's name
    name: ContextName,
    /// What to add, in Markdown; @FILE reads a file, - reads standard input
    #[arg(value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    content: String,
    /// Refuse when the context is not at this version any more
    #[arg(long, value_name = "N")]
    expect_version: Option<u64>,
}

impl Update {
    fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let content = session.input.text(&self.content)?;
        let updated = session.bus.update_context(&me, &self.name, &content, self.expect_version)?;
        session.output.answer(|| answer::context_updated(&updated), || told(&updated))
    }
}

fn told(ContextUpdated { context, notice, told }: &ContextUpdated) -> String {
    format!(
        "✅ Updated shared context: {} (version {})\n   Notice: {notice} to {}",
        context.name,
        context.version,
        text::list(told)
    )
}
