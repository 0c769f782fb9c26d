//! Maintenance of a bus: sweeping, dead letters, the archive, checking, importing and migrating.

mod archive;
mod check;
mod dead_letters;
mod import;
mod migrate;
mod sweep;

pub use archive::{Archive, Archived};
pub use check::{BusCheck, CheckBus, MovedFile};
pub use dead_letters::{DeadLetter, DeadLetterList, DeadLetterRetried, ListDeadLetters, RetryDeadLetter};
pub use import::{DocumentsImported, import_documents};
pub use migrate::{BusMigrated, MigratedKind, migrate_bus};
pub use sweep::{AgentCopy, Sweep, Swept};
