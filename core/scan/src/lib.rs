//! Bytes of logs into columns: the part of reading history that has to be fast.
//!
//! A [`LogReader`] is given a file's bytes in chunks, as they arrive, and tells a [`Sink`] of every record that it finds and
//! of every byte that is none. A [`Table`] keeps what records have in common as columns; their text stays where it was.
//! The one rule a caller can build on: what a sink was told of a file adds up to the file's size, to the byte.
//!
//! ```
//! use huddle_scan::{LogReader, Table};
//!
//! let log = br#"{"timestamp":"2025-01-23T10:00:00Z","from":"ann","type":"status","message":"hello"}"#;
//! let mut table = Table::default();
//! let mut reader = LogReader::new(0);
//! for chunk in log.chunks(7) {
//!     reader.feed(chunk, &mut table);
//! }
//! let account = reader.end(&mut table);
//! assert_eq!(account.total(), log.len() as u64);
//! assert_eq!(table.symbols.text(table.row(0).from), "ann");
//! ```
//!
//! It is a crate of its own because it is compiled for speed, and the rest of the component for size.

#![warn(missing_docs)]

mod accounting;
mod fields;
mod json;
mod needles;
mod reader;
mod row_builder;
mod symbols;
mod table;
mod text;
pub mod time;

pub use accounting::{ByteAccounting, Damage, Recovery};
pub use fields::{Field, Fields, Value};
pub use json::{ScanError, scan_object};
pub use needles::{Needles, find_in_any_case};
pub use reader::{LogReader, ScannedRecord, Sink, clean, document};
pub use symbols::{Symbol, Symbols};
pub use table::{Flags, NO_TIME, Row, Table};
pub use text::{texts_in, unescape};
