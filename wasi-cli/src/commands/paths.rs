//! The paths that histories are read from.

/// Where a history is.
#[derive(Debug, clap::Args)]
pub(super) struct Paths {
    /// a project, a mailbox, a session, a state directory, a log or a JSON file; this project if there is none
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<String>,
}
