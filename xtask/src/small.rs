//! Makes finished modules smaller: with Binaryen's `wasm-opt`, which comes from npm as `xtask/binaryen/` says, and with three
//! rewritings of our own in between, for what neither it nor LLVM sees.

mod frame;
mod module;
mod moves;
mod outline;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};

use crate::{cargo, tools};

/// What the modules may use: all of it was there before, and is in every host that runs them.
const FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-extended-const",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// What is done to them first. Functions are taken apart, so that what LLVM wrote as a loop or a block is found again where
/// it is shorter another way.
const FIRST: [&str; 4] = ["--flatten", "--rereloop", "-Oz", "-Oz"];

/// Keeps the names of functions, by which we know those that have to stay fast. What is done last takes them out.
const WITH_NAMES: &str = "-g";

/// What is done last: constants that take many bytes are kept in locals, and functions and locals that are used most get
/// the shortest numbers.
const LAST: [&str; 4] = ["-Oz", "--const-hoisting", "--reorder-functions", "--reorder-locals"];

/// What is to be small.
#[derive(Clone, Copy)]
pub(crate) enum Aim {
    /// The file itself.
    File,
    /// What goes over the net, which is compressed: there, to write the same again costs less than a way around it.
    Fetched,
}

/// Returns a smaller module that does the same, or the same one, with a word about it, where there is no npm.
pub(crate) fn make(name: &str, module: Vec<u8>, aim: Aim) -> Result<Vec<u8>> {
    if let Err(error) = tools::require_node() {
        eprintln!("{name} stays larger than it could be: {error}");
        return Ok(module);
    }
    let folder = cargo::target().join("small").join(name);
    let (before, after) = (folder.join("before.wasm"), folder.join("after.wasm"));
    if is_done(&before, &after, &module)? {
        return Ok(fs::read(after)?);
    }
    tools::install_packages(&packages(), "makes modules smaller")?;
    fs::create_dir_all(&folder)?;
    // Whoever finds both must find that one comes from the other.
    let _ = fs::remove_file(&after);
    fs::write(&before, &module)?;
    match aim {
        Aim::Fetched => optimise(&before, &FIRST, &after),
        Aim::File => in_three_steps(&before, &folder.join("between.wasm"), &after),
    }
    .with_context(|| format!("making {name} smaller failed"))?;
    Ok(fs::read(after)?)
}

fn in_three_steps(before: &Path, between: &Path, after: &Path) -> Result<()> {
    optimise(before, &[&FIRST[..], &[WITH_NAMES]].concat(), between)?;
    fs::write(between, rewrite(&fs::read(between)?)?)?;
    optimise(between, &LAST, after)
}

/// Runs Binaryen's passes on a file.
fn optimise(from: &Path, passes: &[&str], to: &Path) -> Result<()> {
    let mut command = Command::new("node");
    command.arg(packages().join("node_modules/binaryen/bin/wasm-opt"));
    command.args(FEATURES).args(passes).arg(from).arg("-o").arg(to);
    cargo::finish(command)
}

/// Does what is ours to do.
fn rewrite(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut module = module::Module::read(bytes)?;
    moves::call(&mut module)?;
    frame::keep_places(&mut module);
    outline::share(module.write()?)
}

/// Tells whether this module was made smaller before, by a program that does it in the same way.
fn is_done(before: &Path, after: &Path, module: &[u8]) -> Result<bool> {
    let changed = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let of_this_program = changed(after) > changed(&env::current_exe()?);
    Ok(of_this_program && fs::read(before).is_ok_and(|known| known == module))
}

fn packages() -> PathBuf {
    cargo::root().join("xtask/binaryen")
}
