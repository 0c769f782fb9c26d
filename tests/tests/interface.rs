//! The typed interface: what a function gives is held, field by field, against what the command prints of the same.

mod asking;
mod fixture;
mod history;
mod jobs;
mod messages;
mod tools;
