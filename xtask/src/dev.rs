//! `cargo xtask dev`: the page while somebody works on it, rebuilt and reloaded at every change in `web/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};
use huddle_view::{Page, Server, Sources};

use crate::wasm::{self, Program};
use crate::{cargo, page};

/// How often files are looked at.
const POLL: Duration = Duration::from_millis(300);

/// What the page reloads for, and the script that asks for it.
const VERSION: &str = "version.txt";
const SCRIPT: &str = "dev.js";

/// Asks for the version again and again: the page's policy allows requests to its own server only.
const RELOAD: &str = r#"const version = async () => (await fetch("version.txt", { cache: "no-store" })).text();
let shown;
setInterval(async () => {
  const now = await version().catch(() => shown);
  if (shown !== undefined && now !== shown) location.reload();
  shown = now;
}, 300);
"#;

/// What to show.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A project, a session or a log [default: a mailbox of tests/fixtures].
    path: Option<PathBuf>,
    /// The port to serve on [default: any that is free].
    #[arg(long, default_value_t = 0)]
    port: u16,
}

/// Serves the page, and rebuilds it whenever a file that it is made of changes, until somebody ends it.
///
/// There is nothing to clean up: the server is a thread of this program, and everything it serves is in the target directory.
pub(crate) fn run(args: &Args) -> Result<()> {
    let shown = args.path.clone().unwrap_or_else(|| cargo::root().join("tests/fixtures/troubled-mailbox"));
    let sources = Sources::open(&[shown])?;
    let folder = cargo::target().join("dev-page");
    let mut changed = newest(&watched())?;
    rebuild(&folder, changed)?;
    let server = Server::start(Page::in_dir(folder.clone()), sources, args.port)?;
    println!("the page is at {}; Ctrl+C ends it", server.sources_url());
    loop {
        thread::sleep(POLL);
        let now = newest(&watched())?;
        if now != changed {
            changed = now;
            // What does not compile has been reported, and the page stays as it was.
            if let Err(error) = rebuild(&folder, now) {
                eprintln!("{error:#}; waiting for a change");
            }
        }
    }
}

fn rebuild(folder: &Path, changed: SystemTime) -> Result<()> {
    let start = Instant::now();
    let code = wasm::build(Program::DEV_PAGE)?;
    fs::create_dir_all(folder)?;
    page::make(&code, folder)?;
    let index = folder.join("index.html");
    let text = fs::read_to_string(&index)?;
    fs::write(&index, with_script(&text)?)?;
    fs::write(folder.join(SCRIPT), RELOAD)?;
    // Last: what reloads finds everything in its place.
    fs::write(folder.join(VERSION), format!("{changed:?}"))?;
    println!("built in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn with_script(index: &str) -> Result<String> {
    let (head, rest) = index.split_once("<script ").context("index.html has no script to begin with")?;
    Ok(format!("{head}<script type=\"module\" src=\"{SCRIPT}\"></script>\n<script {rest}"))
}

/// Returns what the page is made of.
fn watched() -> Vec<PathBuf> {
    ["web", "core/src", "core/scan/src", "index.html"].map(|path| cargo::root().join(path)).into()
}

/// Returns when the newest of some files, and of all in some directories, was written.
fn newest(paths: &[PathBuf]) -> Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut rest = paths.to_vec();
    while let Some(path) = rest.pop() {
        // An editor may have replaced a file since it was listed.
        let Ok(metadata) = fs::metadata(&path) else { continue };
        newest = newest.max(metadata.modified()?);
        if metadata.is_dir() {
            for entry in fs::read_dir(&path).with_context(|| format!("listing failed: {}", path.display()))? {
                rest.push(entry?.path());
            }
        }
    }
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_files_in_directories_are_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("src/view.rs");
        fs::create_dir(dir.path().join("src")).unwrap();
        fs::write(&file, "").unwrap();
        let before = newest(&[dir.path().to_owned()]).unwrap();
        let later = SystemTime::now() + Duration::from_secs(5);
        fs::File::options().write(true).open(&file).unwrap().set_modified(later).unwrap();
        assert!(newest(&[dir.path().to_owned()]).unwrap() > before);
    }

    #[test]
    fn the_script_that_reloads_comes_first() {
        let text = fs::read_to_string(cargo::root().join("index.html")).unwrap();
        let text = with_script(&text).unwrap();
        assert!(text.find(SCRIPT).unwrap() < text.find("loader.js").unwrap());
    }
}
