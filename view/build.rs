//! Compiles the crate again when the page that it embeds has changed.

use std::env;
use std::path::Path;

const PAGE: &str = "../dist/web";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_EMBEDDED").is_none() {
        return;
    }
    println!("cargo::rerun-if-changed={PAGE}");
    if !Path::new(PAGE).join("index.html").exists() {
        println!(
            "cargo::error=there is no page to embed in dist/web: `cargo xtask web` makes it, `cargo xtask build` both"
        );
    }
}
