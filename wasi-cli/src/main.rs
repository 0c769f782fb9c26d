//! The `huddle` command.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    huddle::run(std::env::args_os(), &mut io::stdin(), &mut io::stdout(), &mut io::stderr()).into()
}
