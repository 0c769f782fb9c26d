//! `huddle export`

mod server;

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use huddle_api::{ExportFormat, document};
use huddle_core::engine::fs::{FileSystem, parent};
use huddle_core::history::export::Exported;
use serde::Serialize;

use super::paths::Paths;
use crate::call::Call;
use crate::failure::Failure;
use crate::files::{Files, Located, unwritten};
use crate::project::BUS_DIR;
use crate::std_fs::StdFs;
use crate::text;

/// Write what agents left behind in another format; what it has no room for is told
///
/// jsonl       everything in one log: rows as they are, and each other file as a row of its own
/// markdown    conversations, to read
/// documents   messages as mongoimport reads them, one for each recipient
/// mailbox     messages as a directory .agent-messages below --out
/// session     the files of a log that --to jsonl wrote, in the directory --out
/// With --bus and without PATH, it is the bus on the server. Nothing that is there already is written over.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    paths: Paths,
    /// jsonl, markdown, documents, mailbox, or session
    #[arg(long = "to", value_name = "FORMAT")]
    format: String,
    /// the file to write, for mailbox and session the directory; standard output without it
    #[arg(long, value_name = "PATH")]
    out: Option<String>,
}

/// What was exported.
#[derive(Serialize)]
struct ExportSummary<'a> {
    to: &'static str,
    files: usize,
    out: &'a str,
    /// What was written, if that was to standard output.
    content: Option<&'a str>,
}

impl ExportArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { paths: Paths { paths }, format, out } = self;
        let unknown = || call.wrong(&format!("there is no format {format:?}"));
        let (format, out) = (ExportFormat::parse(&format).ok_or_else(unknown)?, out.map(PathBuf::from));
        let to = format.as_str();
        let is_directory = matches!(format, ExportFormat::Mailbox | ExportFormat::Session);
        if is_directory && out.is_none() {
            return Err(call.wrong(&format!("--to {to} writes many files: say where with --out DIR")));
        }
        let exported = match call.global.bus.is_some() && paths.is_empty() {
            true => of_server(format, call)?,
            false => of_history(&paths, format, call)?,
        };
        call.output.found(exported.losses.iter().cloned());
        let Some(out) = out else {
            let content: &[u8] = exported.files.first().map_or(&[][..], |(_, bytes)| bytes);
            return call.output.content(content, |content| {
                document(&ExportSummary { to, files: 1, out: "-", content: Some(content) })
            });
        };
        match format {
            ExportFormat::Mailbox => write_tree(&exported, &out.join(BUS_DIR), call.input.files())?,
            ExportFormat::Session => write_tree(&exported, &out, call.input.files())?,
            _ => call.input.files().write_new(&out, exported.files.first().map_or(&[][..], |(_, bytes)| bytes))?,
        }
        let shown = out.display().to_string();
        let summary = ExportSummary { to, files: exported.files.len(), out: &shown, content: None };
        call.answer(&summary, |summary| format!("📦 {} as {to}: {shown}", text::count(summary.files, "file")))
    }
}

/// Exports the history at some paths.
fn of_history(paths: &[String], format: ExportFormat, call: &mut Call<'_>) -> Result<Exported, Failure> {
    let mut history = call.context.load_history(paths)?;
    call.output.found(history.diagnostics().iter().cloned());
    history.export(format)?.ok_or_else(|| call.wrong("there is no log to take a session out of"))
}

/// Exports the bus itself, which is on a server.
fn of_server(format: ExportFormat, call: &mut Call<'_>) -> Result<Exported, Failure> {
    let exported = call.value(server::export(call.project.engine(), format, call.now())?);
    exported.ok_or_else(|| call.wrong(&format!("a bus on a server cannot be written as {:?}", format.as_str())))
}

/// Writes files to a directory that is empty or not there yet.
fn write_tree(exported: &Exported, base: &Path, files: &Files) -> Result<(), Failure> {
    let Located { dir, below } = files.locate_new(base);
    let tree = StdFs::beneath(dir, &below);
    let failed = |path: &str, error: &io::Error| unwritten(&base.join(path), error);
    if !tree.list("").map_err(|error| failed("", &error))?.is_empty() {
        return Err(failed("", &ErrorKind::AlreadyExists.into()));
    }
    let make = |path: &str| tree.create_dir(path).map_err(|error| failed(path, &error));
    exported.directories.iter().try_for_each(|path| make(path))?;
    for (path, bytes) in &exported.files {
        make(parent(path))?;
        tree.write_scratch(path, bytes).map_err(|error| failed(path, &error))?;
    }
    Ok(())
}
