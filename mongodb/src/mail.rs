//! Inboxes: what lies in them, how far it has come, and where it goes from there.

use bson::{Bson, Document, doc};
use futures_util::TryStreamExt;
use huddle_core::Host;
use huddle_core::engine::{Error, MailSnapshot, Result, Seen, Unread};
use huddle_core::history::export::snapshot_of;
use huddle_core::model::{AgentName, Delivery, MessageId, Place, Timestamp, Usage, WithDiagnostics};
use huddle_core::wire::documents;
use mongodb::options::{ReturnDocument, WriteConcern};

use crate::MongoEngine;
use crate::connection::with_retries;
use crate::stored::{ARCHIVED, CLAIM, KEY, PRINT, by_id, copies_of, copy_of, date, decode, in_inbox, time, unread};

impl<H: Host> MongoEngine<H> {
    pub(crate) fn list_inbox(&self, agent: &AgentName, unread_only: bool) -> Result<WithDiagnostics<Vec<Delivery>>> {
        let filter = in_inbox(doc! { "to": agent.as_str() });
        let filter = if unread_only { unread(filter) } else { filter };
        let found = self.copies("reading an inbox", &filter, None)?;
        let WithDiagnostics { value: mut copies, findings } = found;
        copies.retain(|copy| copy.place == Place::Inbox && (copy.is_unread() || !unread_only));
        let mut snapshot = MailSnapshot { deliveries: copies, ..MailSnapshot::default() };
        snapshot.sort();
        Ok(WithDiagnostics { value: snapshot.deliveries, findings })
    }

    pub(crate) fn count_unread(&self, agent: &AgentName) -> Result<Unread> {
        let filter = unread(in_inbox(doc! { "to": agent.as_str() }));
        // What the messages say does not matter here, and is most of them.
        let found = self.copies("counting unread messages", &filter, Some(&doc! { "content": 0 }))?;
        let unread = found.value.iter().filter(|copy| copy.is_unread());
        let count = unread.clone().count() + found.findings.len();
        Ok(Unread { count, oldest: unread.map(|copy| copy.message.sent_at).min() })
    }

    /// Reads the copies that a filter selects.
    fn copies(
        &self,
        doing: &'static str,
        filter: &Document,
        projection: Option<&Document>,
    ) -> Result<WithDiagnostics<Vec<Delivery>>> {
        let WithDiagnostics { value, findings } = self.documents(doing, filter, projection)?;
        let copies = value.into_iter().filter_map(|document| match document {
            documents::Document::Copy { delivery, .. } => Some(delivery),
            documents::Document::Record(_) | documents::Document::Sent { .. } => None,
        });
        Ok(WithDiagnostics { value: copies.collect(), findings })
    }

    fn documents(
        &self,
        doing: &'static str,
        filter: &Document,
        projection: Option<&Document>,
    ) -> Result<WithDiagnostics<Vec<documents::Document>>> {
        let stored: Vec<Document> = self.connection.retry(doing, async |collections| {
            let find = collections.messages.find(filter.clone()).batch_size(1000);
            match projection {
                Some(projection) => find.projection(projection.clone()).await?.try_collect().await,
                None => find.await?.try_collect().await,
            }
        })?;
        let mut found = WithDiagnostics::clean(Vec::new());
        for document in stored {
            match decode(document) {
                Ok(document) => found.value.push(document),
                Err(finding) => found.findings.push(finding),
            }
        }
        Ok(found)
    }

    pub(crate) fn read_everything(&self) -> Result<WithDiagnostics<MailSnapshot>> {
        let WithDiagnostics { value, mut findings } = self.documents("reading all messages", &doc! {}, None)?;
        let snapshot = snapshot_of(value);
        findings.extend(snapshot.findings);
        Ok(WithDiagnostics { value: snapshot.value, findings })
    }

    pub(crate) fn read_about(&self, id: &MessageId) -> Result<WithDiagnostics<MailSnapshot>> {
        let mut either = by_id([id]);
        either.push(doc! { "inReplyTo": id.as_str() });
        let WithDiagnostics { value, mut findings } =
            self.documents("tracing a message", &doc! { "$or": either }, None)?;
        if !value.iter().any(|document| document.message().id == *id) {
            return Ok(WithDiagnostics { value: MailSnapshot::default(), findings });
        }
        let snapshot = snapshot_of(value);
        findings.extend(snapshot.findings);
        Ok(WithDiagnostics { value: snapshot.value, findings })
    }

    pub(crate) fn find_copy(&self, agent: &AgentName, id: &MessageId) -> Result<Option<Delivery>> {
        let WithDiagnostics { value: mut copies, findings } =
            self.copies("reading a message", &copy_of(agent, id), None)?;
        let order = |copy: &Delivery| match copy.place {
            Place::Inbox => 0,
            Place::Archive => 1,
            Place::DeadLetters { .. } => 2,
        };
        copies.sort_by_key(order);
        match (copies.into_iter().next(), findings.into_iter().next()) {
            (None, Some(damage)) => Err(Error::Damaged { path: damage.place, fault: damage.message }.into()),
            (copy, _) => Ok(copy),
        }
    }

    pub(crate) fn note_offered(&self, agent: &AgentName, ids: &[MessageId], at: Timestamp) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let mut filter = in_inbox(copies_of(agent, ids));
        filter.insert("offeredAt", Bson::Null);
        self.connection.retry("noting what was listed", async |collections| {
            let update = collections.messages.update_many(filter.clone(), doc! { "$set": { "offeredAt": date(at) } });
            // Lost with a server, it is noted at the next look.
            update.write_concern(WriteConcern::nodes(1)).await
        })?;
        Ok(())
    }

    /// Claims a message: of all who try, the server lets one through.
    pub(crate) fn mark_message_seen(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<Seen> {
        let token = format!("{:032x}", self.host.random());
        let filter = unread(in_inbox(copy_of(agent, id)));
        let update = doc! { "$set": { "read": true, "readAt": date(at), CLAIM: &token } };
        let claimed = self.connection.retry("reading a message", async |collections| {
            collections.messages.find_one_and_update(filter.clone(), update.clone()).await
        })?;
        if claimed.is_some() {
            return Ok(Seen::First);
        }
        let filter = in_inbox(copy_of(agent, id));
        let there = self
            .connection
            .retry("reading a message", async |collections| collections.messages.find_one(filter.clone()).await)?;
        let there = there.ok_or_else(|| no_such_message(agent, id))?;
        // An earlier try of this very call went through, and its answer was lost with the connection.
        if there.get_str(CLAIM).is_ok_and(|claim| claim == token) {
            return Ok(Seen::First);
        }
        Ok(Seen::Already(time(there.get("readAt"))))
    }

    pub(crate) fn redeliver_message(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<u32> {
        // Whoever tries again does not count again: this tells the call by which it was offered last.
        let token = format!("{:032x}", self.host.random());
        let update = doc! {
            "$set": { "read": false, "redeliveredAt": date(at), CLAIM: &token },
            "$unset": { "readAt": "", "offeredAt": "" },
            "$inc": { "redelivered": 1 },
        };
        let copy = in_inbox(copy_of(agent, id));
        let mut filter = copy.clone();
        filter.insert(CLAIM, doc! { "$ne": &token });
        filter.extend(doc! { "readAt": not_since(at), "redeliveredAt": not_since(at) });
        let changed = self.connection.retry("offering a message anew", async |collections| {
            let changed = collections.messages.find_one_and_update(filter.clone(), update.clone());
            match changed.return_document(ReturnDocument::After).await? {
                None => collections.messages.find_one(copy.clone()).await,
                changed => Ok(changed),
            }
        })?;
        let changed = changed.ok_or_else(|| no_such_message(agent, id))?;
        let count = changed.get_i32("redelivered").ok().and_then(|count| u32::try_from(count).ok());
        Ok(count.unwrap_or_default())
    }

    pub(crate) fn move_to_dead_letters(
        &self,
        agent: &AgentName,
        id: &MessageId,
        reason: &str,
        at: Timestamp,
    ) -> Result<bool> {
        let buried = doc! { "place": "dead-letters", "deadReason": reason, "deadAt": date(at) };
        let mut moved = copy_of(agent, id);
        moved.extend(buried.clone());
        let update = doc! { "$set": buried };
        let mut filter = in_inbox(copy_of(agent, id));
        filter.insert("readAt", not_since(at));
        self.move_one("moving to the dead letters", &filter, &update, &moved)
    }

    pub(crate) fn move_to_inbox(&self, agent: &AgentName, id: &MessageId) -> Result<bool> {
        let mut filter = copy_of(agent, id);
        filter.insert("place", "dead-letters");
        let gone = ["place", "deadReason", "deadAt", "readAt", "offeredAt", "redelivered", "redeliveredAt", CLAIM];
        let gone: Document = gone.into_iter().map(|field| (field.to_owned(), "".into())).collect();
        let update = doc! { "$set": { "read": false }, "$unset": gone };
        self.move_one("moving back to the inbox", &filter, &update, &unread(in_inbox(copy_of(agent, id))))
    }

    /// Moves a copy, and says whether it did. Of an earlier try whose answer was lost, that the copy is `moved` tells.
    fn move_one(&self, doing: &'static str, filter: &Document, update: &Document, moved: &Document) -> Result<bool> {
        self.connection.run(doing, async |collections| {
            with_retries(async |tried| {
                let done = collections.messages.update_one(filter.clone(), update.clone()).await?.modified_count > 0;
                Ok(done || tried > 0 && collections.messages.find_one(moved.clone()).await?.is_some())
            })
            .await
        })
    }

    pub(crate) fn prune_archive(&self, before: Timestamp) -> Result<usize> {
        let day = Timestamp::parse(&format!("{}T00:00:00Z", before.date())).unwrap_or(before);
        let copies = doc! { "place": "archive", "$or": sent_before(day) };
        // Records are not moved, only marked.
        let records = vec![doc! { "to": "ALL" }, doc! { "place": "outbox" }];
        let records = doc! { ARCHIVED: { "$exists": true }, "$and": [{ "$or": sent_before(day) }, { "$or": records }] };
        let mut removed = 0;
        self.connection.retry("pruning the archive", async |collections| {
            collections.messages.delete_many(records.clone()).await?;
            // What a try has removed whose answer was lost is not counted.
            removed += collections.messages.delete_many(copies.clone()).await?.deleted_count;
            Ok(())
        })?;
        Ok(usize::try_from(removed).unwrap_or(usize::MAX))
    }

    pub(crate) fn count_usage(&self) -> Result<Usage> {
        let inboxes = in_inbox(doc! { "to": { "$ne": "ALL" } });
        let sum = doc! { "_id": null, "messages": { "$sum": 1_i64 }, "bytes": { "$sum": { "$bsonSize": "$$ROOT" } } };
        let stages = vec![doc! { "$match": inboxes }, doc! { "$group": sum }];
        let counted: Vec<Document> = self.connection.retry("counting what is kept", async |collections| {
            collections.messages.aggregate(stages.clone()).await?.try_collect().await
        })?;
        let number = |key: &str| {
            let value = counted.first().and_then(|counted| counted.get(key));
            let value = value.and_then(|value| value.as_i64().or_else(|| value.as_i32().map(i64::from)));
            value.and_then(|value| u64::try_from(value).ok()).unwrap_or_default()
        };
        Ok(Usage { messages: number("messages"), bytes: number("bytes"), delivered: 0 })
    }

    pub(crate) fn archive_before(&self, before: Timestamp, unread_too: bool) -> Result<usize> {
        let old = sent_before(before);
        let mut filter = in_inbox(doc! { "to": { "$ne": "ALL" }, "$or": old.clone() });
        if !unread_too {
            filter.insert("read", true);
        }
        let now = date(self.host.now());
        let away = doc! { "$set": { "place": "archive", ARCHIVED: now } };
        let keyed = doc! { KEY: { "$exists": true }, "$or": old.clone() };
        // Records lie in no inbox and need not be moved, only go when their time has come.
        let records = vec![doc! { "to": "ALL" }, doc! { "place": "outbox" }];
        let records = doc! { ARCHIVED: null, "$and": [{ "$or": old }, { "$or": records }] };
        let mut moved = 0;
        self.connection.retry("archiving", async |collections| {
            collections.messages.update_many(keyed.clone(), doc! { "$unset": { KEY: "", PRINT: "" } }).await?;
            collections.messages.update_many(records.clone(), doc! { "$set": { ARCHIVED: now } }).await?;
            // What a try has moved whose answer was lost is not counted.
            moved += collections.messages.update_many(filter.clone(), away.clone()).await?.modified_count;
            Ok(())
        })?;
        Ok(usize::try_from(moved).unwrap_or(usize::MAX))
    }
}

/// Selects what did not happen at a time or later, nor is known to have happened at all.
fn not_since(at: Timestamp) -> Document {
    doc! { "$not": { "$gte": date(at) } }
}

/// Selects what was sent before a time. Agents that know the protocol alone may have written the time as text.
fn sent_before(before: Timestamp) -> Vec<Document> {
    vec![
        doc! { "createdAt": { "$lt": date(before) } },
        doc! { "createdAt": { "$type": "string", "$lt": before.to_string() } },
    ]
}

pub(crate) fn no_such_message(agent: &AgentName, id: &MessageId) -> Box<Error> {
    Error::NoSuchMessage { agent: agent.clone(), id: id.clone() }.into()
}
