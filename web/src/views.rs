//! The views and dialogs, a module each.

#![expect(unreachable_pub, reason = "the component macro makes the properties of every component public")]
#![expect(clippy::needless_pass_by_value, reason = "components own their properties")]

pub mod agents;
pub mod file;
pub mod keys;
pub mod open;
pub mod palette;
pub mod problems;
pub mod reports;
pub mod shared;
pub mod theme;
pub mod timeline;
