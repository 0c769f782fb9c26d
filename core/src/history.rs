//! History: everything that agents left behind, read back as one model.
//!
//! Rows of a [`Table`](huddle_scan::Table) are what was found; *entries* are the rows that stand for something that was said
//! or done, once each, in order of time (a mailbox keeps several copies of one message: one of them is the entry). All
//! that is shown is a pure function of the table, the entries and the copies.

pub mod copies;

pub use copies::{CopyPlace, MailCopy};
