//! What the page draws.

pub mod agents;
pub mod body;
pub mod conversation;
pub mod details;
pub mod file;
pub mod icon;
pub mod keys;
pub mod modal;
pub mod open;
pub mod palette;
pub mod papers;
pub mod problems;
pub mod rehearsal;
pub mod reports;
pub mod search;
pub mod shared;
pub mod shell;
pub mod side;
pub mod theme;
pub mod timeline;
pub mod toast;
