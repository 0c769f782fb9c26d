//! A process that is suspended at one of its calls while others work.

use std::cell::{Cell, RefCell};
use std::io;

use super::MemoryFs;
use crate::engine::fs::{DirEntry, FileSystem};

/// The tree as one process sees it: before its `n`th call, whatever others do meanwhile happens.
pub(crate) struct StallingFs<'a> {
    fs: &'a MemoryFs,
    calls_left: Cell<usize>,
    meanwhile: RefCell<Option<Box<dyn FnOnce() + 'a>>>,
    /// What happens so many calls after that.
    then: RefCell<Option<(usize, Then<'a>)>>,
    is_killed: Cell<bool>,
}

/// What happens to a process that was suspended once.
pub(crate) enum Then<'a> {
    /// It is suspended again while others work.
    Suspend(Box<dyn FnOnce() + 'a>),
    /// It is killed: none of its calls does anything any more.
    Kill,
}

impl<'a> StallingFs<'a> {
    pub(crate) fn new(fs: &'a MemoryFs, calls: usize, meanwhile: impl FnOnce() + 'a) -> Self {
        let meanwhile: Box<dyn FnOnce() + 'a> = Box::new(meanwhile);
        Self {
            fs,
            calls_left: Cell::new(calls),
            meanwhile: RefCell::new(Some(meanwhile)),
            then: RefCell::default(),
            is_killed: Cell::new(false),
        }
    }

    /// Has something happen to the process so many calls after it was suspended.
    pub(crate) fn and_then(self, calls: usize, then: Then<'a>) -> Self {
        self.then.replace(Some((calls, then)));
        self
    }

    /// Returns whether both happened.
    pub(crate) fn has_stalled_twice(&self) -> bool {
        self.has_stalled() && self.then.borrow().is_none()
    }

    /// Returns whether the process was suspended: it made that many calls.
    pub(crate) fn has_stalled(&self) -> bool {
        self.meanwhile.borrow().is_none()
    }

    fn next(&self) -> io::Result<&MemoryFs> {
        match self.calls_left.get().checked_sub(1) {
            Some(left) => self.calls_left.set(left),
            None => {
                if let Some(act) = self.meanwhile.take() {
                    act();
                    let calls = self.then.borrow().as_ref().map_or(usize::MAX, |(calls, _)| *calls);
                    self.calls_left.set(calls);
                } else {
                    match self.then.take() {
                        Some((_, Then::Suspend(act))) => act(),
                        Some((_, Then::Kill)) => self.is_killed.set(true),
                        None => {}
                    }
                }
            }
        }
        if self.is_killed.get() { Err(io::Error::other("the process was killed")) } else { Ok(self.fs) }
    }
}

impl FileSystem for StallingFs<'_> {
    fn read(&self, path: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        self.next()?.read(path, limit)
    }
    fn modified(&self, path: &str) -> io::Result<Option<u128>> {
        self.next()?.modified(path)
    }
    fn list(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        self.next()?.list(dir)
    }
    fn exists(&self, path: &str) -> io::Result<bool> {
        self.next()?.exists(path)
    }
    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.next()?.size(path)
    }
    fn is_same(&self, one: &str, other: &str) -> io::Result<bool> {
        self.next()?.is_same(one, other)
    }
    fn create_dir(&self, dir: &str) -> io::Result<()> {
        self.next()?.create_dir(dir)
    }
    fn write_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.next()?.write_new(path, bytes)
    }
    fn write_scratch(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.next()?.write_scratch(path, bytes)
    }
    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.next()?.append(path, bytes)
    }
    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.next()?.link(from, to)
    }
    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.next()?.rename(from, to)
    }
    fn remove(&self, path: &str) -> io::Result<()> {
        self.next()?.remove(path)
    }
    fn remove_dir(&self, dir: &str) -> io::Result<()> {
        self.next()?.remove_dir(dir)
    }
    fn sync(&self, paths: &[String]) -> io::Result<()> {
        self.next()?.sync(paths)
    }
    fn sync_dir(&self, dir: &str) -> io::Result<()> {
        self.next()?.sync_dir(dir)
    }
}

/// Suspends a process at each of its calls, for spans below and above every time limit.
///
/// `run` prepares a tree, starts the process with the number of the call and the length of the pause, checks what is left,
/// and returns whether the process made that many calls.
#[cfg(test)]
pub(crate) fn at_every_call(mut run: impl FnMut(usize, crate::model::Span) -> bool) {
    use crate::model::Span;
    for pause in [Span::from_millis(600), Span::from_seconds(6), Span::from_seconds(61), Span::from_hours(24)] {
        let mut call = 0;
        while run(call, pause) {
            call += 1;
            assert!(call < 2000, "an operation takes less than two thousand calls");
        }
        assert!(call > 10, "the process was suspended at no call");
    }
}
