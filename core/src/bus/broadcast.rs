//! Sending one message to everybody.

use super::{Bus, Draft, Result, Sent};
use crate::engine::{Change, Post};
use crate::model::{AgentName, Recipient};

impl Bus<'_> {
    /// Sends a message to every registered agent but the sender: one message, a delivery state each.
    pub fn broadcast(&self, from: &AgentName, draft: &Draft) -> Result<Sent> {
        let post = self.post_to_all(from, draft)?;
        self.post(Change { key: draft.send_key(), ..Change::post(post) })
    }

    /// Composes a message for everybody but the sender.
    pub(super) fn post_to_all(&self, from: &AgentName, draft: &Draft) -> Result<Post> {
        let mut recipients = self.directory_with(&[from])?.names();
        recipients.retain(|name| name != from);
        Ok(Post { message: self.compose(from, draft, "bcast", Recipient::All)?, recipients })
    }
}
