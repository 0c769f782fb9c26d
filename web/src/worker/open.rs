//! Opening a source: reading it whole, showing its beginning meanwhile, and looking again when it may change.

use std::io;

use huddle_core::history::record::Bytes;
use huddle_core::history::{Loader, Role};
use huddle_core::model::Timestamp;
use uuid::Uuid;

use super::book::Book;
use super::feed::{Pieces, away};
use super::listing::{Listed, Listing, Origin};
use super::texts::{Text, Texts};
use crate::protocol::{Overview, Tell};

/// How many bytes are kept at hand in all: what is beyond is read again when it is asked for.
const AT_HAND: usize = 1 << 30;
/// From this size on, the beginning of a source is shown while the rest is being read.
const LARGE: u64 = 4 << 20;

/// What hears of progress; it says whether to go on.
pub(super) type Hear<'a> = &'a dyn Fn(Heard) -> bool;

/// What can be heard while a source is opened.
pub(super) enum Heard {
    /// How far it is.
    Told(Tell),
    /// The beginning, to be shown meanwhile.
    Beginning(Box<Book>),
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
pub(super) async fn read(listing: &Listing, hear: Hear<'_>) -> Result<(Book, bool), Stopped> {
    let mut loader = loader(listing);
    let (mut texts, mut room) = (Texts::default(), AT_HAND);
    let large = loader.progress().total > LARGE;
    let mut shown = false;
    for (number, file) in listing.files.iter().enumerate() {
        let role = loader.files()[number].role.clone();
        if !is_wanted(&role, file) {
            if let Origin::Blob(blob) = &file.origin {
                texts.put(file.path.clone(), away(blob.clone()));
            }
            continue;
        }
        let blob = if let Origin::Blob(blob) = &file.origin { Some(blob) } else { None };
        // What is not in the browser's hands cannot be read again at will.
        let keep = blob.is_none() || file.size <= room as u64;
        let mut pieces = Pieces::begin(file).await.map_err(|error| unreadable(file, &error))?;
        let mut bytes = Vec::with_capacity(if keep { file.size as usize } else { 0 });
        let mut at = 0;
        while pieces.next(&mut bytes).await.map_err(|error| unreadable(file, &error))? {
            loader.feed(number as u32, &bytes[at..]);
            if large && !shown && role == Role::Log {
                shown = true;
                hear(Heard::Beginning(Box::new(beginning(file, &bytes)?)));
            }
            if keep {
                at = bytes.len();
            } else {
                bytes.clear();
            }
            if !hear(Heard::Told(progress(&loader))) {
                return Err(Stopped::Unwanted);
            }
        }
        if at == 0 && bytes.is_empty() && role.is_read() {
            loader.feed(number as u32, &[]);
        }
        loader.end();
        room = room.saturating_sub(bytes.len());
        let text = match blob {
            Some(blob) if !keep => away(blob.clone()),
            _ => Text::Held(bytes),
        };
        texts.put(file.path.clone(), text);
    }
    Ok((Book::bare(loader.finish(), texts), large))
}

/// Reads what has changed since a book was made, and makes another of all; the book is taken only when nothing has to be
/// waited for any more, and none is made when it is gone by then.
pub(super) async fn renew(
    listing: &Listing,
    before: &Listing,
    take: &dyn Fn() -> Option<Book>,
) -> Result<Option<Book>, Stopped> {
    let roles = loader(listing);
    let mut fresh: Vec<(String, Vec<u8>)> = Vec::new();
    for (number, file) in listing.files.iter().enumerate() {
        // Listings are sorted.
        let known = before.files.binary_search_by(|known| known.path.cmp(&file.path));
        let known = known.is_ok_and(|place| is_same(&before.files[place], file));
        if is_wanted(&roles.files()[number].role, file) && !known {
            let mut bytes = Vec::with_capacity(file.size as usize);
            let mut pieces = Pieces::begin(file).await.map_err(|error| unreadable(file, &error))?;
            while pieces.next(&mut bytes).await.map_err(|error| unreadable(file, &error))? {}
            fresh.push((file.path.clone(), bytes));
        }
    }
    let Some(book) = take() else { return Ok(None) };
    let mut texts = book.into_texts();
    fresh.into_iter().for_each(|(path, bytes)| texts.put(path, Text::Held(bytes)));
    let (mut loader, mut kept) = (roles, Texts::default());
    for (number, file) in listing.files.iter().enumerate() {
        let Some(text) = texts.take(&file.path) else { continue };
        kept.put(file.path.clone(), text);
        if loader.files()[number].role.is_read() {
            feed_again(&mut loader, number as u32, file, &mut kept)?;
        }
    }
    Ok(Some(Book::new(loader.finish(), kept, now())?))
}

fn feed_again(loader: &mut Loader, number: u32, file: &Listed, texts: &mut Texts) -> io::Result<()> {
    const PIECE: u64 = 16 << 20;
    if let Some(bytes) = texts.held(&file.path) {
        loader.feed(number, bytes);
    } else {
        for offset in (0..file.size.max(1)).step_by(PIECE as usize) {
            loader.feed(number, &texts.read(&file.path, offset, PIECE)?);
        }
    }
    loader.end();
    Ok(())
}

/// Says whether a file's bytes are read: those that only others refer to can be read after, if the browser has them.
fn is_wanted(role: &Role, file: &Listed) -> bool {
    let refers = matches!(role, Role::Artifact | Role::Known(_));
    role.is_read() || (refers && matches!(file.origin, Origin::Address(_)))
}

pub(super) fn is_same(a: &Listed, b: &Listed) -> bool {
    a.path == b.path && a.size == b.size && a.changed.to_bits() == b.changed.to_bits()
}

fn loader(listing: &Listing) -> Loader {
    Loader::new(listing.files.iter().map(|file| (file.path.clone(), file.size, file.named)).collect())
}

fn progress(loader: &Loader) -> Tell {
    let progress = loader.progress();
    Tell::Progress { bytes: progress.bytes, total: progress.total.max(progress.bytes), rows: progress.rows }
}

/// Makes a book of the first whole lines of a log.
fn beginning(file: &Listed, bytes: &[u8]) -> io::Result<Book> {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1);
    let mut loader = Loader::new(vec![(file.path.clone(), end as u64, true)]);
    loader.feed(0, &bytes[..end]);
    let mut texts = Texts::default();
    texts.put(file.path.clone(), Text::Held(bytes[..end].to_vec()));
    Book::new(loader.finish(), texts, now())
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
pub(super) fn overview(book: &Book, listing: &Listing, stage: Stage, generation: u32, took: f64) -> Overview {
    let summed = if stage == Stage::Read { book.bare_overview() } else { book.overview() };
    Overview {
        generation,
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
fn source_of(book: &Book, listing: &Listing) -> String {
    const SAMPLE: u64 = 1_024;
    const SAMPLES: u64 = 64;
    let mut seen: Vec<u8> = Vec::new();
    for file in &listing.files {
        let size = book.size_of(&file.path);
        seen.extend(size.to_le_bytes());
        let step = (size / SAMPLES).max(SAMPLE);
        for offset in (0..size).step_by(step as usize) {
            seen.extend(book.peek(&file.path, offset, SAMPLE));
        }
    }
    Uuid::new_v5(&Uuid::NAMESPACE_OID, &seen).simple().to_string()
}
