//! `huddle export`

mod server;

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use huddle_core::engine::fs::{FileSystem, parent};
use huddle_core::history::Role;
use huddle_core::history::export::{Exported, to_files};
use huddle_core::history::record::ByteSource;
use huddle_core::wire::answer;
use huddle_core::wire::session::layout;

use crate::args::{Args, Spec, needed, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::files::{Files, Located, unwritten};
use crate::project::BUS_DIR;
use crate::sources::{PATHS, Past, changed};
use crate::std_fs::StdFs;
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle export",
    "Write what agents left behind in another format; what it has no room for is told",
    &[
        PATHS,
        needed("to", "FORMAT", "jsonl, markdown, documents, mailbox, or session"),
        option("out", "PATH", "the file to write, for mailbox and session the directory; standard output without it"),
    ],
    run,
)
.more(
    "jsonl       everything in one log: rows as they are, and each other file as a row of its own\n\
     markdown    conversations, to read\n\
     documents   messages as mongoimport reads them, one for each recipient\n\
     mailbox     messages as a directory .agent-messages below --out\n\
     session     the files of a log that --to jsonl wrote, in the directory --out\n\
     With --bus and without PATH, it is the bus on the server. Nothing that is there already is written over.",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let out = args.text("out").map(PathBuf::from);
    let format = args.need("to");
    let is_directory = matches!(format, "mailbox" | "session");
    if is_directory && out.is_none() {
        return Err(args.wrong(format!("--to {format} writes many files: say where with --out DIR")));
    }
    let exported = match of_server(args, format, call)? {
        Some(exported) => exported,
        None => {
            let mut past = Past::load(args, call)?;
            call.output.found(past.history.findings.iter().cloned());
            export(args, format, &mut past)?
        }
    };
    call.output.found(exported.losses.iter().cloned());
    let Some(out) = out else {
        let content = exported.files.first().map(|(_, bytes)| bytes.clone()).unwrap_or_default();
        return call.output.content(&content, |content| answer::exported(format, 1, "-", Some(content)));
    };
    match format {
        "mailbox" => write_tree(&exported, &out.join(BUS_DIR), call.input.files())?,
        "session" => write_tree(&exported, &out, call.input.files())?,
        _ => call.input.files().write_new(&out, exported.files.first().map_or(&[][..], |(_, bytes)| bytes))?,
    }
    let files = exported.files.len();
    let shown = out.display().to_string();
    call.output.answer(
        || answer::exported(format, files, &shown, None),
        || format!("📦 {} as {format}: {shown}", text::count(files, "file")),
    )
}

fn export(args: &Args, format: &str, past: &mut Past) -> Result<Exported, Failure> {
    let Past { history, derived, parts, .. } = past;
    let exported = match format {
        "jsonl" => history.to_jsonl(parts),
        "markdown" => history.to_markdown(derived, parts),
        "documents" => history.to_documents(parts),
        "mailbox" => history.to_mailbox(parts),
        "session" => {
            let mut logs = history.files.iter().filter(|file| matches!(file.role, Role::Log | Role::Unsure));
            let log = logs.next().ok_or_else(|| args.wrong("there is no log to take a session out of"))?;
            parts.read(&log.path, 0, u64::MAX).map(|bytes| to_files(&bytes, layout::LOG))
        }
        other => return Err(args.wrong(format!("there is no format {other:?}"))),
    };
    exported.map_err(|error| changed(&error))
}

/// Writes the bus itself, when it is on a server and no path says otherwise.
fn of_server(args: &Args, format: &str, call: &mut Call<'_>) -> Result<Option<Exported>, Failure> {
    if call.global.bus.is_none() || !args.all("PATH").is_empty() {
        return Ok(None);
    }
    let exported = call.value(server::export(call.project.engine(), format, call.now())?);
    exported.map(Some).ok_or_else(|| args.wrong(format!("a bus on a server cannot be written as {format:?}")))
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
