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

#[cfg(any(test, all(target_os = "wasi", target_env = "p2")))]
pub mod component;
pub mod std_fs;
pub mod system_host;

mod args;
mod call;
mod commands;
mod failure;
mod files;
mod input;
mod mcp;
mod output;
mod project;
#[cfg(any(test, feature = "fuzzing"))]
mod scratch;
mod sources;
mod terminal;
mod text;
mod tools;
mod when;

#[cfg(any(test, feature = "fuzzing"))]
pub use mcp::fuzzing;

use std::ffi::OsString;
use std::io::{Read, Write};

use huddle_core::Host;
use huddle_core::bus::ErrorKind;

use crate::args::{Args, Asked, Global};
use crate::call::Call;
use crate::commands::HUDDLE;
use crate::files::Files;
use crate::input::Input;
use crate::output::Output;
use crate::project::{Places, Project};
use crate::system_host::SystemHost;

const VERSION: &str = concat!("huddle ", env!("CARGO_PKG_VERSION"));

/// Runs the command and returns its exit code. The first argument is the command's own name, as the system gives it.
pub fn run<A>(args: A, stdin: &mut dyn Read, stdout: &mut dyn Write, stderr: &mut dyn Write) -> u8
where
    A: IntoIterator,
    A::Item: Into<OsString>,
{
    run_on(&SystemHost, args.into_iter().map(Into::into).collect(), stdin, stdout, stderr)
}

/// Runs the command on a host of the caller's choice: what is overdue, for one, depends on the clock.
pub fn run_on(
    host: &dyn Host,
    args: Vec<OsString>,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    let args: Vec<OsString> = args.into_iter().skip(1).collect();
    let json = args::wants_json(&args);
    let failure = match args::parse(&HUDDLE, &args) {
        Ok(Asked::Run(args)) => match Global::read(&args) {
            Ok(global) => return obey(host, &args, &global, stdin, stdout, stderr),
            Err(failure) => failure,
        },
        Ok(Asked::Help(spec)) => return Output::new(false, stdout, stderr).page(&args::help(spec)),
        Ok(Asked::Version) => return Output::new(false, stdout, stderr).page(VERSION),
        // Whoever calls without a word wants to know what there is.
        Err(_) if args.is_empty() => {
            Output::new(false, stdout, stderr).aside(&args::help(&HUDDLE));
            return ErrorKind::Usage.code();
        }
        Err(failure) => failure,
    };
    Output::new(json, stdout, stderr).finish(Err(failure))
}

/// Does what was asked, on the project that was named.
fn obey(
    host: &dyn Host,
    args: &Args,
    global: &Global,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    let places = match Places::of(global) {
        Ok(places) => places,
        Err(failure) => return Output::new(global.json, stdout, stderr).finish(Err(failure)),
    };
    let project = Project::open(&places, host, global.lock_wait);
    follow(&project, args, global, Some(stdin), stdout, stderr)
}

/// Does what was asked, on a project that is open. Without standard input, arguments are taken literally.
fn follow(
    project: &Project<'_>,
    args: &Args,
    global: &Global,
    stdin: Option<&mut dyn Read>,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    project.set_lock_owner(global.owner());
    let input = match stdin {
        Some(stdin) => Input::new(stdin, Files::of(global)),
        None => Input::literal(Files::of(global)),
    };
    let output = Output::new(global.json, stdout, stderr);
    let mut call = Call { project, bus: &project.bus(), global, input, output };
    let ended = args.run(&mut call);
    call.output.finish(ended)
}
