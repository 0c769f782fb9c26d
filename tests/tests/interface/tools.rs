//! The flat interface of `huddle-tools.wasm`: what it says of itself is read, and every function is called.

use std::collections::BTreeSet;
use std::fs;

use huddle_tests::{Guest, Run, State, artifact};
use serde_json::{Value, json};
use wasmtime::Store;
use wasmtime::component::{Instance, Type, Val};
use wit_component::DecodedWasm;
use wit_parser::WorldItem;

/// What each function is called with, and what is found in its answer. `$name` is what was kept of an answer before.
#[rustfmt::skip]
const CALLS: &[(&str, &str, &str, &str)] = &[
    ("register", r#"["ann", "builder", "rust, wasm"]"#, "name", r#""ann""#),
    ("register", r#"["bob", "tester", "sql,"]"#, "created", "true"),
    ("list-agents", "[]", "agents.0.capabilities.1", r#""wasm""#),
    ("list-agents", "[]", "agents.1.capabilities", r#"["sql"]"#),
    ("send-message", r#"["ann", "bob", "Hello!", "task", "high", "conv-1", "Greeting", true, "2h", "once", false]"#, "id", "$sent"),
    ("send-message", r#"["ann", "bob", "Hello!", "task", "high", "conv-1", "Greeting", true, "2h", "once", false]"#, "duplicate", "true"),
    ("check-inbox", r#"["bob", null, 5, 1]"#, "notifications.0.subject", r#""Greeting""#),
    ("read-message", r#"["bob", "$sent"]"#, "content", r#""Hello!""#),
    ("reply", r#"["bob", "$sent", "{\"well\": true}", null, "low", "twice"]"#, "threadId", r#""conv-1""#),
    ("trace", r#"["$sent"]"#, "deliveries.0.step", r#""answered""#),
    ("ask", r#"["ann", "bob", "Which port?", "for the door", "number", 0, "8080"]"#, "answer", "8080"),
    ("broadcast", r#"["ann", "All is well", "status", "normal", "News", null]"#, "recipients.0", r#""bob""#),
    ("subscribe", r#"["bob", "Built, Tested"]"#, "events.1", r#""Tested""#),
    ("publish-event", r#"["ann", "Built", "{\"ok\": true}"]"#, "recipients.0", r#""bob""#),
    ("handoff", r#"["ann", "bob", "Parser", "all of it", "half", "the rest", ".agent-messages/registry.json"]"#, "id", "$handoff"),
    ("handoff-show", r#"["$handoff"]"#, "files.0", r#""registry.json""#),
    ("handoff-accept", r#"["bob", "$handoff", "mine"]"#, "status", r#""accepted""#),
    ("handoff", r#"["ann", "bob", "Lexer", null, null, null, ""]"#, "id", "$other"),
    ("handoff-decline", r#"["bob", "$other", "no time"]"#, "notes", r#""no time""#),
    ("handoff-list", "[]", "handoffs.0.to", r#""bob""#),
    ("context-create", r##"["ann", "plan", "# Plan"]"##, "version", "1"),
    ("context-update", r#"["bob", "plan", "Step one", 1]"#, "version", "2"),
    ("context-show", r#"["plan"]"#, "name", r#""plan""#),
    ("context-show", "[null]", "contexts.0.name", r#""plan""#),
    ("session-update", r#"["ann", "job", "join", null]"#, "status", r#""in_progress""#),
    ("session-update", r#"["ann", "job", "progress", "half way"]"#, "progress", r#""half way""#),
    ("session-log", r#"["ann", "job", "finding", "it is slow", "high", "[12]"]"#, "data.0", "12"),
    ("session-report", r#"["ann", "job", "{\"status\": \"completed\", \"summary\": \"slow\", \"findings\": []}"]"#, "summary", r#""slow""#),
    ("session-report-show", r#"["ann", "job"]"#, "agent_name", r#""ann""#),
    ("session-report", r#"["ann", "job", null]"#, "reports", "1"),
    ("session-update", r#"["ann", "job", "complete", "done"]"#, "status", r#""completed""#),
    ("session-status", r#"["job"]"#, "session_id", r#""job""#),
    ("search-history", r#"["from:ann greeting", 5, ".agent-messages"]"#, "hits.0.from", r#""ann""#),
];

/// A component whose functions are called by their names.
struct Tools {
    store: Store<State>,
    instance: Instance,
}

impl Tools {
    fn call(&mut self, name: &str, given: &[Value]) -> Result<Value, Value> {
        let function = self.instance.get_func(&mut self.store, name).unwrap_or_else(|| panic!("there is no {name}"));
        let takes: Vec<Type> = function.ty(&self.store).params().map(|(_, kind)| kind).collect();
        assert_eq!(takes.len(), given.len(), "{name}");
        let passed: Vec<Val> = takes.iter().zip(given).map(|(kind, value)| passed(kind, value)).collect();
        let mut answer = [Val::Bool(false)];
        function.call(&mut self.store, &passed, &mut answer).unwrap();
        let read = |value: &Option<Box<Val>>| match value.as_deref() {
            Some(Val::String(text)) => serde_json::from_str(text).unwrap(),
            other => panic!("{name} gave {other:?}"),
        };
        match &answer[0] {
            Val::Result(Ok(said)) => Ok(read(said)),
            Val::Result(Err(told)) => Err(read(told)),
            other => panic!("{name} gave {other:?}"),
        }
    }
}

fn passed(kind: &Type, value: &Value) -> Val {
    match kind {
        Type::String => Val::String(value.as_str().unwrap().to_owned()),
        Type::Bool => Val::Bool(value.as_bool().unwrap()),
        Type::U32 => Val::U32(value.as_u64().unwrap().try_into().unwrap()),
        Type::Option(_) if value.is_null() => Val::Option(None),
        Type::Option(some) => Val::Option(Some(Box::new(passed(&some.ty(), value)))),
        other => panic!("not plain: {other:?}"),
    }
}

/// Goes into a document by names and numbers with dots between them.
fn at(document: &Value, path: &str) -> Value {
    let step = |inner: &Value, part: &str| match part.parse::<usize>() {
        Ok(number) => inner[number].clone(),
        Err(_) => inner[part].clone(),
    };
    path.split('.').fold(document.clone(), |inner, part| step(&inner, part))
}

#[test]
#[ignore = "for `cargo xtask test --all`: the flat world"]
fn every_function_is_called() {
    let dir = tempfile::tempdir().unwrap();
    let guest = Guest::load(artifact::path("huddle-tools.wasm").unwrap()).unwrap();
    let run = Run::new(&guest).dir(dir.path(), ".");
    let started = run.clone().args(["session", "start", "--id", "job", "--agent", "ann"]).start().unwrap();
    assert_eq!(started.code, 0, "{started:?}");
    let (store, instance) = run.instantiate().unwrap();
    let mut tools = Tools { store, instance };
    let mut kept = serde_json::Map::new();
    for (name, given, path, wanted) in CALLS {
        let given: Vec<Value> = serde_json::from_str(given).unwrap();
        let filled = given.into_iter().map(|value| {
            let name = value.as_str().and_then(|text| text.strip_prefix('$'));
            name.map(|name| kept[name].clone()).unwrap_or(value)
        });
        let answer = tools.call(name, &filled.collect::<Vec<_>>()).unwrap_or_else(|told| panic!("{name}: {told}"));
        let found = at(&answer, path);
        match wanted.strip_prefix('$') {
            Some(name) => drop(kept.insert(name.to_owned(), found)),
            None => assert_eq!(found.to_string(), *wanted, "{path} of {name}: {answer}"),
        }
    }
    let told =
        tools.call("send-message", &[vec![json!("ann"), json!("eve"), json!("?")], vec![Value::Null; 8]].concat());
    assert_eq!(told.unwrap_err()["error"]["kind"], "not-found");
    let called: BTreeSet<&str> = CALLS.iter().map(|(name, ..)| *name).collect();
    assert_eq!(described().iter().map(|(name, _)| name.as_str()).collect::<BTreeSet<_>>(), called);
}

#[test]
#[ignore = "for `cargo xtask test --all`: the flat world"]
fn function_docs_come_with_the_component() {
    let wit = include_str!("../../../wit/tools.wit");
    for (name, docs) in described() {
        let docs = docs.unwrap_or_else(|| panic!("nothing is said of {name}"));
        assert!(docs.lines().all(|line| wit.contains(&format!("    /// {line}\n"))), "{name}: {docs}");
    }
}

/// Reads the shipped file as tools for WIT do, and gives its functions with what is said of each.
fn described() -> Vec<(String, Option<String>)> {
    let bytes = fs::read(artifact::path("huddle-tools.wasm").unwrap()).unwrap();
    let DecodedWasm::Component(resolve, world) = wit_component::decode(&bytes).unwrap() else {
        panic!("it is no component")
    };
    let functions = resolve.worlds[world].exports.values().filter_map(|item| match item {
        WorldItem::Function(function) => Some((function.name.clone(), function.docs.contents.clone())),
        _ => None,
    });
    functions.collect()
}
