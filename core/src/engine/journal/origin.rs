//! Distinguishes a journal that was written here from one that came with a checkout.
//!
//! A stamp is an empty file whose name is its own modification time. Version control and copying give files new times, so
//! in a clone the name is wrong. Entries of a journal without a valid stamp are quarantined, not carried out.

use std::collections::BTreeSet;

use super::{Journal, WORK};
use crate::Host;
use crate::engine::Result;
use crate::engine::fs::FileSystem;

/// The stamps. One that is valid is enough.
const ORIGIN: &str = ".huddle/origin";

/// Processes that begin at once can each make a stamp. More than this many were made to guess a time, where files have
/// times of whole seconds.
const MAX_STAMPS: usize = 1000;

impl<F: FileSystem, H: Host> Journal<F, H> {
    /// Ensures a valid origin stamp, so that other processes execute what is committed from now on.
    pub(crate) fn ensure_origin(&self) -> Result<()> {
        if self.is_stamped.get() || self.has_origin()? {
            self.is_stamped.set(true);
            return Ok(());
        }
        // Listed before looking again: what another process commits after it made the stamp is not in the list.
        let names = BTreeSet::from_iter(self.list(WORK)?.into_iter().map(|file| file.name));
        if !self.has_origin()? {
            names.iter().filter_map(|name| name.strip_suffix(".json")).for_each(|tx| self.quarantine(tx, &names));
            self.make_origin()?;
        }
        self.is_stamped.set(true);
        Ok(())
    }

    /// Returns whether the journal was written in this directory.
    ///
    /// A stamp that cannot be looked at is an error: what was committed here must not be quarantined for it.
    pub(super) fn has_origin(&self) -> Result<bool> {
        let stamps = self.list(ORIGIN)?;
        if stamps.len() > MAX_STAMPS {
            return Ok(false);
        }
        for stamp in &stamps {
            if self.is_valid(&stamp.name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_valid(&self, stamp: &str) -> Result<bool> {
        Ok(self.modified(&format!("{ORIGIN}/{stamp}"))?.is_some_and(|modified| modified.to_string() == stamp))
    }

    /// Creates a stamp, then removes the invalid ones. A valid one stays, whoever made it: without any, others would
    /// quarantine what was committed after it was made.
    fn make_origin(&self) -> Result<()> {
        self.create_dir(ORIGIN)?;
        self.retry_fenced(|| {
            let scratch = self.scratch_path("origin");
            self.write_new(&scratch, b"")?;
            let modified = self.modified(&scratch)?.unwrap_or_default();
            // A rename keeps the time.
            self.rename_own(&scratch, &format!("{ORIGIN}/{modified}"))
        })?;
        for stamp in self.list(ORIGIN)? {
            if !self.is_valid(&stamp.name)? {
                // A directory, or what another has removed already: neither makes a stamp valid.
                drop(self.remove(&format!("{ORIGIN}/{}", stamp.name)));
            }
        }
        self.sync_dir(ORIGIN)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{QUARANTINE, rules};
    use super::*;
    use crate::engine::fs::memory::MemoryFs;
    use crate::host::FixedHost;
    use crate::model::Span;

    #[test]
    fn a_journal_that_came_with_a_checkout_is_quarantined() {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
        let journal = || Journal::new(&fs, &host, "test", rules::mailbox);
        let commit = |to: &str| {
            let process = journal();
            let mut pending = process.begin();
            pending.link_new(to.to_owned(), b"{}").unwrap();
            pending.commit(&[]).unwrap();
            host.advance(Span::from_seconds(1));
        };
        commit("inbox/bob/one.json");
        assert_eq!(journal().orphaned_entries().unwrap().len(), 1, "it was written here");

        for stamp in fs.list(ORIGIN).unwrap() {
            // A checkout keeps the name and sets a new time.
            fs.remove(&format!("{ORIGIN}/{}", stamp.name)).unwrap();
            fs.write_new(&format!("{ORIGIN}/{}", stamp.name), b"").unwrap();
        }
        assert_eq!(journal().orphaned_entries().unwrap(), [], "it came from elsewhere");
        assert_eq!(fs.list(QUARANTINE).unwrap().len(), 2, "the entry and its content");
        assert_eq!(fs.list("inbox/bob").unwrap(), []);

        commit("inbox/bob/two.json");
        assert_eq!(journal().orphaned_entries().unwrap().len(), 1, "a new stamp was made");
        assert_eq!(fs.list(ORIGIN).unwrap().len(), 1, "and the old one removed");
    }

    #[test]
    fn a_second_stamp_leaves_the_first_in_place() {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
        let journal = || Journal::new(&fs, &host, "test", rules::mailbox);
        journal().make_origin().unwrap();
        let first = fs.list(ORIGIN).unwrap();
        journal().make_origin().unwrap();
        let both = fs.list(ORIGIN).unwrap();
        assert_eq!((first.len(), both.len()), (1, 2));
        assert!(both.contains(&first[0]), "what was committed after it was made stays known");
    }

    #[test]
    fn so_many_stamps_that_one_fits_by_chance_are_none() {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
        let journal = Journal::new(&fs, &host, "test", rules::mailbox);
        journal.make_origin().unwrap();
        assert!(journal.has_origin().unwrap());
        for guess in 0..MAX_STAMPS {
            fs.write_new(&format!("{ORIGIN}/guess-{guess}"), b"").unwrap();
        }
        assert!(!journal.has_origin().unwrap());
    }
}
