//! Core's modules are layers: `use` lines point to the same layer or to one below.

use crate::sources;

/// The modules, from the lowest layer to the highest.
const LAYERS: [&str; 13] = [
    "model", "host", "wire", "engine", "compress", "grouping", "state", "session", "bus", "history", "project",
    "migrate", "answer",
];

/// What still points upward. A line whose `use` is gone makes the test fail: remove it then.
const UPWARD: [(&str, &str); 8] = [
    ("engine/files/import.rs", "history"),
    ("state/decisions.rs", "bus"),
    ("state/settings.rs", "bus"),
    ("state/shared_state.rs", "bus"),
    ("wire/mailbox/stored.rs", "engine"),
    ("wire/orchestrator/decision.rs", "state"),
    ("wire/orchestrator/settings.rs", "state"),
    ("wire/session/event.rs", "engine"),
];

/// Returns the layer of a module, or none if it is none of core's.
fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|name| *name == module)
}

/// Returns the modules above its own that a file uses.
fn upward(path: &str, code: &str) -> Vec<String> {
    let module = if path.starts_with("wire/answer") { "answer" } else { path.split(['/', '.']).next().unwrap() };
    let own = layer(module).unwrap_or_else(|| panic!("{path} is in no layer: add its module to LAYERS"));
    let used = code.split("crate::").skip(1).map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let used = used.filter_map(|mut rest| rest.next());
    let mut above: Vec<String> =
        used.filter(|name| layer(name).is_some_and(|layer| layer > own)).map(str::to_owned).collect();
    above.sort();
    above.dedup();
    above
}

#[test]
fn modules_use_what_is_below_them() {
    let mut found = Vec::new();
    for source in sources::all().iter().filter(|source| source.path != "lib.rs") {
        found.extend(upward(&source.path, &source.code).into_iter().map(|module| (source.path.clone(), module)));
    }
    let known: Vec<_> = UPWARD.iter().map(|(path, module)| ((*path).to_owned(), (*module).to_owned())).collect();
    assert_eq!(found, known);
}

#[test]
fn planted_upward_uses_are_found() {
    let check = |path: &str, code: &str, expected: &[&str]| assert_eq!(upward(path, &sources::code(code)), expected);
    check("model/agent.rs", "use crate::bus::Bus;\n", &["bus"]);
    check("engine/files.rs", "use crate::model::Message;\nuse crate::{\n    Host,\n};\n", &[]);
    check("wire/log.rs", "fn f() -> crate::history::Row {}\n", &["history"]);
    check("wire/answer/inbox.rs", "use crate::bus::Inbox;\n", &[]);
    check("bus/send.rs", "// use crate::history::Row;\nuse crate::engine::Engine;\n", &[]);
    check("bus/send.rs", "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::history::Row;\n}\n", &[]);
}
