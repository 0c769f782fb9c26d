//! What a sender is told.

use super::{shown, texts};
use crate::bus::SendReceipt;
use crate::model::Json;

/// Writes a message that was sent: its id, who has it now, its thread, and whether an earlier try had sent it already.
pub fn sent(sent: &SendReceipt) -> Json {
    object!({
        "id": sent.id.as_str(),
        "recipients": texts(&sent.recipients),
        "threadId": shown(sent.thread.as_ref()),
        "duplicate": sent.duplicate,
    })
}
