//! `huddle mcp` under wasmtime, asked by clients that are not ours: the official Rust SDK's and the Python SDK's.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

mod calls;
mod confinement;
mod fixture;
mod notices;
mod python;
mod rough;
