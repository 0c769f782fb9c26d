//! Ids of what a bus creates.

use super::Bus;
use crate::model::id::timestamped_id;
use crate::model::{HandoffId, MessageId, ThreadId};

impl Bus<'_> {
    fn new_id(&self, prefix: &str) -> String {
        timestamped_id(prefix, self.host.now(), self.host.random())
    }

    /// Creates a message id: `msg_…`, `resp_…`, `bcast_…` or `evt_…`.
    pub(super) fn new_message_id(&self, prefix: &str) -> MessageId {
        MessageId::new(self.new_id(prefix)).expect("a stamp is a valid name")
    }

    /// Creates a conversation id.
    pub(super) fn new_thread_id(&self) -> ThreadId {
        ThreadId::new(self.new_id("conv")).expect("a stamp is a valid thread id")
    }

    /// Creates a handoff id.
    pub(super) fn new_handoff_id(&self) -> HandoffId {
        HandoffId::new(self.new_id("handoff")).expect("a stamp is a valid name")
    }
}
