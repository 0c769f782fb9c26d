//! Files that a log carries along: a whole session, or a mailbox, in one file of lines.
//!
//! A line `{"huddle_file": "reports/ann.json", "content": …}` stands for the file of that path; what lies beside what is
//! settled when all lines are there.

use huddle_scan::Found;

use super::Loader;
use crate::history::SourceFile;
use crate::history::export::from_bundle_line;
use crate::history::source::{role_of, roots_of};
use crate::model::Json;

/// A file that came in a line.
#[derive(Debug)]
pub(super) struct Carried {
    path: String,
    bytes: Vec<u8>,
    /// Where in the log its bytes lie, if they lie there as they are.
    base: u64,
}

/// Takes the file out of a line.
pub(super) fn carried(found: &Found<'_>) -> Option<Carried> {
    let Ok(Json::Object(fields)) = serde_json::from_slice(found.record) else { return None };
    let (path, bytes) = from_bundle_line(&fields)?;
    // An object lies in the line as it is: found again, its rows can be read from the log itself.
    const KEY: &[u8] = b"\"content\":";
    let content = found.record.windows(KEY.len()).position(|part| part == KEY);
    let start = content.map(|key| key + KEY.len() + blanks(&found.record[key + KEY.len()..]));
    match start.filter(|start| found.recovery.is_none() && found.record[*start] == b'{') {
        Some(start) => {
            let object = found.record[start..found.record.len() - 1].trim_ascii_end().to_vec();
            Some(Carried { path, bytes: object, base: found.offset + start as u64 })
        }
        None => Some(Carried { path, bytes, base: 0 }),
    }
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Takes all files that a log carried, as if they lay in a directory of its name.
pub(super) fn unpack(loader: &mut Loader, log: u32) {
    let carried = std::mem::take(&mut loader.found.carried);
    if carried.is_empty() {
        return;
    }
    let name = loader.files[log as usize].path.clone();
    let paths: Vec<String> = carried.iter().map(|file| format!("{name}!/{}", file.path)).collect();
    let first = loader.roots.len();
    let roots = roots_of(paths.iter().map(String::as_str));
    // The records of the log are those of what it carries.
    loader.files[log as usize].root = (!roots.is_empty()).then_some(first);
    loader.files[log as usize].format = "bundle of files";
    for (path, file) in paths.into_iter().zip(carried) {
        let (role, root) = role_of(&path, &roots, false);
        let number = loader.files.len() as u32;
        let root = root.map(|root| first + root);
        loader.files.push(SourceFile { path, role: role.clone(), root, within: Some(log), ..SourceFile::default() });
        if root.is_some_and(|root| root >= loader.roots.len()) {
            loader.roots.extend(roots.iter().cloned());
        }
        let rows = loader.found.table.len() as u32;
        loader.take_whole(number, &role, &file.bytes, file.base);
        loader.files[number as usize].format = super::name_of(&role);
        // Rows are read from where their bytes are.
        for row in rows..loader.found.table.len() as u32 {
            let mut moved = loader.found.table.row(row);
            moved.file = log;
            loader.found.table.set(row, moved);
        }
        (loader.found.format, loader.found.asked) = ("", 0);
    }
}
