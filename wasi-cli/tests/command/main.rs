//! The command from its arguments to its exit code, on a real directory, native and under WASI.

mod compress;
#[cfg(all(unix, feature = "moving"))]
mod confinement;
mod damage;
mod documents;
mod errors;
mod help;
mod messages;
#[cfg(feature = "moving")]
mod moving;
mod orchestrator;
mod sessions;
mod std_fs;
mod support;
mod terminal;
mod upkeep;
