//! Transcripts of Claude Code: under `~/.claude/projects`, streamed by `claude -p`, and exported from the web.

mod content;

use std::borrow::Cow;

use huddle_scan::{Fields, RawJson};

use super::turn::{says, text_of};
use super::{AgentKind, AgentRef, Author, Context, Format, Link, NestedRecord, Turn, TurnFlags, TurnRole};

/// The reader.
#[derive(Debug)]
pub(super) struct ClaudeCode;

/// Kinds of record that a session keeps beside what is said.
const KEPT: [&str; 17] = [
    "agent-color",
    "agent-name",
    "agent-setting",
    "ai-title",
    "attribution-snapshot",
    "content-replacement",
    "custom-title",
    "file-history-snapshot",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "queue-operation",
    "summary",
    "tag",
    "task-summary",
    "worktree-state",
];

/// What results begin with that are of no agent.
const OF_OTHER_TOOLS: [&str; 7] = ["stdout", "type", "filePath", "mode", "filenames", "oldTodos", "file"];

/// The members of a record that say what it is.
#[derive(Default)]
struct Record<'b> {
    kind: Option<RawJson<'b>>,
    subtype: Option<RawJson<'b>>,
    message: Option<RawJson<'b>>,
    data: Option<RawJson<'b>>,
    attachment: Option<RawJson<'b>>,
    result: Option<RawJson<'b>>,
    uuid: Option<RawJson<'b>>,
    parent: Option<RawJson<'b>>,
    session: Option<RawJson<'b>>,
    directory: Option<RawJson<'b>>,
    branch: Option<RawJson<'b>>,
    agent_id: Option<RawJson<'b>>,
    agent_name: Option<RawJson<'b>>,
    parent_call: Option<RawJson<'b>>,
    title: Option<RawJson<'b>>,
    is_sidechain: bool,
    is_meta: bool,
    is_summary: bool,
    is_error: bool,
}

impl<'b> Record<'b> {
    fn of(members: impl Iterator<Item = (&'b [u8], RawJson<'b>)>) -> Self {
        let mut found = Self::default();
        for (key, value) in members {
            match key {
                b"type" => found.kind = Some(value),
                b"subtype" => found.subtype = Some(value),
                b"message" => found.message = Some(value),
                b"data" => found.data = Some(value),
                b"attachment" => found.attachment = Some(value),
                b"toolUseResult" => found.result = Some(value),
                b"uuid" => found.uuid = Some(value),
                b"parentUuid" => found.parent = Some(value),
                b"sessionId" | b"session_id" => found.session = Some(value),
                b"cwd" => found.directory = Some(value),
                b"gitBranch" => found.branch = Some(value),
                b"agentId" => found.agent_id = Some(value),
                b"agentName" => found.agent_name = Some(value),
                b"parent_tool_use_id" | b"parentToolUseID" => found.parent_call = Some(value),
                b"summary" | b"customTitle" | b"aiTitle" => found.title = Some(value),
                b"isSidechain" => found.is_sidechain = value.is_true(),
                b"isMeta" => found.is_meta = value.is_true(),
                b"isCompactSummary" => found.is_summary = value.is_true(),
                b"isApiErrorMessage" | b"is_error" => found.is_error = value.is_true(),
                _ => {}
            }
        }
        found
    }

    fn kind(&self) -> Cow<'b, str> {
        self.kind.and_then(RawJson::text).unwrap_or_default()
    }

    fn subtype(&self) -> Cow<'b, str> {
        self.subtype.and_then(RawJson::text).unwrap_or_default()
    }

    /// Returns the agent whose turn it is; none for the main one.
    fn agent(&self) -> Option<AgentRef<'b>> {
        let text = |value: Option<RawJson<'b>>| value.and_then(RawJson::text);
        let (id, call) = (text(self.agent_id), text(self.parent_call));
        let name = text(self.agent_name);
        if !self.is_sidechain && call.as_ref().is_none_or(|_| self.data.is_some()) {
            return name.map(|name| AgentRef {
                kind: AgentKind::Main,
                key: name.clone(),
                name: Some(name),
                call: None,
            });
        }
        match id.or_else(|| call.clone()) {
            Some(id) => {
                let helper = helper(&id);
                let kind = if helper.is_some() { AgentKind::Helper } else { AgentKind::SubAgent };
                let name = name.or_else(|| helper.map(|helper| Cow::Owned(helper.replace('_', "-"))));
                Some(AgentRef { kind, key: id, name, call })
            }
            None => Some(AgentRef { kind: AgentKind::SubAgent, name, ..AgentRef::default() }),
        }
    }
}

/// Returns the name of a helper of the program out of its id: `aprompt_suggestion-221b3e`.
fn helper(id: &str) -> Option<&str> {
    let (name, number) = id.strip_prefix('a')?.rsplit_once('-')?;
    let is_hex = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hex && ["prompt_suggestion", "compact", "session_memory", "magic_docs"].contains(&name)).then_some(name)
}

impl Format for ClaudeCode {
    fn name(&self) -> &'static str {
        "Claude Code transcript"
    }

    fn agent(&self) -> &'static str {
        "claude"
    }

    fn confidence(&self, record: RawJson<'_>) -> u8 {
        let has = |key: &str| record.get(key).is_some();
        let kind = text_of(record, "type").unwrap_or_default();
        let is_said = matches!(&*kind, "user" | "assistant");
        if has("isSidechain") && (has("sessionId") || has("uuid")) {
            95
        } else if is_said && has("uuid") && (has("sessionId") || has("session_id")) {
            90
        } else if KEPT.contains(&&*kind) && ["leafUuid", "sessionId", "messageId"].into_iter().any(has) {
            85
        } else if kind == "system" && says(record, "subtype", "init") && has("session_id") {
            80
        } else if is_said && record.at(&["message", "role"]).is_some() && record.at(&["message", "content"]).is_some() {
            70
        } else if !kind.is_empty() && (has("sessionId") || has("session_id") || has("uuid")) {
            40
        } else {
            u8::from(kind == "result" || kind == "system")
        }
    }

    fn read<'b>(&self, record: RawJson<'b>, context: &mut Context) -> Turn<'b> {
        read(&Record::of(record.members()), context)
    }

    fn read_scanned<'b>(&self, record: RawJson<'b>, fields: &Fields, context: &mut Context) -> Turn<'b> {
        match fields.members(record.bytes()) {
            Some(members) => read(&Record::of(members), context),
            None => self.read(record, context),
        }
    }

    fn records<'b>(&self, document: RawJson<'b>) -> Vec<NestedRecord<'b>> {
        let Some(lines) = document.get("loglines") else { return Vec::new() };
        let session = text_of(document, "sessionId").or_else(|| text_of(document, "id"));
        lines.elements().map(|record| NestedRecord { record, session: session.clone() }).collect()
    }
}

fn read<'b>(found: &Record<'b>, context: &mut Context) -> Turn<'b> {
    let text = |value: Option<RawJson<'b>>| value.and_then(RawJson::text);
    let mut turn = read_kind(found);
    turn.id = text(found.uuid);
    turn.previous = text(found.parent);
    turn.directory = text(found.directory);
    turn.branch = text(found.branch).filter(|branch| !branch.is_empty() && branch != "HEAD");
    turn.session = text(found.session);
    match &turn.session {
        Some(session) if context.session != *session => context.session = session.clone().into_owned(),
        None if !context.session.is_empty() => turn.session = Some(Cow::Owned(context.session.clone())),
        _ => {}
    }
    turn.agent = found.agent();
    if turn.agent.as_ref().is_some_and(|agent| agent.kind == AgentKind::Helper) {
        turn.kind = Some(Cow::Borrowed("helper"));
        turn.role = TurnRole::Noise;
    }
    if matches!(&*found.kind(), "custom-title" | "ai-title") {
        turn.title = text(found.title);
    }
    turn
}

fn read_kind<'b>(found: &Record<'b>) -> Turn<'b> {
    match &*found.kind() {
        "assistant" => content::answer(found.message.unwrap_or(RawJson::new(b"")), found.is_error),
        "user" => said_to_agent(found),
        "system" => system(found),
        "result" => {
            let mut turn = Turn::of(TurnRole::Lifecycle);
            turn.kind = Some(Cow::Borrowed("result"));
            turn.flags.set(TurnFlags::ERROR, found.is_error);
            turn
        }
        "attachment" => attachment(found),
        "progress" => progress(found),
        "summary" => Turn { title: found.title.and_then(RawJson::text), ..Turn::noise(Some(found.kind())) },
        _ => Turn::noise(Some(found.kind())),
    }
}

/// Reads what is given to an agent: a prompt, or what came of a call.
fn said_to_agent<'b>(found: &Record<'b>) -> Turn<'b> {
    let mut turn = content::input(found.message.unwrap_or(RawJson::new(b"")));
    if turn.role == TurnRole::ToolResult {
        // Few results name an agent, and many are long: what they begin with tells those that do not.
        let names_agent = |result: &RawJson<'_>| {
            result.first_key().is_some_and(|key| !OF_OTHER_TOOLS.iter().any(|other| other.as_bytes() == key))
        };
        let started = found.result.filter(names_agent).and_then(|result| text_of(result, "agentId"));
        let call = turn.parts.iter().find_map(|part| match part {
            super::Part::Result { id, .. } => Some(id.clone()),
            _ => None,
        });
        turn.link = started.zip(call).map(|(agent, call)| Link { call, agent });
        return turn;
    }
    if found.is_summary {
        turn.role = TurnRole::Lifecycle;
        turn.kind = Some(Cow::Borrowed("compaction-summary"));
        turn.author = Author::Agent;
    } else if found.is_meta && turn.role == TurnRole::Prompt {
        turn.role = TurnRole::Noise;
        turn.kind = Some(Cow::Borrowed("meta"));
    }
    if found.is_sidechain && turn.author == Author::Human {
        turn.author = Author::Principal;
    }
    turn
}

fn system<'b>(found: &Record<'b>) -> Turn<'b> {
    let subtype = found.subtype();
    let mut turn = match &*subtype {
        "compact_boundary" | "microcompact_boundary" | "init" | "api_error" => Turn::of(TurnRole::Lifecycle),
        _ => Turn::default(),
    };
    turn.flags.set(TurnFlags::COMPACTION, subtype == "compact_boundary");
    turn.flags.set(TurnFlags::ERROR, subtype == "api_error");
    turn.kind = Some(if subtype.is_empty() { found.kind() } else { subtype });
    turn
}

/// Reads what was put beside a prompt; one that was typed while the agent was at work is a prompt.
fn attachment<'b>(found: &Record<'b>) -> Turn<'b> {
    let attachment = found.attachment.unwrap_or(RawJson::new(b""));
    if says(attachment, "type", "queued_command")
        && let Some(prompt) = attachment.get("prompt")
    {
        let mut turn = content::prompt(prompt);
        if turn.role == TurnRole::Prompt && !says(attachment, "commandMode", "task-notification") {
            return turn;
        }
        turn.role = TurnRole::Lifecycle;
        return turn;
    }
    Turn::noise(Some(found.kind()))
}

/// Reads news of something under way; an agent's own news name the call that started it.
fn progress<'b>(found: &Record<'b>) -> Turn<'b> {
    let data = found.data.unwrap_or(RawJson::new(b""));
    let mut turn = Turn::noise(text_of(data, "type").or_else(|| Some(found.kind())));
    turn.link = text_of(data, "agentId")
        .zip(found.parent_call.and_then(RawJson::text))
        .map(|(agent, call)| Link { call, agent });
    turn
}
