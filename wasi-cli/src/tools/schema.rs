//! The tools as MCP lists them: names, descriptions and JSON Schemas.

use std::fmt::Write;

use huddle_core::model::Json;

use super::{Effect, Param, Shape, TOOLS, Tool};

/// Writes all tools as a JSON array.
pub(crate) fn listing() -> String {
    format!("[{}]", TOOLS.iter().map(entry).collect::<Vec<_>>().join(","))
}

fn entry(tool: &Tool) -> String {
    let hints = match tool.effect {
        Effect::Reads => r#""readOnlyHint":true"#,
        Effect::Settles => r#""destructiveHint":false,"idempotentHint":true"#,
        Effect::Adds => r#""destructiveHint":false"#,
    };
    format!(
        r#"{{"name":{},"description":{},"inputSchema":{},"outputSchema":{},"annotations":{{{hints}}}}}"#,
        quoted(tool.name),
        quoted(tool.about),
        input(tool),
        output(tool),
    )
}

fn input(tool: &Tool) -> String {
    let mut fields = Vec::new();
    if tool.commands.len() > 1 {
        fields.push(("action", choice(tool.actions())));
    }
    for param in tool.takes {
        if !fields.iter().any(|(name, _)| *name == param.name) {
            fields.push((param.name, property(param)));
        }
    }
    let action = (tool.commands.len() > 1).then_some("action");
    let needed = tool.takes.iter().filter(|param| param.needed).map(|param| param.name);
    object(&fields, &action.into_iter().chain(needed).collect::<Vec<_>>())
}

fn output(tool: &Tool) -> String {
    let fields: Vec<_> = tool.gives.iter().map(|(name, kind)| (*name, format!(r#"{{"type":"{kind}"}}"#))).collect();
    let needed: Vec<_> = tool.gives.iter().map(|(name, _)| *name).collect();
    object(&fields, &needed)
}

/// Writes the schema of an object.
fn object(fields: &[(&str, String)], needed: &[&str]) -> String {
    let mut schema = r#"{"type":"object""#.to_owned();
    if !fields.is_empty() {
        let fields: Vec<_> = fields.iter().map(|(name, schema)| format!("{}:{schema}", quoted(name))).collect();
        // Writing to a text does not fail.
        let _ = write!(schema, r#","properties":{{{}}}"#, fields.join(","));
    }
    if !needed.is_empty() {
        let needed: Vec<_> = needed.iter().map(|name| quoted(name)).collect();
        let _ = write!(schema, r#","required":[{}]"#, needed.join(","));
    }
    schema + "}"
}

fn property(param: &Param) -> String {
    let kind = match param.kind {
        Shape::Text | Shape::Content => r#""type":"string""#,
        Shape::Word(words) => return choice(words.split('|')),
        Shape::Number => r#""type":"integer""#,
        Shape::Seconds(_) => r#""type":"number""#,
        Shape::Truth => r#""type":"boolean""#,
        Shape::Texts => r#""type":"array","items":{"type":"string"}"#,
        Shape::Any => "",
    };
    let about =
        if param.about.is_empty() { String::new() } else { format!(r#""description":{}"#, quoted(param.about)) };
    let comma = if kind.is_empty() || about.is_empty() { "" } else { "," };
    format!("{{{kind}{comma}{about}}}")
}

fn choice<'a>(words: impl Iterator<Item = &'a str>) -> String {
    format!(r#"{{"enum":[{}]}}"#, words.map(quoted).collect::<Vec<_>>().join(","))
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}
