//! `huddle mcp` under wasmtime, asked by clients that are not ours: the official Rust SDK's and the Python SDK's.

mod calls;
mod confinement;
mod fixture;
mod notices;
mod python;
mod rough;
