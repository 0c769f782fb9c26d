//! `huddle archive`

use huddle_api::{Archive, Archived, When};

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Put read messages away under archive/
///
/// Nothing is removed by itself, unless huddle_limits.maxAgeHours is set in registry.json: then huddle sweep removes from the archive what was sent longer ago.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ArchiveArgs {
    /// what was sent before this time, or longer ago than this; by default the retention
    #[arg(long, value_name = "SPAN|TIME", value_parser = When::parse)]
    before: Option<When>,
    /// unread messages, too
    #[arg(long)]
    unread: bool,
    /// then remove from the archive, for good, the days that ended before this time, or longer ago than this
    #[arg(long, value_name = "SPAN|TIME", value_parser = When::parse)]
    prune: Option<When>,
}

impl ArchiveArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { before, unread, prune } = self;
        let archived = call.execute(Archive { before, unread, prune })?;
        call.answer(&archived, show)
    }
}

fn show(Archived { archived, pruned }: &Archived) -> String {
    let pruned = pruned.map(|pruned| format!(", removed {} from the archive", text::count(pruned, "message")));
    format!("✅ Archived {}{}", text::count(*archived, "message"), pruned.unwrap_or_default())
}
