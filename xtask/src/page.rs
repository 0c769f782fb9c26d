//! Bundles the page: the wasm and its bindings, the shell, the styles and the loader.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::cargo;
use crate::wasm::{self, Program};

/// Files that are served as they are, from the workspace root.
const STATIC: [&str; 3] = ["index.html", "web/style.css", "web/loader.js"];

/// Builds the page into an emptied `folder`.
pub(crate) fn build(folder: &Path) -> Result<()> {
    let code = wasm::build(Program::PAGE)?;
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    Bindgen::new()
        .input_path(code)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("huddle_web")
        .generate(folder)
        .context("making the page's bindings failed")?;
    for file in STATIC {
        let from = cargo::root().join(file);
        let name = from.file_name().context("a static file has a name")?;
        fs::copy(&from, folder.join(name)).with_context(|| format!("copying failed: {}", from.display()))?;
    }
    Ok(())
}
