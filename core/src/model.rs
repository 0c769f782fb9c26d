//! The plain types that every protocol, engine and front end shares.
//!
//! Nothing here knows a file format: each wire format has its own structs and one conversion (see [`crate::wire`]).

pub mod agent;
pub mod context;
pub mod diagnostic;
pub mod event;
pub mod handoff;
pub mod limits;
pub mod message;
pub mod name;
pub mod priority;
pub mod receipt;
pub mod session;
pub mod time;

pub use agent::{Agent, Directory};
pub use context::Context;
pub use diagnostic::{Diagnostic, Severity, WithDiagnostics};
pub use event::{Event, NewEvent};
pub use handoff::{Artifact, Handoff, HandoffStatus};
pub use limits::{Limits, Usage, WhenFull};
pub use message::{Message, MessageType, Recipient, preview};
pub use name::{
    AgentName, ArtifactName, ContextName, EventName, HandoffId, LeaseName, MessageId, NameError, SessionId, ThreadId,
};
pub use priority::Priority;
pub use receipt::{Delivery, Place, Receipt};
pub use session::{Member, Session, Status};
pub use time::{Span, Timestamp};

/// Any JSON value: what message bodies are made of.
pub type Json = serde_json::Value;
/// A JSON object with its fields in the order they were written.
pub type JsonMap = serde_json::Map<String, Json>;
