//! `huddle handoff artifact`

use std::path::Path;

use huddle_api::ReadArtifact;
use serde::Serialize;

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Print a file of a handoff as it is, wherever the bus is kept
#[derive(Debug, clap::Args)]
pub(super) struct ArtifactArgs {
    /// the handoff's id
    id: String,
    /// the file's name, as handoff show lists it
    name: String,
    /// the file to write instead, which must not be there yet
    #[arg(long, value_name = "FILE")]
    out: Option<String>,
}

/// A file of a handoff that was written.
#[derive(Serialize)]
struct WrittenArtifact {
    name: String,
    size: usize,
    out: String,
}

impl ArtifactArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let artifact = call.execute(ReadArtifact { id: self.id, name: self.name })?;
        let Some(out) = self.out else { return call.output.bytes(&artifact.content) };
        call.input.files().write_new(Path::new(&out), &artifact.content)?;
        let written = WrittenArtifact { name: artifact.name, size: artifact.size, out };
        call.answer(&written, |written| format!("📄 {}: {}", text::count(written.size, "byte"), written.out))
    }
}
