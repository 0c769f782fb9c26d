//! `cargo xtask serve`: the page, and beside it the files that it shows.

use std::path::PathBuf;

use anyhow::Result;
use huddle_serve::{Server, Session, Site};

use crate::page;
use crate::steps::Steps;

/// What to show, and where.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A project, a session's directory, or a log.
    path: PathBuf,
    /// The port to listen at, instead of any that is free.
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    #[command(flatten)]
    pace: page::Pace,
}

/// Builds the page and shows a directory or a log in it until somebody ends it.
pub(crate) fn run(args: &Args) -> Result<()> {
    let session = Session::open(&args.path)?;
    let mut steps = Steps::default();
    page::add(&mut steps, args.pace.quick);
    steps.run()?;
    let server = Server::start(Site::new(page::folder(), Some(session)), args.port)?;
    println!("Huddle shows {} at {}", args.path.display(), server.shown());
    println!("Ctrl+C ends it");
    server.wait()
}
