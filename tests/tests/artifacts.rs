//! What `cargo xtask build` ships: within its limits, whole, and starting.

use std::fs;
use std::process::Command;

use huddle_tests::{Guest, Run, artifact, is_thorough, test_project};

/// The design asks for at most 3 MB, with all commands, MCP and the typed interface, or the flat one.
const COMPONENT_LIMIT: usize = 3_000_000;
/// All files of the page but the sample's, which is fetched when somebody asks for it; compressed, as servers do it.
const PAGE_LIMIT: usize = 800_000;

#[test]
fn the_components_are_within_their_limit() {
    let names = ["huddle.wasm", "huddle-tools.wasm"];
    for name in if is_thorough() { &names[..] } else { &names[..1] } {
        let size = fs::read(artifact::path(name).unwrap()).unwrap().len();
        assert!(size <= COMPONENT_LIMIT, "dist/{name} has {size} bytes, and may have at most {COMPONENT_LIMIT}");
    }
}

#[test]
fn each_form_of_the_command_starts() {
    let mut guests = vec![artifact::component().unwrap()];
    assert!(guests[0].is_component());
    if is_thorough() {
        guests.push(artifact::module().unwrap());
        assert!(!guests[1].is_component());
    }
    let native = Command::new(artifact::native().unwrap()).arg("--help").output().unwrap();
    assert!(native.status.success());
    let native = String::from_utf8_lossy(&native.stdout);
    for guest in guests {
        let outcome = Run::new(guest).arg("--help").start().unwrap();
        assert_eq!(outcome.code, 0, "{outcome:?}");
        assert_eq!(outcome.stdout, native);
    }
}

#[test]
fn a_missing_artifact_says_how_to_make_it() {
    let error = artifact::path("absent.wasm").unwrap_err().to_string();
    assert!(error.contains("cargo xtask build"), "{error}");
    assert!(Guest::load("absent.wasm").is_err());
}

#[test]
fn the_page_is_whole_and_within_its_limit() {
    let files = test_project::files(&artifact::path("web").unwrap(), Some("sample")).unwrap();
    for name in ["index.html", "style.css", "loader.js", "worker.js", "huddle_web.js", "huddle_web_bg.wasm"] {
        assert!(files.iter().any(|(path, _)| path == name), "the page lacks {name}");
    }
    let total: usize = files.iter().map(|(_, bytes)| compressed(bytes)).sum();
    assert!(total <= PAGE_LIMIT, "the page is {total} bytes compressed, and may be at most {PAGE_LIMIT}");
}

/// Counts the bytes that a file has on its way (brotli at its best).
fn compressed(bytes: &[u8]) -> usize {
    let best = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 24, ..Default::default() };
    let mut out = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &best).expect("memory can be written to");
    out.len()
}

#[test]
fn the_bindings_know_where_the_code_is() {
    let bindings = fs::read_to_string(artifact::path("web/huddle_web.js").unwrap()).unwrap();
    assert!(bindings.contains("new URL('huddle_web_bg.wasm', import.meta.url)"));
}

#[test]
fn the_page_has_nothing_inline() {
    let shell = fs::read_to_string(artifact::path("web/index.html").unwrap()).unwrap();
    let policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                  img-src 'self' data: blob:; worker-src 'self'; connect-src 'self'; base-uri 'none'; \
                  form-action 'none'";
    assert!(shell.contains(&format!("content=\"{policy}\"")), "{shell}");
    assert!(!shell.contains("<style") && !shell.contains(" style="));
    assert_eq!(shell.matches("<script").count(), shell.matches("<script type=\"module\" src=").count());
}
