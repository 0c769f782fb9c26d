//! A whole project: its bus, its sessions, its shared state and its plan, looked at together.

mod check;
mod life;
pub mod plan;

pub use check::{ProjectCheck, check, check_worktrees};
pub use life::{SessionClosed, SessionStarted, close_session, start_session};
