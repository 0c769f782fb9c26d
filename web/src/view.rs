//! What the page draws.

pub mod body;
pub mod conversation;
pub mod details;
pub mod search;
pub mod shell;
pub mod side;
