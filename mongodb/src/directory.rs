//! The directory: a document for each agent, and one for the bus itself.

use bson::{Bson, Document, doc};
use futures_util::TryStreamExt;
use huddle_core::Host;
use huddle_core::engine::Result;
use huddle_core::model::{
    Agent, AgentName, Diagnostic, Directory, EventName, Json, Limits, Severity, Timestamp, Usage, WhenFull,
    WithDiagnostics,
};
use huddle_core::wire::parse_map;
use mongodb::ClientSession;
use mongodb::IndexModel;
use mongodb::error::Result as DriverResult;
use mongodb::options::{IndexOptions, UpdateOptions};

use crate::MongoEngine;
use crate::connection::Collections;
use crate::errors::{TransactionConflict, is_duplicate};
use crate::stored::{ARCHIVED, KEY, date, time};

/// The document of the bus itself; those of agents have a slash in theirs.
const BUS: &str = "bus";
/// How long what was archived is kept: ninety days.
const ARCHIVE_TTL_SECONDS: u64 = 90 * 24 * 60 * 60;
/// How often an edit is made anew because another came between.
const MAX_EDIT_ATTEMPTS: u32 = 100;

impl<H: Host> MongoEngine<H> {
    pub(crate) fn make_bus(&self) -> Result<bool> {
        let bus = doc! {
            "_id": BUS,
            "revision": 1_i64,
            "initializedAt": date(self.host.now().floor()),
            "retentionHours": i64::from(Directory::DEFAULT_RETENTION_HOURS),
            "subscriptions": [],
        };
        let is_new = self.connection.retry("making the bus", async |collections| {
            make_indexes(collections).await?;
            match collections.agents.insert_one(bus.clone()).await {
                Ok(_) => Ok(true),
                Err(error) if is_duplicate(&error) => Ok(false),
                Err(error) => Err(error),
            }
        })?;
        self.is_open.set(true);
        Ok(is_new)
    }

    pub(crate) fn has_bus(&self) -> Result<bool> {
        let bus = self.connection.retry("looking for the bus", async |collections| {
            collections.agents.find_one(doc! { "_id": BUS }).projection(doc! { "_id": 1 }).await
        })?;
        Ok(bus.is_some())
    }

    pub(crate) fn read_directory(&self) -> Result<WithDiagnostics<Directory>> {
        let (_, directory) = self.read_revision()?;
        Ok(directory)
    }

    fn read_revision(&self) -> Result<(i64, WithDiagnostics<Directory>)> {
        let documents: Vec<Document> = self.connection.retry("reading the directory", async |collections| {
            collections.agents.find(doc! {}).await?.try_collect().await
        })?;
        let mut found = WithDiagnostics::clean(Directory::default());
        let mut revision = None;
        for document in documents {
            match document.get_str("_id") {
                Ok(BUS) => {
                    revision = Some(document.get_i64("revision").unwrap_or_default());
                    decode_bus(&document, &mut found.value);
                }
                _ => match decode_agent(&document) {
                    Ok((name, agent)) => drop(found.value.agents.insert(name, agent)),
                    Err(finding) => found.findings.push(finding),
                },
            }
        }
        Ok((revision.ok_or_else(|| self.no_bus())?, found))
    }

    pub(crate) fn change_directory(&self, edit: &mut dyn FnMut(&mut Directory)) -> Result<()> {
        for turn in 1.. {
            let (revision, WithDiagnostics { value: old, .. }) = self.read_revision()?;
            let mut new = old.clone();
            edit(&mut new);
            if new == old {
                return Ok(());
            }
            let changed = self.connection.run("changing the directory", async |collections| {
                collections
                    .in_transaction(async |session| write(collections, session, revision, &old, &new).await)
                    .await
            });
            match changed {
                // Another edit came between: this one has to see what that left.
                Err(error)
                    if turn < MAX_EDIT_ATTEMPTS && matches!(*error, huddle_core::engine::Error::Conflict { .. }) => {}
                done => return done,
            }
        }
        Ok(())
    }

    /// Records who sent and who got something. It follows the message and is not part of it: whatever becomes of it, the
    /// message is there, and its sender must not be told otherwise.
    pub(crate) fn update_counters(&self, by: &AgentName, at: Timestamp, counted: &[(AgentName, u64)]) {
        let mut updates = vec![doc! { "q": { "_id": agent_id(by) }, "u": { "$max": { "lastSeen": date(at) } } }];
        updates.extend(counted.iter().map(|(name, more)| {
            let more = i64::try_from(*more).unwrap_or(i64::MAX);
            doc! { "q": { "_id": agent_id(name) }, "u": { "$inc": { "messageCount": more } } }
        }));
        let command = doc! { "update": "agents", "updates": updates, "ordered": false, "writeConcern": { "w": 1 } };
        let done = self
            .connection
            .retry("counting messages", async |collections| collections.database.run_command(command.clone()).await);
        // A count that is too low is put up with, as after a kill between the two.
        drop(done);
    }
}

/// Makes what lookups need. The server does nothing about those that are there.
async fn make_indexes(collections: &Collections) -> DriverResult<()> {
    let index = |keys: Document, options: IndexOptions| IndexModel::builder().keys(keys).options(options).build();
    let named = |name: &str| IndexOptions::builder().name(name.to_owned()).build();
    let by_key = IndexOptions::builder()
        .name("huddle_key".to_owned())
        .unique(true)
        .partial_filter_expression(doc! { KEY: { "$exists": true } })
        .build();
    let old = IndexOptions::builder()
        .name("huddle_retention".to_owned())
        .expire_after(std::time::Duration::from_secs(ARCHIVE_TTL_SECONDS))
        .build();
    let inbox = doc! { "to": 1, "read": 1, "place": 1, "priority": 1, "createdAt": 1 };
    let indexes = [
        index(inbox, named("huddle_inbox")),
        index(doc! { "id": 1, "to": 1 }, named("huddle_copy")),
        index(doc! { "threadId": 1, "createdAt": 1 }, named("huddle_thread")),
        index(doc! { "inReplyTo": 1 }, named("huddle_reply")),
        index(doc! { "from": 1, KEY: 1 }, by_key),
        index(doc! { ARCHIVED: 1 }, old),
    ];
    collections.messages.create_indexes(indexes).await.map(drop)
}

fn agent_id(name: &AgentName) -> String {
    format!("agent/{name}")
}

fn decode_bus(document: &Document, directory: &mut Directory) {
    directory.initialized_at = time(document.get("initializedAt"));
    let hours = document.get_i64("retentionHours").ok().and_then(|hours| u32::try_from(hours).ok());
    directory.retention_hours = hours.unwrap_or(Directory::DEFAULT_RETENTION_HOURS);
    directory.limits = document.get_document("limits").map_or_else(|_| Limits::default(), take_limits);
    directory.usage = document.get_document("usage").ok().and_then(take_usage);
    let entries = document.get_array("subscriptions").into_iter().flatten().filter_map(Bson::as_document);
    for entry in entries {
        let Some(event) = entry.get_str("event").ok().and_then(|event| EventName::new(event).ok()) else { continue };
        let agents = texts(entry, "agents").filter_map(|name| AgentName::new(name).ok()).collect();
        directory.subscriptions.insert(event, agents);
    }
}

fn take_limits(limits: &Document) -> Limits {
    Limits {
        max_messages: number(limits, "maxMessages"),
        max_bytes: number(limits, "maxBytes"),
        max_age_hours: number(limits, "maxAgeHours").and_then(|hours| u32::try_from(hours).ok()),
        when_full: limits.get_str("whenFull").ok().and_then(WhenFull::parse).unwrap_or_default(),
    }
}

fn take_usage(usage: &Document) -> Option<Usage> {
    let number = |key: &str| number(usage, key);
    Some(Usage { messages: number("messages")?, bytes: number("bytes")?, delivered: number("delivered")? })
}

/// Reads a count that a person may have written as any kind of number.
fn number(document: &Document, key: &str) -> Option<u64> {
    let value = document.get(key)?;
    let whole = value.as_i64().or_else(|| value.as_i32().map(i64::from));
    u64::try_from(whole.or_else(|| value.as_f64().filter(|float| float.fract() == 0.0).map(|float| float as i64))?).ok()
}

fn limits_document(limits: &Limits) -> Document {
    let number =
        |number: Option<u64>| number.map_or(Bson::Null, |number| i64::try_from(number).unwrap_or(i64::MAX).into());
    doc! {
        "maxMessages": number(limits.max_messages),
        "maxBytes": number(limits.max_bytes),
        "maxAgeHours": number(limits.max_age_hours.map(u64::from)),
        "whenFull": limits.when_full.as_str(),
    }
}

fn usage_document(usage: Usage) -> Document {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    doc! {
        "messages": number(usage.messages),
        "bytes": number(usage.bytes),
        "delivered": number(usage.delivered),
    }
}

fn texts<'a>(document: &'a Document, key: &str) -> impl Iterator<Item = &'a str> {
    document.get_array(key).into_iter().flatten().filter_map(Bson::as_str)
}

fn decode_agent(document: &Document) -> Result<(AgentName, Agent), Diagnostic> {
    let text = |key: &str| document.get_str(key).unwrap_or_default().to_owned();
    let name = AgentName::new(text("name")).map_err(|error| Diagnostic {
        severity: Severity::Warning,
        code: "damaged-registry",
        place: format!("agents/{}", document.get("_id").cloned().unwrap_or_default()),
        message: format!("an agent cannot be made out: {error}"),
        hint: "mend the document, or remove it".into(),
    })?;
    let agent = Agent {
        role: text("role"),
        worktree: text("worktree"),
        capabilities: texts(document, "capabilities").map(str::to_owned).collect(),
        registered_at: time(document.get("registeredAt")),
        status: text("status"),
        last_seen: time(document.get("lastSeen")),
        message_count: document.get_i64("messageCount").ok().and_then(|n| u64::try_from(n).ok()).unwrap_or_default(),
        extra: document.get_str("extra").ok().and_then(|text| parse_map(text.as_bytes())).unwrap_or_default(),
    };
    Ok((name, agent))
}

/// Writes the difference that an edit made, unless another came between.
async fn write(
    collections: &Collections,
    session: &mut ClientSession,
    revision: i64,
    old: &Directory,
    new: &Directory,
) -> DriverResult<()> {
    let agents = &collections.agents;
    let filter = doc! { "_id": BUS, "revision": revision };
    let changed = agents.update_one(filter, bus_update(new)).session(&mut *session).await?;
    if changed.matched_count == 0 {
        return Err(TransactionConflict::error("the directory".to_owned(), format!("revision {revision}"), "another"));
    }
    for name in old.agents.keys().filter(|name| !new.agents.contains_key(name)) {
        agents.delete_one(doc! { "_id": agent_id(name) }).session(&mut *session).await?;
    }
    for (name, agent) in new.agents.iter() {
        let before = old.agents.get(name);
        if before != Some(agent) {
            let update = agent_update(name, before, agent);
            let upsert = UpdateOptions::builder().upsert(true).build();
            let filter = doc! { "_id": agent_id(name) };
            agents.update_one(filter, update).with_options(upsert).session(&mut *session).await?;
        }
    }
    Ok(())
}

fn bus_update(directory: &Directory) -> Document {
    let subscriptions: Vec<Document> = directory
        .subscriptions
        .iter()
        .map(|(event, names)| {
            let names: Vec<&str> = names.iter().map(AgentName::as_str).collect();
            doc! { "event": event.as_str(), "agents": names }
        })
        .collect();
    let mut set = doc! { "retentionHours": i64::from(directory.retention_hours), "subscriptions": subscriptions };
    set.insert("limits", limits_document(&directory.limits));
    set.insert("usage", directory.usage.map_or(Bson::Null, |usage| usage_document(usage).into()));
    if let Some(at) = directory.initialized_at {
        set.insert("initializedAt", date(at));
    }
    doc! { "$set": set, "$inc": { "revision": 1_i64 } }
}

/// Writes what an edit made of an agent. Messages that are counted meanwhile still count.
fn agent_update(name: &AgentName, before: Option<&Agent>, agent: &Agent) -> Document {
    let at = |at: Option<Timestamp>| at.map_or(Bson::Null, |at| date(at).into());
    let capabilities: Vec<&str> = agent.capabilities.iter().map(String::as_str).collect();
    let mut set = doc! {
        "name": name.as_str(),
        "role": &agent.role,
        "worktree": &agent.worktree,
        "capabilities": capabilities,
        "registeredAt": at(agent.registered_at),
        "status": &agent.status,
        "extra": Json::Object(agent.extra.clone()).to_string(),
    };
    let counted = before.map_or(0, |before| before.message_count);
    let more = i64::try_from(agent.message_count).unwrap_or(i64::MAX) - i64::try_from(counted).unwrap_or(i64::MAX);
    let mut update = doc! { "$inc": { "messageCount": more } };
    let seen_before = before.and_then(|before| before.last_seen);
    match agent.last_seen {
        Some(seen) if Some(seen) > seen_before => drop(update.insert("$max", doc! { "lastSeen": date(seen) })),
        seen if seen != seen_before || before.is_none() => drop(set.insert("lastSeen", at(seen))),
        _ => {}
    }
    update.insert("$set", set);
    update
}
