//! `cargo xtask demo`: a story of four agents, played for a newcomer and then shown in the page, live.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use huddle_view::{Page, Server, Sources};

use crate::wasm::{self, Program};
use crate::{cargo, dist, page, progress};

/// How to play.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// End after the story, once the page and the story's files were seen to be served.
    #[arg(long)]
    once: bool,
}

/// Plays the story into a new directory and shows it until somebody ends it.
pub(crate) fn run(args: &Args) -> Result<()> {
    let [component, code, demo] = progress::build([
        ("component", Program::COMPONENT),
        ("page", Program::PAGE),
        ("wasmtime host", Program::DEMO),
    ])?;
    wasm::place(Program::COMPONENT, &component, &dist::path("huddle.wasm"))?;
    page::assemble(&code)?;
    let mut story = Command::new(demo);
    let dir = tempfile::Builder::new().prefix("huddle-demo-").tempdir()?.keep();
    story.arg("--dir").arg(&dir);
    cargo::finish(story)?;
    // The server of `huddle view`, linked into this program: building the command for it would take a minute more.
    let server = Server::start(Page::in_dir(page::folder()), Sources::open(&[&dir])?, 0)?;
    invite(&server, &dir);
    if args.once {
        return try_out(&server);
    }
    server.wait();
    Ok(())
}

/// Returns where to look, and what to do to see something happen.
fn invite(server: &Server, dir: &Path) {
    println!("\nHuddle shows all of it at {}", server.sources_url());
    println!("To see a message appear there, run this in another terminal:\n");
    println!("  cargo run -q -p huddle -- --root {} --as lead send bob 'Well done'\n", dir.display());
    println!("Ctrl+C ends it");
}

/// Fetches the page and the list of files once, as a browser would.
fn try_out(server: &Server) -> Result<()> {
    for (path, wanted) in [("/", "<!doctype html>"), ("/session/", "\"path\":\".agent-messages/registry.json\"")] {
        let answer = get(server.port(), path)?;
        ensure!(
            answer.starts_with("HTTP/1.1 200 ") && answer.contains(wanted),
            "trying out the server: {path} gave {answer:.200}"
        );
        println!("fetched {path}: {} bytes", answer.len());
    }
    Ok(())
}

/// Asks for a path, and gives all that comes back.
fn get(port: u16, path: &str) -> Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).context("connecting to our own server failed")?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).with_context(|| format!("fetching {path} from our own server failed"))?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn trying_out_sees_what_is_missing() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("index.html"), "<!doctype html>").unwrap();
        let serve = || Server::start(Page::in_dir(dir.path()), Sources::open(&[dir.path()]).unwrap(), 0).unwrap();
        let error = try_out(&serve()).unwrap_err().to_string();
        assert!(error.starts_with("trying out the server: /session/ gave HTTP/1.1 200 OK"), "{error}");
        fs::create_dir(dir.path().join(".agent-messages")).unwrap();
        fs::write(dir.path().join(".agent-messages/registry.json"), "{}").unwrap();
        try_out(&serve()).unwrap();
    }
}
