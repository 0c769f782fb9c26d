//! The `huddle` command.

use std::io;
use std::process::ExitCode;

/// What the component exports beside `wasi:cli/run`, which is `main`.
#[cfg(all(target_os = "wasi", target_env = "p2"))]
mod exports {
    #![expect(unsafe_code, reason = "the names of exports are the linker's business, and have to be right")]

    include!(concat!(env!("OUT_DIR"), "/exports.rs"));
}

fn main() -> ExitCode {
    huddle::run(std::env::args_os(), &mut io::stdin(), &mut io::stdout(), &mut io::stderr()).into()
}
