//! The command from its arguments to its exit code, on a real directory, native and under WASI.

mod compress;
#[cfg(unix)]
mod confinement;
mod damage;
mod documents;
mod errors;
mod help;
mod messages;
mod migrate;
mod orchestrator;
mod sessions;
mod std_fs;
mod support;
mod terminal;
mod upkeep;
