//! The `huddle` command as a library: arguments and streams in, an exit code out.
//!
//! The command is thin: each of the files in `commands` says what its arguments mean, calls one operation
//! of [`huddle_core::bus`], and hands the answer to the one object that prints. What the world must provide to core is
//! here too: [`StdFs`](std_fs::StdFs) and [`SystemHost`](system_host::SystemHost), the same on WASI and native.
//!
//! ```
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let code = huddle::run(["huddle", "--version"], &mut std::io::empty(), &mut out, &mut err);
//! assert_eq!((code, err.as_slice()), (0, &b""[..]));
//! assert!(out.starts_with(b"huddle "));
//! ```

pub mod args;
pub mod std_fs;
pub mod system_host;

mod commands;
mod failure;
mod input;
mod output;
mod session;
mod text;
mod when;

use std::ffi::OsString;
use std::io::{Read, Write};

use clap::Parser;
use huddle_core::bus::{Bus, Kind, Settings};
use huddle_core::engine::files::FilesEngine;

use crate::args::{Cli, Global};
use crate::failure::Failure;
use crate::input::Input;
use crate::output::Output;
use crate::session::Session;
use crate::std_fs::StdFs;
use crate::system_host::SystemHost;

/// The directory of the bus within the project.
const BUS_DIR: &str = ".agent-messages";

/// Runs the command and returns its exit code. The first argument is the command's own name, as the system gives it.
pub fn run<A>(args: A, stdin: &mut dyn Read, stdout: &mut dyn Write, stderr: &mut dyn Write) -> u8
where
    A: IntoIterator,
    A::Item: Into<OsString>,
{
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    match Cli::try_parse_from(&args) {
        Ok(cli) => obey(&cli, stdin, stdout, stderr),
        Err(_) if args.len() < 2 => {
            Output::new(false, stdout, stderr).aside(&args::help());
            Kind::Usage.code()
        }
        Err(error) => {
            let mut output = Output::new(args::wants_json(&args), stdout, stderr);
            let ended = Failure::from_clap(&error, &mut output);
            output.finish(ended)
        }
    }
}

/// Does what was asked, on the bus of the project that was named.
fn obey(cli: &Cli, stdin: &mut dyn Read, stdout: &mut dyn Write, stderr: &mut dyn Write) -> u8 {
    let host = SystemHost;
    let fs = StdFs::new(cli.global.root.join(BUS_DIR));
    let Global { agent, lock_wait: patience, .. } = &cli.global;
    let owner = agent.as_deref().filter(|name| !name.is_empty()).unwrap_or("huddle");
    let engine = FilesEngine::new(&fs, &host).with_owner(owner).with_patience(*patience);
    let settings = Settings { patience: *patience, ..Settings::default() };
    let bus = Bus::new(&engine, &host).with_settings(settings);
    let (input, output) = (Input::new(stdin), Output::new(cli.global.json, stdout, stderr));
    let mut session = Session { bus: &bus, host: &host, global: &cli.global, input, output };
    let ended = cli.command.run(&mut session);
    session.output.finish(ended)
}
