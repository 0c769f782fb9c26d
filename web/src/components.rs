//! Widgets that several views share.

pub mod body;
pub mod message;
pub mod text;
