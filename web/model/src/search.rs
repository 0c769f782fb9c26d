//! The query as it is typed.

pub mod cursor;
pub mod terms;
