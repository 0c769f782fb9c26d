//! Agents that know nothing but the mailbox protocol's shell snippets, each snippet as one function.
//!
//! What `jq`, `cp`, `touch`, `mv` and `cat` do there is done here in the same order, races and all: a file is read whole,
//! changed, written beside itself and moved over. A field that a snippet reads must be there with the type that it counts
//! on; where `jq` would print `null` and go on, so does this.

mod documents;

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

/// A shell in a project's root, with the snippets sourced.
pub struct Shell {
    root: PathBuf,
    now: String,
    rolls: Cell<u32>,
}

/// A line of `check_inbox`: what it shows of an unread message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// The message's file.
    pub file: PathBuf,
    /// `.from_agent`; `null` for an event.
    pub from: String,
    /// `.message_type`; `null` for an event.
    pub kind: String,
    /// `.subject`; `null` for an event.
    pub subject: String,
    /// `.priority`; `null` for an event, and for what snippets broadcast and respond.
    pub priority: String,
}

/// What `read_message` takes from a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Letter {
    /// `.from_agent`.
    pub from: String,
    /// `.message_type`.
    pub kind: String,
    /// `.subject`.
    pub subject: String,
    /// `.payload`.
    pub payload: Value,
    /// The acknowledgment that was sent, if `.requires_response` asked for one.
    pub acknowledgment: Option<String>,
}

impl Shell {
    /// Opens a shell in a project's root, at a time such as `2025-11-29T14:30:52Z`.
    pub fn new(root: impl Into<PathBuf>, now: &str) -> Self {
        Self { root: root.into(), now: now.to_owned(), rolls: Cell::new(0) }
    }

    /// Sets the time that `date` tells.
    pub fn set_clock(&mut self, now: &str) {
        now.clone_into(&mut self.now);
    }

    /// Step 1.2: makes an inbox and enters the agent in the registry.
    pub fn register_agent(&self, agent: &str, role: &str, worktree: &str, capabilities: &[&str]) -> Result<()> {
        fs::create_dir_all(self.bus(&format!("inbox/{agent}")))?;
        jq(&self.registry(), |registry| {
            ensure!(registry["agents"].is_object(), "the registry has no .agents");
            registry["agents"][agent] = json!({
                "role": role,
                "worktree_path": worktree,
                "capabilities": capabilities,
                "registered_at": self.now,
                "status": "active",
                "last_seen": self.now,
                "message_count": 0,
            });
            Ok(())
        })
    }

    /// Step 2.1: writes a message into an inbox, counts it, and logs it for the sender; returns its id.
    pub fn send_message(
        &self,
        route: [&str; 2],
        kind: &str,
        subject: &str,
        payload: &Value,
        priority: &str,
    ) -> Result<String> {
        let [from, to] = route;
        let id = self.new_id("msg");
        let message = json!({
            "message_id": id,
            "protocol_version": "1.0",
            "timestamp": self.now,
            "from_agent": from,
            "to_agent": to,
            "message_type": kind,
            "priority": priority,
            "subject": subject,
            "payload": payload,
            "requires_response": false,
            "status": "delivered",
            "delivered_at": self.now,
        });
        let file = self.inbox(to, &id);
        cat(&file, &message)?;
        jq(&self.registry(), |registry| {
            let count = &mut registry["agents"][to]["message_count"];
            // In jq, null + 1 is 1.
            *count = json!(count.as_u64().unwrap_or(0) + 1);
            Ok(())
        })?;
        cp(&file, &self.bus(&format!("outbox/{id}_to_{to}.json")))?;
        Ok(id)
    }

    /// Step 2.2: writes a broadcast and copies it to every agent but the sender; returns its id.
    pub fn broadcast_message(&self, from: &str, kind: &str, subject: &str, payload: &Value) -> Result<String> {
        let id = self.new_id("bcast");
        let file = self.bus(&format!("broadcasts/{id}.json"));
        let message = json!({
            "message_id": id,
            "protocol_version": "1.0",
            "timestamp": self.now,
            "from_agent": from,
            "to_agent": "ALL",
            "message_type": kind,
            "subject": subject,
            "payload": payload,
            "broadcast": true,
        });
        cat(&file, &message)?;
        for agent in self.agents()?.iter().filter(|agent| *agent != from) {
            cp(&file, &self.inbox(agent, &id))?;
        }
        Ok(id)
    }

    /// Step 2.3: writes an event and copies it to its subscribers; returns its id and who they are.
    pub fn publish_event(&self, event: &str, source: &str, data: &Value) -> Result<(String, Vec<String>)> {
        let id = self.new_id("evt");
        let dir = self.bus(&format!("events/{event}"));
        fs::create_dir_all(&dir)?;
        let file = dir.join(format!("{id}.json"));
        let message = json!({
            "event_id": id,
            "event_type": event,
            "timestamp": self.now,
            "source_agent": source,
            "event_data": data,
        });
        cat(&file, &message)?;
        let subscribers = self.subscribers(event)?;
        for agent in &subscribers {
            cp(&file, &self.inbox(agent, &id))?;
        }
        Ok((id, subscribers))
    }

    /// Step 3.1: lists the messages without a `.read` marker, in the order of their names.
    pub fn check_inbox(&self, agent: &str) -> Result<Vec<Mail>> {
        let mut unread = Vec::new();
        for file in glob(&self.bus(&format!("inbox/{agent}")), ".json")? {
            if file.is_file() && !marker(&file).exists() {
                let message = read(&file)?;
                let is_event = message.get("event_id").is_some();
                let shown = |field: &str| if is_event { raw(&message, field) } else { text(&message, field) };
                let [from, kind, subject] = [shown("from_agent")?, shown("message_type")?, shown("subject")?];
                let priority = raw(&message, "priority")?;
                unread.push(Mail { from, kind, subject, priority, file });
            }
        }
        Ok(unread)
    }

    /// Step 3.2: reads a message, marks it as read, and acknowledges it if that is asked for.
    pub fn read_message(&self, agent: &str, file: &Path) -> Result<Letter> {
        let message = read(file)?;
        let [from, kind, subject] =
            [text(&message, "from_agent")?, text(&message, "message_type")?, text(&message, "subject")?];
        let payload = message.get("payload").with_context(|| format!(".payload is missing: {message}"))?.clone();
        let asks = message.get("requires_response");
        ensure!(asks.is_none_or(Value::is_boolean), ".requires_response is no boolean: {message}");
        // `touch`, and then `echo … >`: for an instant the marker is empty.
        fs::File::create(marker(file))?;
        fs::write(marker(file), format!("{}\n", self.now))?;
        let mut acknowledgment = None;
        if asks == Some(&Value::Bool(true)) {
            // The protocol calls send_acknowledgment and does not say what it does: this is the message of example 2.
            let payload = json!({ "message_id": text(&message, "message_id")?, "will_comply": true });
            let subject = format!("Acknowledged {subject}");
            acknowledgment = Some(self.send_message([agent, &from], "acknowledgment", &subject, &payload, "normal")?);
        }
        Ok(Letter { from, kind, subject, payload, acknowledgment })
    }

    /// Step 3.3: writes a response into the sender's inbox; returns its id and the conversation's.
    pub fn respond_to_message(&self, agent: &str, file: &Path, payload: &Value) -> Result<(String, String)> {
        let original = read(file)?;
        let [original_id, to] = [text(&original, "message_id")?, text(&original, "from_agent")?];
        let conversation = match original.get("conversation_id") {
            Some(_) => text(&original, "conversation_id")?,
            None => format!("conv_{}", self.compact()),
        };
        let id = self.new_id("resp");
        let message = json!({
            "message_id": id,
            "protocol_version": "1.0",
            "timestamp": self.now,
            "from_agent": agent,
            "to_agent": to,
            "message_type": "response",
            "subject": format!("Re: {}", text(&original, "subject")?),
            "payload": payload,
            "in_reply_to": original_id,
            "conversation_id": conversation,
            "status": "delivered",
        });
        cat(&self.inbox(&to, &id), &message)?;
        Ok((id, conversation))
    }

    /// `jq -r '.agents | keys[]'`: names, sorted.
    pub fn agents(&self) -> Result<Vec<String>> {
        let registry = read(&self.registry())?;
        let agents = registry["agents"].as_object().with_context(|| format!("no .agents: {registry}"))?;
        let mut names: Vec<String> = agents.keys().cloned().collect();
        names.sort();
        Ok(names)
    }

    /// `jq -r '.event_subscriptions[$event] // []'`, then `.[]`.
    pub fn subscribers(&self, event: &str) -> Result<Vec<String>> {
        let registry = read(&self.registry())?;
        let events = registry["event_subscriptions"].as_object();
        let events = events.with_context(|| format!("no .event_subscriptions: {registry}"))?;
        let Some(names) = events.get(event) else { return Ok(Vec::new()) };
        let names = names.as_array().with_context(|| format!("subscribers are no list: {names}"))?;
        names.iter().map(|name| Ok(name.as_str().context("a subscriber is no text")?.to_owned())).collect()
    }

    /// Returns a path below `.agent-messages/`.
    pub fn bus(&self, path: &str) -> PathBuf {
        self.root.join(".agent-messages").join(path)
    }

    fn registry(&self) -> PathBuf {
        self.bus("registry.json")
    }

    /// Returns the file of a message in an inbox.
    pub fn inbox(&self, agent: &str, id: &str) -> PathBuf {
        self.bus(&format!("inbox/{agent}/{id}.json"))
    }

    /// `date +%Y%m%d_%H%M%S`.
    fn compact(&self) -> String {
        self.now.replace(['-', ':', 'Z'], "").replace('T', "_")
    }

    fn new_id(&self, prefix: &str) -> String {
        self.rolls.set(self.rolls.get() + 1);
        format!("{prefix}_{}_sh{:04}", self.compact(), self.rolls.get())
    }
}

/// Reads a JSON file.
pub fn read(file: &Path) -> Result<Value> {
    let bytes = fs::read(file).with_context(|| format!("reading failed: {}", file.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("not JSON: {}", file.display()))
}

/// `jq … "$file" > "$file.tmp"; mv "$file.tmp" "$file"`.
pub fn jq(file: &Path, edit: impl FnOnce(&mut Value) -> Result<()>) -> Result<()> {
    let mut value = read(file)?;
    edit(&mut value)?;
    let temp = with_ending(file, ".tmp");
    fs::write(&temp, format!("{value:#}\n"))?;
    Ok(fs::rename(&temp, file)?)
}

/// `cat > "$file" <<EOF`.
fn cat(file: &Path, value: &Value) -> Result<()> {
    fs::write(file, format!("{value:#}\n")).with_context(|| format!("writing failed: {}", file.display()))
}

fn cp(from: &Path, to: &Path) -> Result<()> {
    let copied = fs::copy(from, to).map(drop);
    copied.with_context(|| format!("cp {} {}", from.display(), to.display()))
}

/// Names the marker that says when a message was read.
pub fn marker(file: &Path) -> PathBuf {
    with_ending(file, ".read")
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// `"$dir"/*$ending`: sorted, and without hidden files.
fn glob(dir: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).with_context(|| format!("listing failed: {}", dir.display()))?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.ends_with(ending) && !name.starts_with('.')
    });
    files.sort();
    Ok(files)
}

/// Reads a field that must be text.
fn text(value: &Value, field: &str) -> Result<String> {
    let found = value.get(field).and_then(Value::as_str);
    Ok(found.with_context(|| format!(".{field} is missing or no text: {value}"))?.to_owned())
}

/// `jq -r`: a field's text, or `null` where there is none.
fn raw(value: &Value, field: &str) -> Result<String> {
    if value.get(field).is_some() { text(value, field) } else { Ok("null".to_owned()) }
}
