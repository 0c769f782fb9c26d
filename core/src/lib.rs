//! Huddle's core: agents that work side by side talk to each other, and what they said can be read back.
//!
//! The crate holds the protocol and nothing of the world: a caller brings a [`Host`] (clock, randomness, waiting) and an
//! [`Engine`](engine::Engine) (where messages are kept), and asks a [`Bus`](bus::Bus) for operations. The one rule a caller
//! can build on: an operation that returned `Ok` has happened for good; after an error it has not happened, or (when storage
//! failed half-way) it has happened as a whole.
//!
//! ```
//! use huddle_core::bus::{Bus, Draft, NewAgent, InboxFilter};
//! use huddle_core::engine::memory::MemoryEngine;
//! use huddle_core::host::FixedHost;
//!
//! let host = FixedHost::at("2025-11-29T14:30:52Z");
//! let engine = MemoryEngine::new(&host);
//! let bus = Bus::new(&engine, &host);
//! bus.init()?;
//! let ann = "ann".parse()?;
//! let bob = "bob".parse()?;
//! bus.register(&ann, &NewAgent::with_role("architect"))?;
//! bus.register(&bob, &NewAgent::with_role("builder"))?;
//!
//! let sent = bus.send(&ann, &Draft::to(&bob, "Please build the parser"))?;
//! let inbox = bus.inbox(&bob, &InboxFilter::default())?;
//! assert_eq!(inbox.shown[0].message.id, sent.id);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What it does not do: open files or connections, read the environment, print, or start threads.

#![warn(missing_docs)]

#[macro_use]
pub mod wire;

pub mod bus;
pub mod compress;
pub mod engine;
pub mod history;
pub mod host;
pub mod migrate;
pub mod model;
pub mod session;
pub mod state;

pub use host::Host;
