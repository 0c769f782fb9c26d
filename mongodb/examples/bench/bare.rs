//! A bare driver that does what the engine has done: the same documents, the same commands, and nothing else.

use anyhow::{Context, Result};
use futures_util::TryStreamExt;
use mongodb::bson::{Document, doc};
use mongodb::options::{ClientOptions, WriteConcern};
use mongodb::{Client, Collection, Database};
use tokio::runtime::{Builder, Runtime};

/// A driver at a database, with what it sends.
pub(crate) struct Bare {
    // Declared first, so that it is gone before the tasks are that end its connections.
    database: Database,
    runtime: Runtime,
    /// A message as the engine writes it.
    letter: Document,
    sent: usize,
}

impl Bare {
    /// Connects to a database on which there is a bus with one message at least, which is the model of all others.
    pub(crate) fn at(url: &str) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (database, letter) = runtime.block_on(async {
            let mut options = ClientOptions::parse(url).await?;
            options.write_concern = Some(WriteConcern::majority());
            let database = Client::with_options(options)?.default_database().context("the address has a database")?;
            let letter = database.collection("messages").find_one(doc! {}).await?.context("there is a message")?;
            anyhow::Ok((database, letter))
        })?;
        Ok(Self { database, runtime, letter, sent: 0 })
    }

    /// Looks who is there, and inserts a message; if asked, counts it, as the bus does for its directory.
    pub(crate) fn send(&mut self, from: &str, to: &str, counts: bool) -> Result<()> {
        self.sent += 1;
        let id = format!("{}-{}", self.letter.get_str("id")?, self.sent);
        let mut letter = self.letter.clone();
        letter.insert("_id", format!("{id}/{to}"));
        letter.insert("id", id);
        letter.insert("to", to);
        let at = letter.get_datetime("createdAt")?;
        let updates = [
            doc! { "q": { "_id": format!("agent/{from}") }, "u": { "$max": { "lastSeen": at } } },
            doc! { "q": { "_id": format!("agent/{to}") }, "u": { "$inc": { "messageCount": 1_i64 } } },
        ];
        let count = doc! {
            "update": "agents", "updates": updates.to_vec(), "ordered": false, "writeConcern": { "w": 1 },
        };
        self.runtime.block_on(async {
            self.directory().await?;
            self.messages().insert_one(&letter).await?;
            if counts {
                self.database.run_command(count).await?;
            }
            Ok(())
        })
    }

    /// Looks who is there, and finds what somebody has not read; returns how much that is.
    pub(crate) fn check(&self, agent: &str) -> Result<usize> {
        let places = ["archive", "dead-letters", "outbox"].to_vec();
        let filter = doc! { "to": agent, "place": { "$nin": places }, "read": { "$ne": true } };
        self.runtime.block_on(async {
            self.directory().await?;
            let unread: Vec<Document> = self.messages().find(filter).batch_size(1000).await?.try_collect().await?;
            Ok(unread.len())
        })
    }

    async fn directory(&self) -> Result<Vec<Document>> {
        let agents: Collection<Document> = self.database.collection("agents");
        Ok(agents.find(doc! {}).await?.try_collect().await?)
    }

    fn messages(&self) -> Collection<Document> {
        self.database.collection("messages")
    }
}
