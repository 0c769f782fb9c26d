//! Files that a log carries along: a whole session, or a mailbox, in one file of lines.
//!
//! A line `{"huddle_file": "reports/ann.json", "content": …}` stands for the file of that path; what lies beside what is
//! settled when all lines are there.

use huddle_scan::{Damage, Field, Recovery, ScannedRecord, Table, Value, document};

use super::Loader;
use crate::history::SourceFile;
use crate::history::export::from_bundle_line;
use crate::history::source::{Role, role_of, roots_of};
use crate::model::{Diagnostic, Severity};
use crate::wire;

/// A file that came in a line.
#[derive(Debug)]
pub(super) struct BundledFile {
    path: String,
    bytes: Vec<u8>,
    /// Its line in the log, where that begins, and how many bytes it has.
    line: (u64, u64, u64),
    /// Where in the log its bytes lie, if they lie there as they are.
    base: Option<u64>,
}

/// Takes the file out of a line.
pub(super) fn bundled_file(found: &ScannedRecord<'_>) -> Option<BundledFile> {
    let fields = wire::parse_map(found.record)?;
    let (path, bytes) = from_bundle_line(&fields)?;
    let line = (found.line, found.offset, found.length);
    // An object or a list lies in the line as it is: found again, its rows can be read from the log itself.
    let is_whole = matches!(found.recovery, None | Some(Recovery::Glued | Recovery::CrLf));
    let content = match found.fields.get(Field::Text, found.record) {
        Some(Value::Nested(content)) if is_whole => content,
        _ => return Some(BundledFile { path, bytes, line, base: None }),
    };
    // Of a key that stands there twice, the last one counts, and this may be the first.
    if wire::parse(content).ok().as_ref() != fields.get("content") {
        return Some(BundledFile { path, bytes, line, base: None });
    }
    let start = content.as_ptr().addr() - found.record.as_ptr().addr();
    Some(BundledFile { path, bytes: content.to_vec(), line, base: Some(found.offset + start as u64) })
}

/// Takes all files that a log carried, as if they lay in a directory of its name.
pub(super) fn unpack(loader: &mut Loader, log: u32) {
    let bundled = std::mem::take(&mut loader.rows.bundled);
    if bundled.is_empty() {
        return;
    }
    let name = loader.files[log as usize].path.clone();
    let paths: Vec<String> = bundled.iter().map(|file| format!("{name}!/{}", file.path)).collect();
    let first = loader.roots.len();
    let roots = roots_of(paths.iter().map(String::as_str));
    // The records of the log are those of what it carries.
    loader.files[log as usize].root = (!roots.is_empty()).then_some(first);
    loader.files[log as usize].format = "bundle of files";
    loader.roots.extend(roots.iter().cloned());
    for (path, file) in paths.into_iter().zip(bundled) {
        let (role, root) = role_of(&path, &roots, false);
        let number = loader.files.len() as u32;
        let root = root.map(|root| first + root);
        loader.files.push(SourceFile { path, role: role.clone(), root, container: Some(log), ..SourceFile::default() });
        load(loader, log, number, &role, &file);
        loader.files[number as usize].format = super::name_of(&role);
        (loader.rows.format, loader.rows.sampled) = ("", 0);
    }
}

/// Takes a file that a log carried.
fn load(loader: &mut Loader, log: u32, number: u32, role: &Role, file: &BundledFile) {
    let has_rows = matches!(role, Role::Records | Role::Mail(_) | Role::TeamInbox(_));
    if has_rows && file.base.is_none() {
        return note_damage(loader, number, role, file);
    }
    let base = file.base.unwrap_or_default();
    let table = &loader.rows.table;
    let (rows, damages) = (table.len() as u32, table.damages.len());
    loader.load_document(number, role, &file.bytes);
    // What was found is read from where its bytes are.
    let table = &mut loader.rows.table;
    for row in rows..table.len() as u32 {
        let mut moved = table.row(row);
        (moved.file, moved.offset) = (log, base + moved.offset);
        table.set(row, moved);
    }
    for damage in table.damages.iter_mut().skip(damages) {
        (damage.line, damage.offset) = (file.line.0, base + damage.offset);
    }
}

/// Looks at a file that does not lie in the log as it is: what is wrong with it is told, and its line stands for it.
fn note_damage(loader: &mut Loader, number: u32, role: &Role, file: &BundledFile) {
    let mut apart = Table::default();
    document(number, &file.bytes, &mut apart);
    let (line, offset, length) = file.line;
    if !apart.is_empty() {
        let path = loader.files[number as usize].path.clone();
        loader.findings.push(unreadable_records(path));
    }
    if !apart.is_empty() || *role != Role::Records {
        let first = apart.damages.into_iter().take(1);
        loader.rows.table.damages.extend(first.map(|damage| Damage { line, offset, length, ..damage }));
    }
}

/// Reports a file whose records cannot be read from the log: it was no JSON when it was put there, or its line was mended.
fn unreadable_records(path: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "damaged-file",
        place: path,
        message: "it cannot be used: its records do not stand in the log as they are".to_owned(),
        hint: "take the file out with huddle export --to session, and look at it".to_owned(),
    }
}
