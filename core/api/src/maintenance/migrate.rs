//! Migrating a bus to another storage engine.

use huddle_core::migrate::{self, KindSummary, MigrationSummary, Progress};
use serde::Serialize;

use crate::{Context, Error, Project};

/// The result of a migration.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BusMigrated {
    /// The place of the source.
    pub from: String,
    /// The place of the target.
    pub to: String,
    /// Whether the target was created.
    pub new_bus: bool,
    /// How many copies of messages were missing there.
    pub new_copies: usize,
    /// What both have, compared by kind.
    pub kinds: Vec<MigratedKind>,
}

/// One kind of data that both buses have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MigratedKind {
    /// The kind.
    pub kind: &'static str,
    /// How many of it the source has.
    pub count: usize,
    /// The hash over all of them.
    pub hash: String,
    /// How many more the target has.
    pub others: usize,
}

/// Migrates a bus into another, compares both, and reports the progress. The diagnostics are collected by the context,
/// whose own project need be neither.
pub fn migrate_bus(
    from: &Project<'_>,
    to: &Project<'_>,
    context: &mut Context<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<BusMigrated, Error> {
    let migrated = migrate::migrate(from.engine(), to.engine(), progress)?;
    let MigrationSummary { is_new, new_copies, kinds } = context.collect(migrated);
    let kind = |KindSummary { kind, count, hash, others }| MigratedKind { kind, count, hash, others };
    Ok(BusMigrated {
        from: from.bus_place().to_owned(),
        to: to.bus_place().to_owned(),
        new_bus: is_new,
        new_copies,
        kinds: kinds.into_iter().map(kind).collect(),
    })
}
