//! A project that is worked on by the typed interface and by the command, and what both say of it.

use huddle_tests::bindings::Huddle;
use huddle_tests::{Instance, Project, Run, State, artifact};
use serde::Serialize;
use serde_json::{Value, json};
use tempfile::TempDir;
use wasmtime::Store;

/// A project with ann and bob, the command in it, and one instance that stays open.
pub(crate) struct InterfaceFixture {
    pub(crate) project: Project,
    instance: Instance,
    _dir: TempDir,
}

impl InterfaceFixture {
    pub(crate) fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let project = Project::with_agents(dir.path(), &["ann", "bob"]).unwrap();
        let instance = Run::new(artifact::component().unwrap()).dir(dir.path(), ".").open().unwrap();
        Self { project, instance, _dir: dir }
    }

    /// Calls a function of the instance.
    pub(crate) fn call<T>(&mut self, act: impl FnOnce(&Huddle, &mut Store<State>) -> wasmtime::Result<T>) -> T {
        self.instance.call(act).unwrap()
    }

    /// Says that a function gave what the command tells.
    pub(crate) fn same(&self, given: &impl Serialize, agent: &str, args: &[&str]) {
        let told = self.project.json(agent, args).unwrap();
        compare(&serde_json::to_value(given).unwrap(), &told, &args.join(" "));
    }
}

/// Every field that was given is one that was told, in whichever spelling; what was not told is none or empty.
fn compare(given: &Value, told: &Value, place: &str) {
    match (given, told) {
        (Value::Object(fields), Value::Object(_)) => {
            for (name, value) in fields {
                compare(value, spelled(told, name), &format!("{place}: {name}"));
            }
        }
        // An answer that lists something has it beside its count; what is listed by name has its name.
        (Value::Array(_), Value::Object(fields)) => {
            let listed = fields.values().find(|value| value.is_array());
            let named = || fields.iter().map(|(name, value)| entry(name, value)).collect();
            compare(given, &listed.cloned().unwrap_or_else(named), place);
        }
        (Value::Array(given), Value::Array(told)) => {
            assert_eq!(given.len(), told.len(), "{place}: {given:?} for {told:?}");
            given.iter().zip(told).for_each(|(given, told)| compare(given, told, place));
        }
        (Value::Array(given), Value::Null) => assert!(given.is_empty(), "{place}: {given:?}"),
        // Structure is passed as text.
        (Value::String(text), Value::Object(_) | Value::Array(_)) => {
            assert_eq!(serde_json::from_str::<Value>(text).unwrap(), *told, "{place}");
        }
        (Value::Bool(false) | Value::Null, Value::Null) => {}
        (Value::Number(number), Value::Null) => assert_eq!(number.as_u64(), Some(0), "{place}"),
        (given, told) => assert_eq!(word(given), word(told), "{place}"),
    }
}

/// Returns an entry of a map as a list has it: a pair, or a record with a name.
fn entry(name: &str, value: &Value) -> Value {
    let Some(fields) = value.as_object() else { return json!([name, value]) };
    let mut fields = fields.clone();
    fields.insert("name".to_owned(), name.into());
    Value::Object(fields)
}

fn spelled<'a>(told: &'a Value, name: &str) -> &'a Value {
    let letters = |name: &str| name.replace('_', "").to_lowercase();
    let mut fields = told.as_object().into_iter().flatten();
    fields.find(|(field, _)| letters(field) == letters(name)).map_or(&Value::Null, |(_, value)| value)
}

/// Leaves of a value what `PendingAcceptance` and `pending_acceptance` have in common.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| text.replace(['_', '-'], "").to_lowercase())
}
