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

mod call;
mod cli;
mod commands;
mod failure;
mod files;
mod global;
mod input;
mod mcp;
mod output;
mod project;
mod remedy;
#[cfg(any(test, feature = "fuzzing"))]
mod scratch;
mod sources;
mod terminal;
mod text;
mod tools;

#[cfg(any(test, feature = "fuzzing"))]
pub use mcp::fuzzing;

use std::ffi::OsString;
use std::io::{Read, Write};

use huddle_core::Host;
use huddle_core::model::ErrorKind;

use crate::call::Call;
use crate::cli::{Asked, Run};
use crate::files::Files;
use crate::global::Global;
use crate::input::Input;
use crate::output::Output;
use crate::project::Places;
use crate::sources::ProjectHistories;
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
    let failure = match cli::parse(&args) {
        Ok(Asked::Run(run)) => return obey(host, *run, stdin, stdout, stderr),
        Ok(Asked::Page(page)) => return Output::new(false, stdout, stderr).page(&page),
        // Whoever calls without a word wants to know what there is.
        Err(_) if args.is_empty() => {
            Output::new(false, stdout, stderr).aside(&cli::help());
            return failure::exit_code(ErrorKind::Usage);
        }
        Err(failure) => failure,
    };
    Output::new(cli::wants_json(&args), stdout, stderr).finish(Err(failure))
}

/// Does what was asked, on the project that was named.
fn obey(
    host: &dyn Host,
    Run { global, command, usage }: Run,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    let global = Global::from(global);
    let places = match Places::of(&global) {
        Ok(places) => places,
        Err(failure) => return Output::new(global.json, stdout, stderr).finish(Err(failure)),
    };
    let files = Files::of(&global);
    let project = &project::open(&places, host, global.lock_wait);
    let histories = ProjectHistories::new(project, &global);
    let mut call = Call {
        project,
        context: global.context(project, &files).with_histories(&histories),
        usage,
        global: &global,
        input: Input::new(stdin, Files::of(&global)),
        output: Output::new(global.json, stdout, stderr),
    };
    let ended = command.run(&mut call);
    let ended = ended.map_err(|failure| failure.out_of_reach(&global).unwrap_or(failure));
    call.output.finish(ended)
}
