//! Small files, read and written whole.
//!
//! Under WASI 0.2 the standard library goes through streams: what is written is handed to another thread of the host and
//! waited for, and what is read is asked for its size three times. By place, each is one call.

#[cfg(all(target_os = "wasi", target_env = "p2"))]
pub(super) use positioned::{fill, read};
#[cfg(not(all(target_os = "wasi", target_env = "p2")))]
pub(super) use streamed::fill;
#[cfg(all(target_os = "wasi", not(target_env = "p2")))]
pub(super) use streamed::read;
#[cfg(not(target_os = "wasi"))]
pub(super) use streamed::read_open;

#[cfg(not(all(target_os = "wasi", target_env = "p2")))]
mod streamed {
    use std::fs::File;
    use std::io::{self, ErrorKind, Read, Write};
    #[cfg(target_os = "wasi")]
    use std::path::PathBuf;

    use huddle_core::engine::fs::too_large;

    /// Reads all that a file holds, which was seen to have so many bytes.
    #[cfg(target_os = "wasi")]
    pub(in super::super) fn read(path: PathBuf, size: u64, limit: u64) -> io::Result<Vec<u8>> {
        read_open(&File::open(path)?, size, limit)
    }

    /// Reads all that an open file holds, which was seen to have so many bytes.
    pub(in super::super) fn read_open(file: &File, size: u64, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let size = usize::try_from(size).map_err(|_| ErrorKind::OutOfMemory)?;
        bytes.try_reserve_exact(size).map_err(|_| ErrorKind::OutOfMemory)?;
        // It may have grown meanwhile.
        let read = file.take(limit.saturating_add(1)).read_to_end(&mut bytes)? as u64;
        if read > limit { Err(too_large(read, limit)) } else { Ok(bytes) }
    }

    /// Writes all that a new file holds.
    pub(in super::super) fn fill(file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
}

#[cfg(all(target_os = "wasi", target_env = "p2"))]
mod positioned {
    use std::fs::File;
    use std::io::{self, ErrorKind};
    use std::path::PathBuf;

    use huddle_core::engine::fs::too_large;
    use rustix::io::{pread, pwrite, retry_on_intr};

    /// How much larger a file is expected to be than it was seen to be: its end is found by reading less than there is
    /// room for.
    const MORE: usize = 1024;

    /// Reads all that a file holds, which was seen to have so many bytes.
    pub(in super::super) fn read(path: PathBuf, size: u64, limit: u64) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        let (mut bytes, mut done) = (Vec::new(), 0);
        loop {
            if done == bytes.len() {
                let seen = usize::try_from(size).map_err(|_| ErrorKind::OutOfMemory)?;
                grow(&mut bytes, seen.saturating_sub(done).saturating_add(MORE))?;
            }
            match retry_on_intr(|| pread(&file, &mut bytes[done..], done as u64))? {
                0 => break,
                more => done += more,
            }
            if done as u64 > limit {
                return Err(too_large(done as u64, limit));
            }
        }
        bytes.truncate(done);
        Ok(bytes)
    }

    /// Makes room for so many bytes more. Too many are an error: to run out of memory in any other way would end the
    /// whole instance.
    fn grow(bytes: &mut Vec<u8>, more: usize) -> io::Result<()> {
        bytes.try_reserve_exact(more).map_err(|_| ErrorKind::OutOfMemory)?;
        bytes.resize(bytes.len() + more, 0);
        Ok(())
    }

    /// Writes all that a new file holds.
    pub(in super::super) fn fill(file: &mut File, bytes: &[u8]) -> io::Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            match retry_on_intr(|| pwrite(&*file, &bytes[done..], done as u64))? {
                0 => return Err(ErrorKind::WriteZero.into()),
                more => done += more,
            }
        }
        Ok(())
    }
}
