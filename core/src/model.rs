//! The plain types that every protocol, engine and front end shares.
//!
//! Nothing here knows a file format: each wire format has its own structs and one conversion (see [`crate::wire`]).

pub mod agent;
pub mod context;
pub mod diagnostic;
pub mod error_kind;
pub mod event;
pub mod glob;
pub mod handoff;
pub mod id;
pub mod limits;
pub mod message;
pub mod name;
pub mod priority;
pub mod receipt;
pub mod remedy;
pub mod reply;
pub mod session;
pub mod time;

pub use agent::{Agent, Directory};
pub use context::{Context, ContextLock};
pub use diagnostic::{Diagnostic, Severity, WithDiagnostics};
pub use error_kind::ErrorKind;
pub use event::{Event, NewEvent};
pub use handoff::{Artifact, Handoff, HandoffStatus};
pub use limits::{Limits, Usage, WhenFull};
pub use message::{Message, MessageType, Recipient, preview};
pub use name::{
    AgentName, ArtifactName, ContextName, EventName, HandoffId, LeaseName, MessageId, NameError, SessionId, ThreadId,
};
pub use priority::Priority;
pub use receipt::{Delivery, Place, Receipt};
pub use remedy::Remedy;
pub use reply::{ReplySign, asks, reply_sign, thread_sign};
pub use session::{DeadEnd, Member, Session, Status};
pub use time::{Span, Timestamp};

/// Any JSON value: what message bodies are made of.
pub type Json = serde_json::Value;
/// A JSON object with its fields in the order they were written.
pub type JsonMap = serde_json::Map<String, Json>;
