//! Real MongoDB servers for tests and the benchmark: installed, started and ended by whoever asks for one.
//!
//! A [`Server`] is one `mongod` and a [`ReplicaSet`] one or several that keep the same; both listen on 127.0.0.1 only, keep
//! their data in a temporary directory, and are gone when the value is dropped or the process ends, however it ends.
//!
//! ```no_run
//! use huddle_mongod::ReplicaSet;
//!
//! let servers = ReplicaSet::start(1)?;
//! let address = servers.url("huddle");
//! assert!(address.starts_with("mongodb://127.0.0.1:"));
//! # anyhow::Ok(())
//! ```

mod admin;
mod install;
mod process;
mod replica_set;
mod server;

pub use replica_set::ReplicaSet;
pub use server::{PASSWORD, Server, USER};
