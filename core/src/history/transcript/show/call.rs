//! Calls of tools: the name, the argument that matters, edits as differences, and a line for each of the rest.

use huddle_scan::RawJson;

use crate::model::{Json, JsonMap, preview};
use crate::wire;

/// Arguments that say what a call is about, the most telling first.
const MAIN: [&str; 14] = [
    "command",
    "cmd",
    "file_path",
    "notebook_path",
    "filePath",
    "pattern",
    "query",
    "url",
    "path",
    "description",
    "skill",
    "recipient",
    "prompt",
    "explanation",
];
/// Arguments that name a file.
const FILES: [&str; 4] = ["file_path", "notebook_path", "filePath", "path"];
/// Arguments that hold what is written to a file.
const CONTENT: [&str; 3] = ["content", "new_source", "file_text"];
/// Lines of a new file that are shown.
const SHOWN_LINES: usize = 40;
/// The longest line of an argument that does not matter much.
const WIDTH: usize = 100;

/// Returns a line for a call.
pub(super) fn line(name: &str, input: RawJson<'_>) -> String {
    match arguments(input) {
        Ok(arguments) => match main_argument(&arguments) {
            Some((_, main)) => format!("{name}: {main}"),
            None => name.to_owned(),
        },
        Err(text) if text.trim().is_empty() => name.to_owned(),
        Err(text) => format!("{name}: {text}"),
    }
}

/// Returns all of a call.
pub(super) fn text(name: &str, input: RawJson<'_>) -> String {
    let arguments = match arguments(input) {
        Ok(arguments) => arguments,
        Err(text) if text.trim().is_empty() => return name.to_owned(),
        Err(text) if !text.contains('\n') => return format!("{name}: {text}"),
        Err(text) => return format!("{name}\n{text}"),
    };
    let main = main_argument(&arguments);
    let mut lines = vec![match &main {
        Some((_, main)) => format!("{name}: {main}"),
        None => name.to_owned(),
    }];
    let is_edit = add_edits(&arguments, &mut lines);
    for (key, value) in &arguments {
        let is_main = main.as_ref().is_some_and(|(main, _)| main == key);
        let is_shown = is_main
            || (is_edit && ["old_string", "new_string", "old_str", "new_str", "edits"].contains(&key.as_str()))
            || (CONTENT.contains(&key.as_str()) && main.is_some());
        if !is_shown {
            lines.push(match value {
                // What an agent is asked to do is said in full.
                Json::String(text) if key == "prompt" || key == "message" => format!("  {key}: {text}"),
                value => format!("  {key}: {}", preview(value, "", WIDTH)),
            });
        }
    }
    lines.join("\n")
}

/// Reads arguments: an object, one in a text, or a text.
fn arguments(input: RawJson<'_>) -> Result<JsonMap, String> {
    if input.is_object() {
        return Ok(wire::parse_map(input.bytes()).unwrap_or_default());
    }
    if let Some(text) = input.text() {
        return wire::parse_map(text.as_bytes()).ok_or_else(|| text.into_owned());
    }
    let words: Vec<String> = input.elements().filter_map(RawJson::text).map(std::borrow::Cow::into_owned).collect();
    Err(words.join(" "))
}

fn main_argument(arguments: &JsonMap) -> Option<(&'static str, String)> {
    MAIN.into_iter().find_map(|key| {
        let text = match arguments.get(key)? {
            Json::String(text) => text.clone(),
            Json::Array(words) => {
                words.iter().map(|word| word.as_str().unwrap_or_default()).collect::<Vec<_>>().join(" ")
            }
            _ => return None,
        };
        (!text.is_empty()).then_some((key, text))
    })
}

/// Adds what a call changes in a file; returns whether it changes anything.
fn add_edits(arguments: &JsonMap, lines: &mut Vec<String>) -> bool {
    let text = |edit: &JsonMap, keys: [&str; 2]| {
        keys.into_iter().find_map(|key| edit.get(key)).and_then(Json::as_str).map(str::to_owned)
    };
    let mut edits: Vec<&JsonMap> = vec![arguments];
    if let Some(Json::Array(list)) = arguments.get("edits") {
        edits.extend(list.iter().filter_map(Json::as_object));
    }
    let mut is_edit = false;
    for edit in edits {
        let (old, new) = (text(edit, ["old_string", "old_str"]), text(edit, ["new_string", "new_str"]));
        if old.is_some() || new.is_some() {
            is_edit = true;
            difference(&old.unwrap_or_default(), &new.unwrap_or_default(), lines);
        }
    }
    let content = CONTENT.into_iter().find_map(|key| arguments.get(key)).and_then(Json::as_str);
    if let Some(content) = content.filter(|_| arguments.keys().any(|key| FILES.contains(&key.as_str()))) {
        let count = content.lines().count();
        lines.extend(content.lines().take(SHOWN_LINES).map(|line| format!("+ {line}")));
        if count > SHOWN_LINES {
            lines.push(format!("… {} more lines", count - SHOWN_LINES));
        }
    }
    is_edit
}

/// Adds the lines that differ, without those that both begin or end with.
fn difference(old: &str, new: &str, lines: &mut Vec<String>) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    lines.extend(old[..old.len() - end].iter().map(|line| format!("- {line}")));
    lines.extend(new[..new.len() - end].iter().map(|line| format!("+ {line}")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_show_the_argument_that_matters_and_edits_as_differences() {
        let check = |name: &str, input: &str, wanted: &str| {
            assert_eq!(text(name, RawJson::new(input.as_bytes())), wanted, "{input}");
        };
        check("Bash", r#"{"command":"cargo test","timeout":9}"#, "Bash: cargo test\n  timeout: 9");
        check("Edit", r#"{"file_path":"a.rs","old_string":"x\ny\nz","new_string":"x\nw\nz"}"#, "Edit: a.rs\n- y\n+ w");
        check(
            "MultiEdit",
            r#"{"file_path":"a.rs","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}"#,
            "MultiEdit: a.rs\n- a\n+ b\n- c",
        );
        check("Write", r#"{"file_path":"a.rs","content":"one\ntwo"}"#, "Write: a.rs\n+ one\n+ two");
        check("exec_command", r#""{\"cmd\":\"ls\"}""#, "exec_command: ls");
        check("Grep", r#"{"pattern":"retry","path":"src"}"#, "Grep: retry\n  path: src");
        check("bash", r#""ls""#, "bash: ls");
        check("shell", r#"{"command":["bash","-lc","ls"]}"#, "shell: bash -lc ls");
        check("apply_patch", r#""*** Begin Patch\n+ x""#, "apply_patch\n*** Begin Patch\n+ x");
        check("TodoWrite", r#"{"todos":[]}"#, "TodoWrite\n  todos: []");
        check("wait", "", "wait");
    }
}
