//! Wire formats: how the protocols spell the model, each with one conversion each way.

pub mod answer;
pub mod mailbox;
pub mod orchestrator;
pub mod session;
