//! Archiving what was read.

use serde::{Deserialize, Serialize};

use crate::{Context, Error, Operation, When};

/// Archives read messages.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Archive {
    /// Only what was sent before; by default the retention.
    pub before: Option<When>,
    /// Whether to archive unread messages, too.
    pub unread: bool,
    /// Then removes from the archive the days that ended before.
    pub prune: Option<When>,
}

/// The result of archiving.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Archived {
    /// How many messages were archived.
    pub archived: usize,
    /// How many were removed from the archive; none when that was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pruned: Option<usize>,
}

impl Operation for Archive {
    type Response = Archived;

    fn run(self, context: &mut Context<'_>) -> Result<Archived, Error> {
        let now = context.now();
        let archived = context.bus().archive(self.before.map(|before| before.before(now)), self.unread)?;
        let pruned = self.prune.map(|before| context.bus().prune(before.before(now))).transpose()?;
        Ok(Archived { archived, pruned })
    }
}
