//! Small files, read and written whole.
//!
//! Under WASI 0.2 the standard library goes through streams: what is written is handed to another thread of the host and
//! waited for, and what is read is asked for its size three times. By place, each is one call.

#[cfg(all(target_os = "wasi", target_env = "p2"))]
pub(super) use by_place::{fill, read};
#[cfg(not(all(target_os = "wasi", target_env = "p2")))]
pub(super) use by_stream::{fill, read};

#[cfg(not(all(target_os = "wasi", target_env = "p2")))]
mod by_stream {
    use std::fs::File;
    use std::io::{self, Write};

    pub(in super::super) use std::fs::read;

    /// Writes all that a new file holds.
    pub(in super::super) fn fill(file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
}

#[cfg(all(target_os = "wasi", target_env = "p2"))]
mod by_place {
    use std::fs::File;
    use std::io::{self, ErrorKind};
    use std::path::PathBuf;

    use rustix::io::{pread, pwrite, retry_on_intr};

    /// Most files of a bus are no larger.
    const ROOM: usize = 4096;

    /// Reads all that a file holds.
    pub(in super::super) fn read(path: PathBuf) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        let (mut bytes, mut done) = (vec![0; ROOM], 0);
        loop {
            match retry_on_intr(|| pread(&file, &mut bytes[done..], done as u64))? {
                0 => break,
                more => done += more,
            }
            if done == bytes.len() {
                grow(&mut bytes, &file)?;
            }
        }
        bytes.truncate(done);
        Ok(bytes)
    }

    /// Makes room for all that a file holds by now, and a little more, where its end is found. A file that is too large is
    /// an error: to run out of memory in any other way would end the whole instance.
    fn grow(bytes: &mut Vec<u8>, file: &File) -> io::Result<()> {
        let size = usize::try_from(file.metadata()?.len()).map_err(|_| ErrorKind::OutOfMemory)?;
        let more = size.saturating_sub(bytes.len()).saturating_add(ROOM);
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
