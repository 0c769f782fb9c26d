//! Spans of OpenTelemetry by its conventions for generative AI, and by those of OpenInference.

use std::borrow::Cow;

use huddle_scan::RawJson;

use super::turn::text_of;
use super::{AgentKind, AgentRef, Context, Format, NestedRecord, Part, Turn, TurnFlags, TurnRole, Usage};

/// The reader.
#[derive(Debug)]
pub(super) struct OpenTelemetry;

impl Format for OpenTelemetry {
    fn name(&self) -> &'static str {
        "OpenTelemetry spans"
    }

    fn agent(&self) -> &'static str {
        "model"
    }

    fn confidence(&self, record: RawJson<'_>) -> u8 {
        let has = |key: &str| record.get(key).is_some();
        let is_span = has("spanId") || has("span_id") || record.at(&["context", "span_id"]).is_some();
        let has_start = has("startTimeUnixNano") || has("start_time") || has("start_time_unix_nano");
        if is_span && has_start && has("name") { 90 } else { 0 }
    }

    fn read<'b>(&self, record: RawJson<'b>, _context: &mut Context) -> Turn<'b> {
        let text = |keys: [&str; 2]| keys.into_iter().find_map(|key| text_of(record, key));
        let context = |key: &str| record.at(&["context", key]).and_then(RawJson::text);
        let id = text(["spanId", "span_id"]).or_else(|| context("span_id")).unwrap_or_default();
        let attributes = Attributes(record.get("attributes"));
        let operation = attributes.text(&["gen_ai.operation.name", "openinference.span.kind"]).unwrap_or_default();
        let tool = attributes.text(&["gen_ai.tool.name", "tool.name"]);
        let mut turn = match (operation.to_ascii_lowercase().as_str(), tool) {
            ("execute_tool" | "tool", Some(name)) => call(&attributes, &id, name),
            ("execute_tool" | "tool", None) => call(&attributes, &id, text_of(record, "name").unwrap_or_default()),
            ("chat" | "text_completion" | "generate_content" | "llm", _) => answer(&attributes),
            ("invoke_agent" | "create_agent" | "agent", _) => Turn::of(TurnRole::Lifecycle),
            _ => Turn::default(),
        };
        let failed =
            |code: RawJson<'_>| code.number() == Some(2) || code.text().is_some_and(|code| code.ends_with("ERROR"));
        let code = record.at(&["status", "code"]).or_else(|| record.at(&["status", "status_code"]));
        turn.flags.set(TurnFlags::ERROR, code.is_some_and(failed));
        turn.kind =
            matches!(turn.role, TurnRole::Noise | TurnRole::Lifecycle).then(|| text_of(record, "name")).flatten();
        turn.agent = attributes.text(&["gen_ai.agent.name", "agent.name"]).map(|name| AgentRef {
            kind: AgentKind::Main,
            key: name.clone(),
            name: Some(name),
            call: None,
        });
        turn.at = ["startTimeUnixNano", "start_time_unix_nano"]
            .into_iter()
            .find_map(|key| record.get(key)?.number())
            .and_then(|nanos| i64::try_from(nanos / 1000).ok());
        turn.session = attributes
            .text(&["gen_ai.conversation.id", "session.id"])
            .or_else(|| text(["traceId", "trace_id"]))
            .or_else(|| context("trace_id"));
        turn.previous = text(["parentSpanId", "parent_span_id"]).or_else(|| text_of(record, "parent_id"));
        turn.id = Some(id);
        turn
    }

    fn records<'b>(&self, document: RawJson<'b>) -> Vec<NestedRecord<'b>> {
        let lists = |object: RawJson<'b>, keys: [&str; 2]| {
            keys.into_iter().filter_map(move |key| object.get(key)).flat_map(RawJson::elements).collect::<Vec<_>>()
        };
        let resources = lists(document, ["resourceSpans", "resource_spans"]);
        let scopes = resources.into_iter().flat_map(|resource| lists(resource, ["scopeSpans", "scope_spans"]));
        let spans = scopes.flat_map(|scope| lists(scope, ["spans", "Spans"]));
        spans.map(|record| NestedRecord { record, session: None }).collect()
    }
}

/// Attributes of a span: a list of keys and values, or an object.
struct Attributes<'b>(Option<RawJson<'b>>);

impl<'b> Attributes<'b> {
    fn value(&self, keys: &[&str]) -> Option<RawJson<'b>> {
        let attributes = self.0?;
        keys.iter().find_map(|key| {
            if attributes.is_object() {
                return attributes.get(key).or_else(|| attributes.at(&key.split('.').collect::<Vec<_>>()));
            }
            let found =
                attributes.elements().find(|attribute| text_of(*attribute, "key").is_some_and(|it| it == **key))?;
            found.get("value")?.members().next().map(|(_, value)| value)
        })
    }

    fn text(&self, keys: &[&str]) -> Option<Cow<'b, str>> {
        self.value(keys).and_then(RawJson::text)
    }

    fn number(&self, keys: &[&str]) -> Option<u64> {
        self.value(keys).and_then(RawJson::number)
    }
}

fn call<'b>(attributes: &Attributes<'b>, id: &str, name: Cow<'b, str>) -> Turn<'b> {
    let input = attributes.value(&["gen_ai.tool.call.arguments", "tool.parameters", "input.value"]);
    let output = attributes.value(&["gen_ai.tool.call.result", "output.value"]);
    let id = attributes.text(&["gen_ai.tool.call.id", "tool_call.id"]).unwrap_or_else(|| Cow::Owned(id.to_owned()));
    let mut parts = vec![Part::Call { id: id.clone(), name, input: input.unwrap_or(RawJson::new(b"")) }];
    parts.extend(output.map(|content| Part::Result { id, content, is_error: false }));
    Turn { parts, ..Turn::of(TurnRole::ToolCall) }
}

fn answer<'b>(attributes: &Attributes<'b>) -> Turn<'b> {
    let input =
        attributes.number(&["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"]);
    let output = attributes.number(&[
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.completion_tokens",
        "llm.token_count.completion",
    ]);
    let usage = input.or(output).map(|_| Usage {
        input: input.unwrap_or_default(),
        output: output.unwrap_or_default(),
        ..Usage::default()
    });
    let said = attributes.value(&["gen_ai.output.messages", "gen_ai.completion", "output.value"]);
    let model = attributes.text(&["gen_ai.response.model", "gen_ai.request.model", "llm.model_name"]);
    Turn { parts: said.map(Part::Text).into_iter().collect(), model, usage, ..Turn::of(TurnRole::Answer) }
}
