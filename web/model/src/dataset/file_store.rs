//! The bytes of what is open: at hand where there is room for them, and otherwise read again when they are asked for.

use std::collections::HashMap;
use std::io;
use std::rc::Rc;

use huddle_core::history::record::ByteSource;

/// Reads a part of a file that is not at hand.
pub type Reader = Box<dyn Fn(u64, u64) -> io::Result<Vec<u8>>>;

/// The bytes of one file.
pub enum FileBytes {
    /// All of them.
    Local(Rc<[u8]>),
    /// Where to read them.
    Remote(Reader),
}

/// The bytes of all files, by path.
#[derive(Default)]
pub struct FileStore {
    files: HashMap<String, FileBytes>,
    /// What was last read, and what lies behind it: rows are mostly asked for one after the other.
    ahead: (String, u64, Vec<u8>),
}

/// Up to this size a file is kept in our own memory.
pub const SMALL: u64 = 1 << 20;
/// How many bytes are read ahead.
const AHEAD: u64 = 1 << 18;
/// How many bytes are brought at once when all of a file is gone over.
const PIECE: u64 = 2 << 20;

impl FileStore {
    /// Takes a file.
    pub fn put(&mut self, path: String, text: FileBytes) {
        self.files.insert(path, text);
    }

    /// Gives a file back.
    pub fn take(&mut self, path: &str) -> Option<FileBytes> {
        self.files.remove(path)
    }

    /// Says whether a file is here.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Looks at a part of a file; one that is not here is empty.
    pub fn peek(&self, path: &str, offset: u64, length: u64) -> Vec<u8> {
        match self.files.get(path) {
            None => Vec::new(),
            Some(FileBytes::Local(bytes)) => part(bytes, offset, length).to_vec(),
            Some(FileBytes::Remote(reader)) => reader(offset, length).unwrap_or_default(),
        }
    }
}

impl ByteSource for FileStore {
    fn read(&mut self, path: &str, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let absent = || io::Error::new(io::ErrorKind::NotFound, format!("{path} is not part of what is open"));
        let reader = match self.files.get(path).ok_or_else(absent)? {
            FileBytes::Local(bytes) => return Ok(part(bytes, offset, length).to_vec()),
            FileBytes::Remote(reader) => reader,
        };
        let (held, start, bytes) = &self.ahead;
        let within = offset.checked_sub(*start).filter(|_| held == path);
        if within.is_none_or(|within| within.saturating_add(length) > bytes.len() as u64) {
            self.ahead = (path.to_owned(), offset, reader(offset, length.max(AHEAD))?);
        }
        Ok(part(&self.ahead.2, offset - self.ahead.1, length).to_vec())
    }

    fn for_each_chunk(&mut self, path: &str, look: &mut dyn FnMut(u64, &[u8])) -> io::Result<bool> {
        match self.files.get(path) {
            None => return Ok(false),
            Some(FileBytes::Local(bytes)) => look(0, bytes),
            Some(FileBytes::Remote(reader)) => {
                let mut at = 0;
                loop {
                    let bytes = reader(at, PIECE)?;
                    if bytes.is_empty() {
                        break;
                    }
                    look(at, &bytes);
                    at += bytes.len() as u64;
                }
            }
        }
        Ok(true)
    }
}

/// Gives a part of some bytes, as far as it is there.
fn part(bytes: &[u8], offset: u64, length: u64) -> &[u8] {
    let start = usize::try_from(offset).map_or(bytes.len(), |start| start.min(bytes.len()));
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(bytes.len() - start);
    &bytes[start..start + length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_same_at_hand_and_away() {
        let all: Vec<u8> = (0..=255).cycle().take(600_000).collect();
        let away = all.clone();
        let mut texts = FileStore::default();
        texts.put("held".into(), FileBytes::Local(all.as_slice().into()));
        texts.put("away".into(), FileBytes::Remote(Box::new(move |at, length| Ok(part(&away, at, length).to_vec()))));
        for (offset, length) in [(0, 10), (5, 20), (262_140, 300), (599_999, 9), (700_000, 1), (3, 600_000)] {
            let held = texts.read("held", offset, length).unwrap();
            assert_eq!(held, part(&all, offset, length));
            assert_eq!(texts.read("away", offset, length).unwrap(), held, "{offset} {length}");
        }
        assert!(texts.read("other", 0, 1).is_err());
        for path in ["held", "away"] {
            let mut seen = Vec::new();
            let whole = texts.for_each_chunk(path, &mut |at, bytes| {
                assert_eq!(at, seen.len() as u64, "pieces come in order");
                seen.extend_from_slice(bytes);
            });
            assert!(whole.unwrap() && seen == all, "{path}");
            assert_eq!(texts.peek(path, 262_140, 300), part(&all, 262_140, 300));
        }
        assert!(texts.has("away") && !texts.has("other"));
    }
}
