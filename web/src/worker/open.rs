//! Opening a source: reading it whole, showing its beginning meanwhile, and looking again when it may change.

use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

use gloo::timers::future::TimeoutFuture;
use huddle_core::history::record::ByteSource;
use huddle_core::history::{Loader, Role};
use huddle_core::model::Timestamp;
use js_sys::Uint8Array;
use uuid::Uuid;

use super::feed::{Desk, Pieces, Reader, away, kept, parts};
use super::listing::{Listed, Listing, Origin};
use crate::limits::OVER_LIMIT;
use crate::protocol::{Event, Overview};
use huddle_web_model::bounded_loader::BoundedLoader;
use huddle_web_model::dataset::Dataset;
use huddle_web_model::dataset::file_store::{FileBytes, FileStore, SMALL};

/// How many bytes are kept at hand in all: what is beyond is read again when it is asked for.
const AT_HAND: u64 = 1 << 30;
/// From this size on, the beginning of a source is shown while the rest is being read.
const LARGE: u64 = 4 << 20;
/// How many files are begun before their turn.
const EARLY: usize = 16;
/// How many files that are at hand are read before somebody may say that they are not wanted any more.
const BREATHLESS: u32 = 256;
/// How many lines are read to have the program made fast.
const WARM: usize = 5_000;
/// How often, in milliseconds, and how many times it is looked whether the page has drawn the beginning.
const LOOK: u32 = 4;
const LOOKS: u32 = 50;

/// What hears of progress.
pub(super) trait Hear {
    /// Hears how far it is; says whether to go on.
    fn progress(&self, tell: Event) -> bool;

    /// Takes the beginning of a large source, to be shown meanwhile.
    fn beginning(&self, book: Dataset);

    /// Says whether the page has drawn the beginning.
    fn is_drawn(&self) -> bool;

    /// Gives a thread that reads, where there is one.
    fn reader(&self) -> Option<Rc<Reader>>;
}

/// Why there is nothing to show.
pub(super) enum Stopped {
    /// Nobody wants it any more.
    Unwanted,
    /// Something is wrong.
    Failed(String),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Failed(format!("reading failed: {error}"))
    }
}

/// Reads all files of a listing; nothing is found out yet of what follows from them. Beside the book it says whether the
/// source is so large that it is shown little by little.
pub(super) async fn read(listing: &Listing, hear: &dyn Hear) -> Result<(Dataset, bool), Stopped> {
    let mut reading = Reading::new(listing);
    let mut refused = None;
    for (number, file) in listing.files.iter().enumerate() {
        reading.begin_early(number, &listing.files);
        if !is_wanted(&reading.loader.get().files()[number].role, file) {
            if let Some(text) = unread(file) {
                reading.texts.put(file.path.clone(), text);
            }
            continue;
        }
        match reading.file(number as u32, file, hear).await {
            Err(Stopped::Failed(error)) => {
                reading.loader.mark_incomplete(number as u32);
                refused.get_or_insert(error);
            }
            other => other?,
        }
    }
    match refused {
        Some(error) if !reading.loader.get().files().iter().any(|file| file.role.is_read()) => {
            Err(Stopped::Failed(error))
        }
        _ => Ok((Dataset::bare(reading.loader.finish(&listing.diagnostics), reading.texts), reading.is_large)),
    }
}

/// A source that is being read.
struct Reading {
    loader: BoundedLoader,
    texts: FileStore,
    desk: Desk,
    /// Files that were begun before their turn, with their numbers.
    early: VecDeque<(usize, Pieces)>,
    /// The number of the first file that nobody thought of beginning yet.
    next: usize,
    /// How many bytes more are kept at hand.
    room: u64,
    is_large: bool,
    /// Whether its beginning is shown already, or about to be.
    is_shown: bool,
    /// How many times more it is looked whether the page has drawn that.
    looks: u32,
}

impl Reading {
    fn new(listing: &Listing) -> Self {
        let loader = loader(listing);
        let is_large = loader.get().progress().total > LARGE;
        let (texts, desk, early) = (FileStore::default(), Desk::default(), VecDeque::new());
        Self { loader, texts, desk, early, next: 0, room: AT_HAND, is_large, is_shown: false, looks: 0 }
    }

    /// Begins some files before their turn, which is when `number` is at it.
    fn begin_early(&mut self, number: usize, files: &[Listed]) {
        while self.next < files.len().min(number + EARLY) {
            let file = &files[self.next];
            let pieces = Some(file).filter(|file| is_wanted(&self.loader.get().files()[self.next].role, file));
            let pieces = pieces.and_then(Pieces::begin_early);
            self.early.extend(pieces.map(|pieces| (self.next, pieces)));
            self.next += 1;
        }
    }

    /// Reads a file. What can be read of it is kept, even if that is not all.
    async fn file(&mut self, number: u32, file: &Listed, hear: &dyn Hear) -> Result<(), Stopped> {
        if let Origin::Held(bytes) = &file.origin {
            self.loader.feed(number, bytes);
            self.loader.end();
            self.texts.put(file.path.clone(), FileBytes::Local(Rc::clone(bytes)));
            if number % BREATHLESS == BREATHLESS - 1 {
                TimeoutFuture::new(0).await;
            }
            return if hear.progress(progress(&self.loader)) { Ok(()) } else { Err(Stopped::Unwanted) };
        }
        let pieces = match self.early.pop_front_if(|(early, _)| *early == number as usize) {
            Some((_, pieces)) => pieces,
            None => Pieces::begin(file, hear.reader()).await.map_err(|error| unreadable(file, &error))?,
        };
        let blob = pieces.blob().clone();
        let size = blob.size() as u64;
        let mut kept = (size <= self.room).then(Vec::new);
        let read = self.pieces(number, file, pieces, &mut kept, hear).await;
        if size == 0 && self.loader.get().files()[number as usize].role.is_read() {
            self.loader.feed(number, &[]);
        }
        self.loader.end();
        self.texts.put(file.path.clone(), kept.map_or_else(|| away(blob), text_of));
        self.room = self.room.saturating_sub(size);
        read
    }

    /// Reads a file piece by piece, and shows the beginning of a large one.
    async fn pieces(
        &mut self,
        number: u32,
        file: &Listed,
        mut pieces: Pieces,
        kept: &mut Option<Vec<Uint8Array>>,
        hear: &dyn Hear,
    ) -> Result<(), Stopped> {
        let is_large = self.is_large && pieces.blob().size() as u64 > LARGE;
        let mut begun = None;
        while let Some(piece) = pieces.next().await.map_err(|error| unreadable(file, &error))? {
            // Now there is something to do while the page draws that leaves it a core: reading takes several.
            if let Some(book) = begun.take() {
                hear.beginning(book);
                self.looks = LOOKS;
            }
            for part in parts(&piece) {
                let bytes = self.desk.bring(&part);
                if !self.loader.feed(number, bytes) {
                    return Ok(());
                }
                let is_log = self.loader.get().files()[number as usize].role == Role::Log;
                if is_large && !self.is_shown && is_log {
                    self.is_shown = true;
                    begun = Some(beginning(&file.path, bytes)?);
                } else if self.is_free(hear).await {
                    pieces.hurry();
                }
            }
            while begun.is_none() && !self.is_free(hear).await {}
            kept.iter_mut().for_each(|kept| kept.push(piece.clone()));
            if !hear.progress(progress(&self.loader)) {
                return Err(Stopped::Unwanted);
            }
        }
        Ok(())
    }

    /// Says whether all cores may be used, and lets some time pass if not: until the page has drawn what it was told of, but not
    /// for long. Whoever sees something can wait for the rest.
    async fn is_free(&mut self, hear: &dyn Hear) -> bool {
        if self.looks == 0 || hear.is_drawn() {
            self.looks = 0;
            return true;
        }
        self.looks -= 1;
        TimeoutFuture::new(LOOK).await;
        false
    }
}

/// Makes a text of what was read. Small ones are at hand; of large ones, what is not looked at stays with the browser.
fn text_of(pieces: Vec<Uint8Array>) -> FileBytes {
    match &pieces[..] {
        [] => FileBytes::Local(Rc::default()),
        [piece] if u64::from(piece.length()) <= SMALL => FileBytes::Local(piece.to_vec().into()),
        _ => kept(pieces),
    }
}

/// Reads what has changed since a book was made, and makes another of all; the book is taken only when nothing has to be
/// waited for any more, and none is made when it is gone by then.
pub(super) async fn renew(
    listing: &Listing,
    before: &Listing,
    take: &dyn Fn() -> Option<Dataset>,
) -> Result<Option<Dataset>, Stopped> {
    let roles = loader(listing);
    let mut fresh: Vec<(String, FileBytes)> = Vec::new();
    for (number, file) in listing.files.iter().enumerate() {
        // Listings are sorted.
        let known = before.files.binary_search_by(|known| known.path.cmp(&file.path));
        if known.is_ok_and(|place| before.files[place].is_same(file)) {
            continue;
        }
        let text = if is_wanted(&roles.get().files()[number].role, file) {
            // What is being replaced has another time when it is looked at the next time; until then, what was read stays.
            let Ok(text) = whole(file).await else { continue };
            text
        } else if let Some(text) = unread(file) {
            text
        } else {
            continue;
        };
        fresh.push((file.path.clone(), text));
    }
    let Some(book) = take() else { return Ok(None) };
    let mut texts = book.into_texts();
    fresh.into_iter().for_each(|(path, text)| texts.put(path, text));
    let (mut loader, mut kept) = (roles, FileStore::default());
    for (number, file) in listing.files.iter().enumerate() {
        let Some(text) = texts.take(&file.path) else {
            if loader.get().files()[number].role.is_read() {
                loader.mark_incomplete(number as u32);
            }
            continue;
        };
        kept.put(file.path.clone(), text);
        if loader.get().files()[number].role.is_read() {
            let mut takes = true;
            kept.for_each_chunk(&file.path, &mut |_, bytes| takes = takes && loader.feed(number as u32, bytes))?;
            loader.end();
        }
    }
    Ok(Some(Dataset::new(loader.finish(&listing.diagnostics), kept, now())?))
}

/// Gives a file that is not read now, if it can be when it is asked for.
fn unread(file: &Listed) -> Option<FileBytes> {
    match &file.origin {
        Origin::Held(bytes) => Some(FileBytes::Local(Rc::clone(bytes))),
        Origin::Blob(blob) => Some(away(blob.clone())),
        Origin::Address(_) => None,
    }
}

/// Reads all of a file.
async fn whole(file: &Listed) -> Result<FileBytes, String> {
    if let Origin::Held(bytes) = &file.origin {
        return Ok(FileBytes::Local(Rc::clone(bytes)));
    }
    let mut pieces = Pieces::begin(file, None).await?;
    let mut kept = Vec::new();
    while let Some(piece) = pieces.next().await? {
        kept.push(piece);
    }
    Ok(text_of(kept))
}

/// Says whether a file's bytes are read: those that only others refer to can be read after, if the browser has them.
fn is_wanted(role: &Role, file: &Listed) -> bool {
    let refers = matches!(role, Role::Artifact | Role::Known(_));
    role.is_read() || (refers && matches!(file.origin, Origin::Address(_)))
}

fn loader(listing: &Listing) -> BoundedLoader {
    let files = listing.files.iter().map(|file| (file.path.clone(), file.size, file.named));
    BoundedLoader::new(Loader::new(files.collect()))
}

fn progress(loader: &BoundedLoader) -> Event {
    let progress = loader.get().progress();
    Event::Progress { bytes: progress.bytes, total: progress.total.max(progress.bytes), rows: progress.rows }
}

/// Makes a book of the first whole lines of a log.
fn beginning(path: &str, bytes: &[u8]) -> io::Result<Dataset> {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1);
    let mut loader = Loader::new(vec![(path.to_owned(), end as u64, true)]);
    loader.feed(0, &bytes[..end]);
    let mut texts = FileStore::default();
    texts.put(path.to_owned(), FileBytes::Local(bytes[..end].into()));
    Dataset::new(loader.finish(), texts, now())
}

/// Reads something that nobody sees. Browsers make a program fast while it runs, and take a core for that: it had better be
/// done by the time when there is something to read, and to draw.
pub(super) fn warm_up() {
    const LINE: &str = r#"{"timestamp": "2026-01-01T00:00:00.000Z", "from": "a", "to": "b", "type": "finding", "severity":
         "low", "thread_id": "t", "data": {"title": "of no length", "location": "here"}, "message": "not to be seen"}"#;
    let log = format!("{}\n", LINE.replace('\n', "")).repeat(WARM);
    // Nothing can be wrong with it.
    let _ = beginning("log.jsonl", log.as_bytes());
}

fn unreadable(file: &Listed, error: &str) -> Stopped {
    Stopped::Failed(format!("{} cannot be read: {error}", file.path))
}

pub(super) fn now() -> Timestamp {
    Timestamp::from_micros((js_sys::Date::now() * 1_000.0) as i64)
}

/// How far a book is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It is the beginning, with all that follows from that.
    Beginning,
    /// All of it is there, and nothing was found out yet.
    Read,
    /// All is known.
    Whole,
}

/// Sums a book up for the page.
pub(super) fn overview(book: &Dataset, listing: &Listing, stage: Stage, took: f64) -> Overview {
    let summed = if stage == Stage::Read { book.bare_overview() } else { book.overview() };
    Overview {
        left_out: book.reported(OVER_LIMIT),
        raise: listing.raise.clone(),
        partial: stage != Stage::Whole,
        name: listing.name.clone(),
        source: source_of(book, listing),
        live: listing.live,
        took: took as u32,
        ..summed
    }
}

/// Tells content from other content: by the sizes of all files, and by samples of what is in them. Names are left out,
/// because another's copy may lie elsewhere.
fn source_of(book: &Dataset, listing: &Listing) -> String {
    const SAMPLE: u64 = 1_024;
    const SAMPLES: u64 = 64;
    let mut source = Uuid::NAMESPACE_OID;
    for file in &listing.files {
        let size = book.size_of(&file.path);
        let mut seen = size.to_le_bytes().to_vec();
        let step = (size / SAMPLES).max(SAMPLE);
        for offset in (0..size).step_by(step as usize) {
            seen.extend(book.peek(&file.path, offset, SAMPLE));
        }
        // One file after the other, so that the samples of very many are never held together.
        source = Uuid::new_v5(&source, &seen);
    }
    source.simple().to_string()
}
