//! JSON Schema, as far as answers need it.

use crate::model::{Json, JsonMap};

/// Annotation keywords, which constrain nothing.
const NOTES: [&str; 12] = [
    "$schema",
    "$id",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
    "example",
];
const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];

/// Finds what a schema says that cannot be checked here, or that makes no sense.
pub(super) fn review(schema: &Json) -> Result<(), String> {
    let keywords = match schema {
        Json::Bool(_) => return Ok(()),
        Json::Object(keywords) => keywords,
        other => return Err(format!("a schema must be an object, not {}", shown(other))),
    };
    for (keyword, value) in keywords {
        let sound = match keyword.as_str() {
            "type" => types(value).is_some_and(|types| types.iter().all(|name| TYPES.contains(name))),
            "required" => texts(value).is_some(),
            "properties" => value.as_object().map(|fields| fields.values().try_for_each(review)).transpose()?.is_some(),
            "items" => review(value).map(|()| true)?,
            "additionalProperties" => review(value).map(|()| true)?,
            "anyOf" => value.as_array().map(|all| all.iter().try_for_each(review)).transpose()?.is_some(),
            "enum" => value.is_array(),
            "const" => true,
            "minimum" | "maximum" => value.is_number(),
            "minLength" | "maxLength" | "minItems" | "maxItems" => value.is_u64(),
            note if NOTES.contains(&note) => true,
            other => return Err(format!("its keyword {other:?} cannot be checked here")),
        };
        if !sound {
            return Err(format!("its keyword {keyword:?} makes no sense: {}", shown(value)));
        }
    }
    Ok(())
}

/// Describes what about a value does not fit a schema, if anything: the first fault, and where it is.
pub(super) fn misfit(schema: &Json, value: &Json) -> Option<String> {
    fault(schema, value, "")
}

fn fault(schema: &Json, value: &Json, place: &str) -> Option<String> {
    let keywords = match schema {
        Json::Bool(true) => return None,
        Json::Object(keywords) => keywords,
        _ => return Some(located(place, "must not be there")),
    };
    let own = own_fault(keywords, value).map(|fault| located(place, &fault));
    own.or_else(|| match value {
        Json::Object(fields) => object_fault(keywords, fields, place),
        Json::Array(items) => {
            let schema = keywords.get("items")?;
            items.iter().enumerate().find_map(|(index, item)| fault(schema, item, &format!("{place}/{index}")))
        }
        _ => None,
    })
}

/// Checks what concerns the value as a whole.
fn own_fault(keywords: &JsonMap, value: &Json) -> Option<String> {
    let keyword = |name: &str| keywords.get(name);
    if let Some(types) = keyword("type").and_then(types)
        && !types.iter().any(|name| is_of(name, value))
    {
        return Some(format!("must be of type {}, not {}", types.join(" or "), shown(value)));
    }
    if let Some(wanted) = keyword("const").filter(|wanted| !same(wanted, value)) {
        return Some(format!("must be {}, not {}", shown(wanted), shown(value)));
    }
    if let Some(words) = keyword("enum").and_then(Json::as_array)
        && !words.iter().any(|word| same(word, value))
    {
        let words: Vec<String> = words.iter().map(shown).collect();
        return Some(format!("must be one of {}, not {}", words.join(", "), shown(value)));
    }
    if let Some(schemas) = keyword("anyOf").and_then(Json::as_array) {
        let faults: Option<Vec<String>> = schemas.iter().map(|schema| fault(schema, value, "")).collect();
        if let Some(faults) = faults {
            return Some(format!("fits none of the alternatives: {}", faults.join("; ")));
        }
    }
    measure(keywords, value)
}

/// Checks numbers and lengths against their limits.
fn measure(keywords: &JsonMap, value: &Json) -> Option<String> {
    let (least, most, size, what) = match value {
        Json::Number(_) => ("minimum", "maximum", value.clone(), ""),
        Json::String(text) => ("minLength", "maxLength", text.chars().count().into(), " characters"),
        Json::Array(items) => ("minItems", "maxItems", items.len().into(), " items"),
        _ => return None,
    };
    let breaks = |name: &str, over: fn(f64, f64) -> bool| {
        keywords
            .get(name)
            .filter(|limit| limit.as_f64().zip(size.as_f64()).is_some_and(|(limit, size)| over(size, limit)))
    };
    // Shown as JSON, because the library's own way to write a float is large.
    let low =
        breaks(least, |size, limit| size < limit).map(|limit| format!("must be at least {limit}{what}, not {size}"));
    low.or_else(|| {
        breaks(most, |size, limit| size > limit).map(|limit| format!("must be at most {limit}{what}, not {size}"))
    })
}

fn object_fault(keywords: &JsonMap, fields: &JsonMap, place: &str) -> Option<String> {
    let required = keywords.get("required").and_then(texts).unwrap_or_default();
    if let Some(missing) = required.iter().find(|name| !fields.contains_key(**name)) {
        return Some(located(place, &format!("lacks the field {missing:?}")));
    }
    let known = keywords.get("properties").and_then(Json::as_object);
    let others = keywords.get("additionalProperties");
    fields.iter().find_map(|(name, value)| {
        let schema = known.and_then(|known| known.get(name)).or(others)?;
        fault(schema, value, &format!("{place}/{name}"))
    })
}

fn located(place: &str, fault: &str) -> String {
    if place.is_empty() { format!("the answer {fault}") } else { format!("{place} {fault}") }
}

fn types(value: &Json) -> Option<Vec<&str>> {
    value.as_str().map(|name| vec![name]).or_else(|| texts(value))
}

fn texts(value: &Json) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Json::as_str).collect()
}

fn is_of(name: &str, value: &Json) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        _ => value.is_null(),
    }
}

/// Compares as JSON Schema does: one is one, however it is written.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// Shows a value in a few characters.
pub(super) fn shown(value: &Json) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 { text } else { format!("{}…", text.chars().take(39).collect::<String>()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn answers_are_checked_keyword_by_keyword() {
        for (schema, value, fault) in [
            ("true", "1", ""),
            ("{}", "null", ""),
            ("false", "1", "the answer must not be there"),
            (r#"{"type": "string"}"#, "1", "the answer must be of type string, not 1"),
            (r#"{"type": ["string", "null"]}"#, "null", ""),
            (r#"{"type": "integer"}"#, "1.0", ""),
            (r#"{"type": "integer"}"#, "1.5", "the answer must be of type integer, not 1.5"),
            (r#"{"type": "number", "minimum": 0, "maximum": 10}"#, "10", ""),
            (r#"{"minimum": 0}"#, "-1", "the answer must be at least 0, not -1"),
            (r#"{"maximum": 10}"#, "10.5", "the answer must be at most 10, not 10.5"),
            (r#"{"minLength": 2}"#, r#""é""#, "the answer must be at least 2 characters, not 1"),
            (r#"{"maxLength": 2}"#, r#""éèe""#, "the answer must be at most 2 characters, not 3"),
            (r#"{"minItems": 1}"#, "[]", "the answer must be at least 1 items, not 0"),
            (r#"{"minLength": 2}"#, "1", ""),
            (r#"{"enum": ["a", 1]}"#, "1.0", ""),
            (r#"{"enum": ["a", 1]}"#, r#""b""#, "the answer must be one of \"a\", 1, not \"b\""),
            (r#"{"const": {"a": 1}}"#, r#"{"a": 2}"#, "the answer must be {\"a\":1}, not {\"a\":2}"),
            (r#"{"required": ["a"]}"#, r#"{"b": 1}"#, "the answer lacks the field \"a\""),
            (r#"{"required": ["a"]}"#, "[]", ""),
            (r#"{"properties": {"a": {"type": "boolean"}}}"#, r#"{"a": 0}"#, "/a must be of type boolean, not 0"),
            (r#"{"properties": {"a": {}}, "additionalProperties": false}"#, r#"{"a": 1}"#, ""),
            (r#"{"properties": {"a": {}}, "additionalProperties": false}"#, r#"{"b": 1}"#, "/b must not be there"),
            (r#"{"additionalProperties": {"type": "string"}}"#, r#"{"b": 1}"#, "/b must be of type string, not 1"),
            (r#"{"items": {"required": ["id"]}}"#, r#"[{"id": 1}, {}]"#, "/1 lacks the field \"id\""),
            (r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, "null", ""),
            (
                r#"{"anyOf": [{"type": "string"}, {"minimum": 5}]}"#,
                "1",
                "the answer fits none of the alternatives: the answer must be of type string, not 1; \
                 the answer must be at least 5, not 1",
            ),
        ] {
            let schema = json(schema);
            assert_eq!(review(&schema), Ok(()), "{schema}");
            assert_eq!(misfit(&schema, &json(value)).unwrap_or_default(), fault, "{schema} {value}");
        }
    }

    #[test]
    fn unsupported_schema_keywords_are_rejected() {
        for (schema, fault) in [
            ("5", "a schema must be an object, not 5"),
            (r#"{"type": "text"}"#, "its keyword \"type\" makes no sense: \"text\""),
            (r#"{"required": "a"}"#, "its keyword \"required\" makes no sense: \"a\""),
            (r#"{"properties": []}"#, "its keyword \"properties\" makes no sense: []"),
            (r#"{"minLength": -1}"#, "its keyword \"minLength\" makes no sense: -1"),
            (r#"{"properties": {"a": {"pattern": "x"}}}"#, "its keyword \"pattern\" cannot be checked here"),
            (r##"{"items": {"$ref": "#"}}"##, "its keyword \"$ref\" cannot be checked here"),
            (r#"{"anyOf": [{"oneOf": []}]}"#, "its keyword \"oneOf\" cannot be checked here"),
        ] {
            assert_eq!(review(&json(schema)).unwrap_err(), fault, "{schema}");
        }
        assert_eq!(review(&json(r#"{"title": "T", "format": "uri", "description": "d"}"#)), Ok(()));
    }
}
