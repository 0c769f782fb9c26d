//! What the page draws.

pub mod agents;
pub mod conversation;
pub mod details;
pub mod keys;
pub mod open;
pub mod palette;
pub mod problems;
pub mod reports;
pub mod search;
pub mod shared;
pub mod shell;
pub mod side;
pub mod timeline;
