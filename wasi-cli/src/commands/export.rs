//! `huddle export`

#[cfg(feature = "moving")]
mod server;

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use huddle_core::bus::Kind;
use huddle_core::history::Role;
use huddle_core::history::export::{Exported, to_files};
use huddle_core::history::record::Bytes;
use huddle_core::wire::answer;
use huddle_core::wire::session::layout;

use crate::args::{Args, Spec, needed, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::project::BUS_DIR;
use crate::sources::{PATHS, Past, changed};
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
    write(&exported, &out, is_directory.then_some(format))?;
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
#[cfg(feature = "moving")]
fn of_server(args: &Args, format: &str, call: &mut Call<'_>) -> Result<Option<Exported>, Failure> {
    if call.global.bus.is_none() || !args.all("PATH").is_empty() {
        return Ok(None);
    }
    let exported = call.value(server::export(call.project.engine(), format, call.now())?);
    exported.map(Some).ok_or_else(|| args.wrong(format!("a bus on a server cannot be written as {format:?}")))
}

#[cfg(not(feature = "moving"))]
fn of_server(_: &Args, _: &str, _: &mut Call<'_>) -> Result<Option<Exported>, Failure> {
    Ok(None)
}

/// Writes the one file, or the whole directory.
fn write(exported: &Exported, out: &Path, directory: Option<&str>) -> Result<(), Failure> {
    let Some(format) = directory else {
        return new_file(out, exported.files.first().map_or(&[][..], |(_, bytes)| bytes));
    };
    let base = if format == "mailbox" { out.join(BUS_DIR) } else { out.to_owned() };
    if base.is_dir() && fs::read_dir(&base).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(unwritten(&base, &ErrorKind::AlreadyExists.into()));
    }
    let make = |path: &Path| fs::create_dir_all(path).map_err(|error| unwritten(path, &error));
    exported.directories.iter().try_for_each(|path| make(&base.join(path)))?;
    for (path, bytes) in &exported.files {
        let path = base.join(path);
        make(path.parent().unwrap_or(&base))?;
        new_file(&path, bytes)?;
    }
    Ok(())
}

/// Writes a file that is not there yet.
pub(super) fn new_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    file.and_then(|mut file| file.write_all(bytes)).map_err(|error| unwritten(path, &error))
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    let (kind, hint) = match error.kind() {
        ErrorKind::AlreadyExists => (Kind::Conflict, "nothing is written over: give another path"),
        _ => (Kind::Failed, "look at the directory, and at what WASI has opened (--dir .)"),
    };
    Failure::new(kind, format!("writing failed: {error}: {}", path.display()), hint)
}
