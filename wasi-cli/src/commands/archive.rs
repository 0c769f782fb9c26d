//! `huddle archive`

use clap::Args;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;
use crate::text;
use crate::when::When;

/// Put read messages away under archive/
#[derive(Debug, Args)]
pub(crate) struct Archive {
    /// What was sent before this time, or longer ago than this span; by default the bus's retention
    #[arg(long, value_name = "SPAN|TIME", value_parser = When::parse)]
    before: Option<When>,
    /// Unread messages, too
    #[arg(long)]
    unread: bool,
}

impl Archive {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let before = self.before.map(|before| before.before(session.now()));
        let moved = session.bus.archive(before, self.unread)?;
        session.output.answer(|| answer::archived(moved), || format!("✅ Archived {}", text::count(moved, "message")))
    }
}
