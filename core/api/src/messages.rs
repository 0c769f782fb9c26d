//! Messages: sending, reading and tracing them.

mod broadcast;
mod events;
mod inbox;
mod message;
mod reply;
mod send;
mod trace;

pub use broadcast::Broadcast;
pub use events::{Publish, Subscribe, Subscriptions, Unsubscribe};
pub use inbox::{CheckInbox, CountUnread, InboxListing, InboxWatch, Notification, UnreadCount};
pub use message::{Message, MessageRead, OwnCopy, ReadMessage};
pub use reply::{Acknowledge, Reply};
pub use send::{MessageSent, SendMessage};
pub use trace::{MessageTrace, Trace, TracedDelivery};
