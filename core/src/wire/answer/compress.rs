//! A text made short, with the field names of the orchestrator protocol's context-compressor.

use super::texts;
use crate::compress::{Compressed, EXPANSION_DIR, Part};
use crate::model::Json;
use crate::wire::object;

/// Writes a compressed text: the protocol's fields, what they were made of, and how much was saved.
pub fn compressed(compressed: &Compressed) -> Json {
    let refs =
        compressed.parts.iter().map(|part| (part.name.as_str(), format!("{EXPANSION_DIR}/{}", part.file()).into()));
    // The whole comes last, as in the protocol's example.
    let parts = compressed.parts.iter().skip(1).chain(compressed.parts.first());
    let text = |text: Option<&String>| text.map_or(Json::Null, |text| text.as_str().into());
    let fields = vec![
        ("summary", compressed.summary.as_str().into()),
        ("objective", text(compressed.objective.as_ref())),
        ("key_points", texts(&compressed.key_points)),
        ("findings", texts(&compressed.findings)),
        ("decisions", texts(&compressed.decisions)),
        ("next_action", text(compressed.next_actions.first())),
        ("next_actions", texts(&compressed.next_actions)),
        ("refs", object(refs.collect())),
        ("expandable", parts.map(expandable).collect()),
        ("form", compressed.form.as_str().into()),
        ("tokens", object(vec![("before", compressed.before.into()), ("after", compressed.after.into())])),
        ("ratio", ((compressed.ratio() * 1000.0).round() / 1000.0).into()),
        ("text", compressed.text.as_str().into()),
    ];
    object(fields)
}

fn expandable(part: &Part) -> Json {
    let details = if part.name == "full" { "" } else { " details" };
    format!("{}{details}: {}", part.title, part.link()).into()
}
