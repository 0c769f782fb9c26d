//! Runs Huddle's WebAssembly guests under an embedded wasmtime, the way an agent would.
//!
//! A [`Guest`] is compiled once and started as often as a test likes, from as many threads as it
//! likes; a [`Run`] describes one start: arguments, environment, directories, clock, and where to
//! stop. Nothing of the host reaches the guest unless its `Run` hands it over.
//!
//! ```no_run
//! use huddle_tests::{Run, artifact};
//!
//! let outcome = Run::new(artifact::component()?)
//!     .args(["send", "bob", "hello"])
//!     .env("HUDDLE_AGENT", "alice")
//!     .dir("/tmp/project", ".")
//!     .start()?;
//! assert_eq!(outcome.code, 0);
//! # anyhow::Ok(())
//! ```

pub mod artifact;
pub mod bench;
pub mod bindings;
mod cache;
pub mod changes;
mod clock;
pub mod golden;
mod guest;
pub mod hosts;
mod instance;
mod meter;
pub mod project;
mod run;
pub mod snippets;
mod state;
pub mod test_project;
pub mod tools;
pub mod tree;

pub use clock::Clock;
pub use guest::Guest;
pub use instance::Instance;
pub use project::Project;
pub use run::{Outcome, Run};
pub use state::State;

/// Returns whether everything is to be tried, as `cargo xtask test --all` has it: large crowds, every form of the command,
/// and stops after every host call.
pub fn is_thorough() -> bool {
    std::env::var_os("HUDDLE_ALL").is_some_and(|all| all == "1")
}
