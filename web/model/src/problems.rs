//! What the view of problems computes.

pub mod bytes;
pub mod groups;
