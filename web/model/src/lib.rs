//! What the viewer knows and computes, without a browser.
//!
//! The page ([`protocol`], [`route`]) and its worker ([`dataset`]) stand on this crate, and what views compute before they draw
//! is here ([`list`], [`timeline`], [`agents`] and so on). Nothing here knows Leptos or the browser, so `cargo test` checks all
//! of it natively in seconds.

pub mod agents;
pub mod body;
pub mod bounded_loader;
pub mod commands;
pub mod dataset;
pub mod file_part;
pub mod files;
pub mod findings;
pub mod format;
pub mod limits;
pub mod list;
pub mod loading_words;
pub mod palette;
pub mod panes;
pub mod problems;
pub mod protocol;
pub mod route;
pub mod search;
pub mod theme;
pub mod timeline;
pub mod unpacking;
pub mod words;
pub mod zip;
