//! Files in memory, to load and to read from.

use std::io;

use crate::history::record::ByteSource;
use crate::history::{History, Loader};

/// How many bytes of a file are shown at a time when it is gone over: some rows lie in two pieces, and some in one.
const PIECE: usize = 700;

/// A file that is there.
#[derive(Debug, Clone)]
pub(in crate::history) struct File {
    pub(in crate::history) path: &'static str,
    pub(in crate::history) explicit: bool,
    pub(in crate::history) bytes: Vec<u8>,
}

/// The files that are there.
#[derive(Debug, Clone, Default)]
pub(in crate::history) struct MemoryFiles(pub(in crate::history) Vec<File>);

impl MemoryFiles {
    /// Loads all files, in chunks of a size.
    pub(in crate::history) fn load(&self, chunk: usize) -> History {
        let list = self.0.iter().map(|file| (file.path.to_owned(), file.bytes.len() as u64, file.explicit));
        let mut loader = Loader::new(list.collect());
        let wanted: Vec<bool> = loader.files().iter().map(|file| file.role.is_read()).collect();
        for (number, file) in (0..).zip(&self.0).filter(|(number, _)| wanted[*number as usize]) {
            if file.bytes.is_empty() {
                loader.feed(number, &[]);
            }
            file.bytes.chunks(chunk.max(1)).for_each(|chunk| loader.feed(number, chunk));
            loader.end();
        }
        let progress = loader.progress();
        assert_eq!(progress.bytes, progress.total, "not all bytes were taken");
        loader.finish()
    }
}

impl ByteSource for MemoryFiles {
    fn read(&mut self, path: &str, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let file = self.0.iter().find(|file| file.path == path).ok_or(io::ErrorKind::NotFound)?;
        let bytes = file.bytes.get(offset as usize..).unwrap_or_default();
        Ok(bytes[..bytes.len().min(length as usize)].to_vec())
    }

    fn for_each_chunk(&mut self, path: &str, look: &mut dyn FnMut(u64, &[u8])) -> io::Result<bool> {
        // What a log carries along is no file of its own.
        let Some(file) = self.0.iter().find(|file| file.path == path) else { return Ok(false) };
        let starts = (0..).step_by(PIECE);
        starts.zip(file.bytes.chunks(PIECE)).for_each(|(start, piece)| look(start, piece));
        Ok(true)
    }
}
