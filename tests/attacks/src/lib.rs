//! The catalogue of attacks on a bus: hostile names, links, journal entries, leases, mail and arguments.
//!
//! Every attack runs against a [`Target`], the native command or the component, and holds all of its runs to the same
//! rules: nothing outside of the project is read or written, nothing hangs, panics or traps, nothing reaches a terminal
//! raw, and no command fails because of a file that does not concern it. Each function of this crate is one part of the
//! catalogue; it returns how much was tried, and panics with all violations when there are any.

#![cfg(unix)]

mod audit;
mod commands;
mod contents;
mod delivery;
mod fields;
mod journal;
mod leases;
mod links;
mod mail;
mod mending;
mod names;
mod project;
mod reproductions;
mod target;

pub use audit::Counts;
pub use contents::contents;
pub use delivery::undeliverable_mail;
pub use fields::fields;
pub use journal::forged_entries;
pub use leases::forged_leases;
pub use links::links;
pub use mail::poisoned_inboxes;
pub use mending::mending;
pub use names::names;
pub use project::{AttackedProject, SECRET, Template};
pub use reproductions::{
    clone_runs_no_code, dangling_links_stay_dangling, escapes_stay_in_the_text, headers_are_not_imitated,
    large_bodies_are_refused, long_fields_are_refused_or_listed, many_foreign_files_cost_little,
    odd_subjects_are_answered,
};
pub use target::{Ran, Target, within_time_limit};

/// How much of a product is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Every combination.
    Whole,
    /// Every row and every column at least once.
    Sample,
}

impl Extent {
    /// Returns whether a cell of a product belongs to it: of a sample, every seventh diagonal.
    fn includes(self, row: usize, column: usize) -> bool {
        self == Self::Whole || (row + column).is_multiple_of(7)
    }
}
