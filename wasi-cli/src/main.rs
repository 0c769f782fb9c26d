//! The `huddle` command.

use std::io;
use std::process::ExitCode;

/// What the component exports beside `wasi:cli/run`, which is `main`.
#[cfg(all(target_os = "wasi", target_env = "p2"))]
mod exports {
    #![expect(
        unsafe_code,
        reason = "the canonical ABI passes values in raw memory, which wit-bindgen reads and writes"
    )]

    use huddle::component::{Component, bindings};

    bindings::export!(Component with_types_in bindings);
}

fn main() -> ExitCode {
    huddle::run(std::env::args_os(), &mut io::stdin(), &mut io::stdout(), &mut io::stderr()).into()
}
