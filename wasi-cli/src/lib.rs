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

pub mod std_fs;
pub mod system_host;

mod args;
mod call;
mod commands;
mod failure;
mod input;
mod mcp;
mod output;
mod sources;
mod text;
mod tools;
mod when;

use std::ffi::OsString;
use std::io::{Read, Write};

use huddle_core::Host;
use huddle_core::bus::{Bus, Kind, Settings};
use huddle_core::compress::Expansions;
use huddle_core::engine::files::FilesEngine;
use huddle_core::session::Sessions;
use huddle_core::state::State;

use crate::args::{Args, Asked, Global};
use crate::call::Call;
use crate::commands::HUDDLE;
use crate::input::Input;
use crate::output::Output;
use crate::std_fs::StdFs;
use crate::system_host::SystemHost;

/// The directory of the bus within the project.
const BUS_DIR: &str = huddle_core::wire::mailbox::layout::ROOT;

/// The directory of the orchestrator within the project.
const ORCHESTRATOR_DIR: &str = ".claude";

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
            Ok(global) => return obey(host, &args, &global, Some(stdin), stdout, stderr),
            Err(failure) => failure,
        },
        Ok(Asked::Help(spec)) => return Output::new(false, stdout, stderr).page(&args::help(spec)),
        Ok(Asked::Version) => return Output::new(false, stdout, stderr).page(VERSION),
        // Whoever calls without a word wants to know what there is.
        Err(_) if args.is_empty() => {
            Output::new(false, stdout, stderr).aside(&args::help(&HUDDLE));
            return Kind::Usage.code();
        }
        Err(failure) => failure,
    };
    Output::new(json, stdout, stderr).finish(Err(failure))
}

/// Does what was asked, on the bus of the project that was named. Without standard input, arguments are taken literally.
fn obey(
    host: &dyn Host,
    args: &Args,
    global: &Global,
    stdin: Option<&mut dyn Read>,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    let fs = StdFs::new(global.root.join(BUS_DIR));
    let owner = global.agent.as_deref().unwrap_or("huddle");
    let engine = FilesEngine::new(&fs, host).with_owner(owner).with_patience(global.lock_wait);
    let settings = Settings { patience: global.lock_wait, ..Settings::default() };
    let beside = StdFs::new(global.root.join(ORCHESTRATOR_DIR));
    let state = State::new(&beside, host).with_owner(owner).with_patience(global.lock_wait);
    let sessions = Sessions::new(&beside, host).with_owner(owner).with_patience(global.lock_wait);
    let expansions = Expansions::new(&beside, host);
    let bus = Bus::new(&engine, host).with_settings(settings).with_orchestrator(&state);
    let input = match stdin {
        Some(stdin) => Input::new(stdin),
        None => Input::literal(),
    };
    let output = Output::new(global.json, stdout, stderr);
    let (bus, sessions, state, expansions) = (&bus, &sessions, &state, &expansions);
    let mut call = Call { bus, sessions, state, expansions, host, global, input, output };
    let ended = args.run(&mut call);
    call.output.finish(ended)
}
