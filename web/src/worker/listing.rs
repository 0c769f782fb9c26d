//! What there is to read: the files of a source, found but not yet read.

use std::cell::Cell;
use std::rc::Rc;

use huddle_core::history::source::{IGNORED_DIRS, PROTOCOL_DIRS};
use huddle_core::model::{Diagnostic, Json};
use js_sys::{Array, AsyncIterator, IteratorNext, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemHandle, FileSystemHandleKind};

use super::archive;
use super::net;
use crate::format::{number, size};
use crate::limits::{MAX_FILES, MAX_LISTING_BYTES, Raise, UnpackLimits, over_limit};
use crate::protocol::Source;
use huddle_web_model::files::sort;

/// Where the bytes of a file are.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// At hand: the browser takes its time for each that it keeps, so that is where small ones are.
    Held(Rc<[u8]>),
    /// In the browser's hands.
    Blob(Blob),
    /// At an address.
    Address(String),
}

/// A file that was found.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    /// Its path.
    pub(super) path: String,
    /// How many bytes it has.
    pub(super) size: u64,
    /// When it was last changed, in milliseconds since 1970.
    pub(super) changed: f64,
    /// Whether it was asked for by name.
    pub(super) named: bool,
    /// Where its bytes are.
    pub(super) origin: Origin,
}

impl Listed {
    /// Says whether it is the same file, unchanged.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.path == other.path && self.size == other.size && self.changed.to_bits() == other.changed.to_bits()
    }

    /// Gives its bytes into the browser's hands.
    pub(super) async fn blob(&self) -> Result<Blob, String> {
        match &self.origin {
            Origin::Held(bytes) => blob_with(bytes),
            Origin::Blob(blob) => Ok(blob.clone()),
            Origin::Address(address) => net::fetch_blob(address).await,
        }
    }
}

/// Gives bytes into the browser's hands.
pub(super) fn blob_with(bytes: &[u8]) -> Result<Blob, String> {
    let parts = Array::of1(&Uint8Array::from(bytes));
    Blob::new_with_u8_array_sequence(&parts).map_err(|error| net::told(&error))
}

/// All files of a source.
#[derive(Debug, Clone, Default)]
pub(super) struct Listing {
    /// What the source is called.
    pub(super) name: String,
    /// The files, by path.
    pub(super) files: Vec<Listed>,
    /// Whether it is worth while to look again.
    pub(super) live: bool,
    /// What is not among the files although it lies there, and why.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Set when archives exceed a bound that the reader can raise.
    pub(super) raise: Option<Raise>,
}

impl Listing {
    /// Takes a file, unless there are too many; then it says so once, and returns false.
    fn add(&mut self, file: Listed) -> bool {
        let has_room = self.files.len() < MAX_FILES;
        if has_room {
            self.files.push(file);
        } else {
            self.overflow();
        }
        has_room
    }

    fn overflow(&mut self) {
        if self.diagnostics.is_empty() {
            let message = format!("there are more than {} files; the others were left out", number(MAX_FILES as u64));
            self.diagnostics.push(over_limit(&self.name, message, "open a part of it"));
        }
    }
}

/// What was found of a source, as it lies there: archives are not looked into.
#[derive(Debug, Clone)]
pub(super) struct Found(Listing);

impl Found {
    /// Says whether nothing has changed.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let (files, others) = (&self.0.files, &other.0.files);
        files.len() == others.len() && files.iter().zip(others).all(|(file, other)| file.is_same(other))
    }

    /// Puts what archives hold in their place.
    ///
    /// Returns nothing when `is_wanted` returned false on the way.
    pub(super) async fn unpacked(self, limits: UnpackLimits, is_wanted: &dyn Fn() -> bool) -> Option<Listing> {
        let mut listing = self.0;
        let is_stopped = Cell::new(false);
        let goes_on = || {
            is_stopped.set(is_stopped.get() || !is_wanted());
            !is_stopped.get()
        };
        archive::unpack(&mut listing, limits, &goes_on).await;
        sort(&mut listing.files, |file| &file.path, |file, path| file.path = path);
        goes_on().then_some(listing)
    }
}

/// Finds all files of a source as they lie there.
pub(super) async fn find(source: &Source, things: &Array) -> Result<Found, String> {
    let mut listing = match source {
        Source::Files { name, paths } => files(name, paths, things),
        Source::Handles => handles(things).await?,
        Source::Address(address) => addressed(address).await?,
    };
    sort(&mut listing.files, |file| &file.path, |file, path| file.path = path);
    Ok(Found(listing))
}

fn files(name: &str, paths: &[String], things: &Array) -> Listing {
    let whole = paths.iter().any(|path| kept_below_top(path));
    let wanted = |path: &&String| {
        let mut folders = path.split('/').rev().skip(1);
        !folders.any(|folder| IGNORED_DIRS.contains(&folder)) && (!whole || kept_below_top(path))
    };
    let files = paths.iter().zip(things.iter()).filter(|(path, _)| wanted(path));
    let mut files =
        files.filter_map(|(path, file)| Some(of_file(path.clone(), &file.dyn_into().ok()?, !path.contains('/'))));
    let mut listing = Listing { name: name.to_owned(), ..Listing::default() };
    files.all(|file| listing.add(file));
    listing
}

/// Says whether a file lies in what a protocol keeps in the directory that was opened.
fn kept_below_top(path: &str) -> bool {
    path.split('/').nth(1).is_some_and(|folder| PROTOCOL_DIRS.contains(&folder))
}

fn of_file(path: String, file: &File, named: bool) -> Listed {
    let size = file.size() as u64;
    Listed { path, size, changed: file.last_modified(), named, origin: Origin::Blob(file.clone().into()) }
}

async fn handles(things: &Array) -> Result<Listing, String> {
    let mut listing = Listing { live: true, ..Listing::default() };
    for thing in things.iter() {
        let handle: FileSystemHandle = thing.unchecked_into();
        if !listing.name.is_empty() {
            listing.name.push_str(", ");
        }
        listing.name.push_str(&handle.name());
        match handle.kind() {
            FileSystemHandleKind::Directory => project(handle.unchecked_into(), &mut listing).await?,
            _ => {
                let name = handle.name();
                let file = opened(&handle.unchecked_into(), name, true).await;
                file.into_iter().all(|file| listing.add(file));
            }
        }
    }
    Ok(listing)
}

/// Takes a directory: of a project, only what protocols keep there.
async fn project(directory: FileSystemDirectoryHandle, listing: &mut Listing) -> Result<(), String> {
    let top = directory.name();
    let inside = entries(&directory).await?;
    let is_kept = |handle: &FileSystemHandle| {
        handle.kind() == FileSystemHandleKind::Directory && PROTOCOL_DIRS.contains(&handle.name().as_str())
    };
    let whole = !inside.iter().any(is_kept);
    let mut rest: Vec<(String, FileSystemHandle)> =
        inside.into_iter().filter(|handle| whole || is_kept(handle)).map(|handle| (top.clone(), handle)).collect();
    // Directories count, too: there may be very many without a file in them.
    let mut seen = rest.len();
    while let Some((above, handle)) = rest.pop() {
        let path = format!("{above}/{}", handle.name());
        match handle.kind() {
            FileSystemHandleKind::Directory if IGNORED_DIRS.contains(&handle.name().as_str()) => {}
            FileSystemHandleKind::Directory => {
                // One that went away meanwhile has nothing in it.
                let inside = entries(&handle.unchecked_into()).await.unwrap_or_default();
                seen += inside.len();
                if seen > MAX_FILES {
                    listing.overflow();
                    break;
                }
                rest.extend(inside.into_iter().map(|handle| (path.clone(), handle)));
            }
            _ => {
                let file = opened(&handle.unchecked_into(), path, false).await;
                if !file.into_iter().all(|file| listing.add(file)) {
                    break;
                }
            }
        }
    }
    Ok(())
}

async fn entries(directory: &FileSystemDirectoryHandle) -> Result<Vec<FileSystemHandle>, String> {
    let refused = |error: JsValue| format!("the directory {} cannot be read: {}", directory.name(), net::told(&error));
    let values: AsyncIterator = directory.values().unchecked_into();
    let mut entries = Vec::new();
    loop {
        let next = JsFuture::from(values.next().map_err(refused)?).await.map_err(refused)?;
        let next: IteratorNext = next.unchecked_into();
        // One more than can be listed tells that there are too many.
        if next.done() || entries.len() > MAX_FILES {
            return Ok(entries);
        }
        entries.push(next.value().unchecked_into());
    }
}

/// Opens a file for reading; one that went away meanwhile is no longer part of what there is.
async fn opened(handle: &FileSystemFileHandle, path: String, named: bool) -> Option<Listed> {
    let file: File = JsFuture::from(handle.get_file()).await.ok()?.unchecked_into();
    Some(of_file(path, &file, named))
}

/// Finds what lies at an address of this origin: a listing of files, or one file.
async fn addressed(address: &str) -> Result<Listing, String> {
    let name = address.trim_end_matches('/').rsplit('/').next().unwrap_or(address).to_owned();
    if !address.ends_with('/') && !address.ends_with("/index.json") {
        // All of it is wanted, and not every server says beforehand how much that is.
        let blob = net::fetch_blob(address).await?;
        let (path, size) = (name.clone(), blob.size() as u64);
        let file = Listed { path, size, changed: 0.0, named: true, origin: Origin::Blob(blob) };
        return Ok(Listing { name, files: vec![file], ..Listing::default() });
    }
    let too_long = || format!("{address} is no listing of files: it has more than {}", size(MAX_LISTING_BYTES));
    let blob = net::fetch_up_to(address, MAX_LISTING_BYTES).await?.ok_or_else(too_long)?;
    let buffer = JsFuture::from(blob.array_buffer()).await.map_err(|error| net::told(&error))?;
    let bytes = Uint8Array::new(&buffer).to_vec();
    let listed: Json =
        huddle_core::wire::parse(&bytes).map_err(|error| format!("{address} is no listing of files: {error}"))?;
    let base = &address[..address.rfind('/').map_or(0, |slash| slash + 1)];
    let live = Cell::new(false);
    let file = |entry: &Json| {
        let path = entry["path"].as_str()?;
        live.set(live.get() || entry["modified"].is_number());
        // A small file may stand in the listing itself.
        let text = entry["text"].as_str();
        let address = || Origin::Address(format!("{base}{}", net::escaped(path)));
        let origin = text.map_or_else(address, |text| Origin::Held(text.as_bytes().into()));
        let size = text.map_or_else(|| entry["size"].as_u64().unwrap_or(0), |text| text.len() as u64);
        let changed = entry["modified"].as_f64().unwrap_or(0.0);
        let named = entry["explicit"].as_bool().unwrap_or(false);
        Some(Listed { path: path.to_owned(), size, changed, named, origin })
    };
    let name = listed["name"].as_str().map_or(name, str::to_owned);
    let mut listing = Listing { name, ..Listing::default() };
    listed["files"].as_array().into_iter().flatten().filter_map(file).all(|file| listing.add(file));
    listing.live = live.get();
    Ok(listing)
}
