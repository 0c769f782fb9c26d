//! The client of the Python SDK, in `tests/hosts/python/client.py`.

use huddle_tests::{artifact, hosts};

use crate::mcp::fixture::{Bus, host};

#[test]
#[ignore = "for `cargo xtask test --all`: Python"]
fn the_python_client_calls_reads_and_is_told() {
    let bus = Bus::new();
    let mut python = hosts::python("client.py").unwrap();
    python.arg(bus.project.root()).arg(host()).arg(artifact::path("huddle.wasm").unwrap());
    assert_eq!(hosts::finish(&mut python).unwrap(), "ok\n");
}
