//! A virtual list: a million rows, each of its own height, of which only those around the reader exist.

pub mod heights;
pub mod pages;
pub mod scroll;
pub mod unread;
pub mod words;
