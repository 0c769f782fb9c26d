//! A directory tree in memory that can be killed, filled up and cut off from power, to test what survives.

mod faults;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
pub(crate) mod interleaving;
#[cfg(test)]
pub(crate) mod stalling;
#[cfg(test)]
mod tests;
mod tree;

use std::cell::{Cell, RefCell};
use std::io;

use self::faults::{Faults, Verdict};
use self::tree::Tree;
use super::{DirEntry, FileSystem};

/// A strict file system: what real ones merely discourage is an error here, and nothing lasts that was not synced.
///
/// ```
/// use huddle_core::engine::fs::{FileSystem, memory::MemoryFs};
///
/// let fs = MemoryFs::new();
/// fs.write_new("kept", b"one")?;
/// fs.sync_dir("")?;
/// fs.write_new("lost", b"two")?;
/// fs.power_cut();
/// assert_eq!(fs.read("kept", 100)?.as_deref(), Some(&b"one"[..]));
/// assert_eq!(fs.read("lost", 100)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryFs {
    tree: RefCell<Tree>,
    faults: RefCell<Faults>,
    mutations: Cell<usize>,
}

impl MemoryFs {
    /// Creates an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Copies the tree as it is, durable or not; the copy has no faults.
    pub fn fork(&self) -> Self {
        Self { tree: RefCell::new(self.tree.borrow().clone()), ..Self::default() }
    }

    /// Counts the mutating calls so far, failed ones included: all but those that only look.
    pub fn mutations(&self) -> usize {
        self.mutations.get()
    }

    /// Lets `n` more mutating calls pass, then fails every call, as if the process had been killed.
    pub fn fail_after(&self, n: usize) {
        self.faults.borrow_mut().kill_after(n, false);
    }

    /// Does as [`MemoryFs::fail_after`], and if the first call to fail is a write, half of its bytes arrive.
    pub fn fail_torn_after(&self, n: usize) {
        self.faults.borrow_mut().kill_after(n, true);
    }

    /// Ends what [`MemoryFs::fail_after`] began: another process looks at the tree as it was left.
    pub fn restart(&self) {
        self.faults.borrow_mut().restart();
    }

    /// Returns whether calls fail because [`MemoryFs::fail_after`] has struck.
    pub fn is_killed(&self) -> bool {
        self.faults.borrow().is_killed()
    }

    /// Leaves room for so many more bytes; a write that needs more leaves what fits and fails with `StorageFull`.
    pub fn fill_up_after(&self, bytes: usize) {
        self.faults.borrow_mut().set_space(Some(bytes));
    }

    /// Ends what [`MemoryFs::fill_up_after`] began.
    pub fn make_room(&self) {
        self.faults.borrow_mut().set_space(None);
    }

    /// Drops what was not durable: bytes that were not synced, and what happened to names since their directory's last
    /// sync.
    pub fn power_cut(&self) {
        self.tree.borrow_mut().forget_names();
        self.tree.borrow_mut().forget_bytes();
    }

    /// Does as [`MemoryFs::power_cut`] when the names happened to reach the disk and the bytes did not.
    pub fn power_cut_keeping_names(&self) {
        self.tree.borrow_mut().forget_bytes();
    }

    /// Plants a name that stands for no regular file, in a directory that exists; `what` is its kind, such as "a
    /// symbolic link" or "a FIFO".
    pub fn plant(&self, path: &str, what: &'static str) -> io::Result<()> {
        self.tree.borrow_mut().plant(path, what)
    }

    /// Sets the time of the next modification, in nanoseconds since the epoch; each one moves it on by one.
    pub fn set_clock(&self, nanos: u128) {
        self.tree.borrow_mut().set_clock(nanos);
    }

    /// Lists the path of every file, in order.
    pub fn files(&self) -> Vec<String> {
        self.tree.borrow().files()
    }

    fn mutate(&self, run: impl FnOnce(&mut Tree) -> io::Result<()>) -> io::Result<()> {
        self.mutations.set(self.mutations.get() + 1);
        match self.faults.borrow_mut().judge_mutation() {
            Verdict::Pass => run(&mut self.tree.borrow_mut()),
            Verdict::Killed | Verdict::Torn => Err(faults::killed()),
        }
    }

    /// Runs a write with as many of its bytes as the faults let through.
    fn write(&self, bytes: &[u8], run: impl FnOnce(&mut Tree, &[u8]) -> io::Result<()>) -> io::Result<()> {
        self.mutations.set(self.mutations.get() + 1);
        let mut faults = self.faults.borrow_mut();
        match faults.judge_mutation() {
            Verdict::Pass => {
                let room = faults.room_for(bytes.len());
                run(&mut self.tree.borrow_mut(), &bytes[..room])?;
                faults.use_up(room);
                if room < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
            }
            Verdict::Torn => {
                // Whether the half could be written does not matter: the process is gone either way.
                let _ = run(&mut self.tree.borrow_mut(), &bytes[..bytes.len() / 2]);
                Err(faults::killed())
            }
            Verdict::Killed => Err(faults::killed()),
        }
    }

    fn look<T>(&self, run: impl FnOnce(&Tree) -> io::Result<T>) -> io::Result<T> {
        if self.is_killed() { Err(faults::killed()) } else { run(&self.tree.borrow()) }
    }
}

impl FileSystem for MemoryFs {
    fn read(&self, path: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        self.look(|tree| tree.read(path, limit))
    }

    fn modified(&self, path: &str) -> io::Result<Option<u128>> {
        self.look(|tree| Ok(tree.modified(path)))
    }

    fn list(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        self.look(|tree| tree.list(dir))
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        self.look(|tree| Ok(tree.exists(path)))
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.look(|tree| Ok(tree.size(path)))
    }

    fn is_same(&self, one: &str, other: &str) -> io::Result<bool> {
        self.look(|tree| Ok(tree.is_same(one, other)))
    }

    fn create_dir(&self, dir: &str) -> io::Result<()> {
        self.mutate(|tree| tree.create_dir(dir))
    }

    fn write_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        // A write that was cut short was never synced.
        self.write(bytes, |tree, arrived| tree.write_new(path, arrived, arrived.len() == bytes.len()))
    }

    fn write_scratch(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes, |tree, arrived| tree.write_new(path, arrived, false))
    }

    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes, |tree, arrived| tree.append(path, arrived))
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.mutate(|tree| tree.link(from, to))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.mutate(|tree| tree.rename(from, to))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.mutate(|tree| tree.remove(path))
    }

    fn remove_dir(&self, dir: &str) -> io::Result<()> {
        self.mutate(|tree| {
            tree.remove_dir(dir);
            Ok(())
        })
    }

    fn sync(&self, paths: &[String]) -> io::Result<()> {
        // Each is a step of its own: a process may be killed between any two.
        paths.iter().try_for_each(|path| self.mutate(|tree| tree.sync(path)))
    }

    fn sync_dir(&self, dir: &str) -> io::Result<()> {
        self.mutate(|tree| tree.sync_dir(dir))
    }
}
