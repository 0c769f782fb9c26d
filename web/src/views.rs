//! The views and dialogs, a module each.

#![expect(unreachable_pub, reason = "the component macro makes the properties of every component public")]
#![expect(clippy::needless_pass_by_value, reason = "components own their properties")]

pub mod agents;
pub mod conversation;
pub mod details;
pub mod file;
pub mod keys;
pub mod open;
pub mod palette;
pub mod problems;
pub mod reports;
pub mod search;
pub mod shared;
pub mod shell;
pub mod side;
pub mod theme;
pub mod timeline;
