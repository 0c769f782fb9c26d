//! Bringing the bytes of files, in pieces, with the next pieces on their way while one is being read.

mod reader;

pub(super) use reader::Reader;

use std::collections::VecDeque;
use std::rc::Rc;

use js_sys::{Promise, Uint8Array};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, FileReaderSync};

use super::listing::{Listed, Origin};
use super::net;
use huddle_web_model::dataset::file_store::FileBytes;

/// The first piece of a file is small, so that there is soon something to see.
const FIRST: f64 = (1 << 20) as f64;
/// Reading in small pieces takes several times as long as in large ones.
const PIECE: f64 = (16 << 20) as f64;
/// When there is nothing to go over any more, the next piece is to come soon; those after it are larger and larger.
const SOON: f64 = (4 << 20) as f64;
/// How many pieces are on their way at a time.
const AHEAD: usize = 2;

/// A file whose bytes come piece by piece.
pub(super) struct Pieces {
    blob: Blob,
    /// How much of it was asked for.
    asked: f64,
    /// How much is asked for next.
    length: f64,
    coming: VecDeque<(Blob, Promise)>,
    /// A thread that reads; where there is none, the browser is asked.
    reader: Option<Rc<Reader>>,
    /// Whether the thread is to have something to do all the time.
    is_hurried: bool,
}

impl Pieces {
    /// Begins a file. A large one is read by the thread that is given, if it is.
    pub(super) async fn begin(file: &Listed, reader: Option<Rc<Reader>>) -> Result<Self, String> {
        Ok(Self::of(file.blob().await?, reader))
    }

    fn of(blob: Blob, reader: Option<Rc<Reader>>) -> Self {
        let reader = reader.filter(|_| blob.size() > FIRST);
        let mut pieces = Self { blob, asked: 0.0, length: FIRST, coming: VecDeque::new(), reader, is_hurried: false };
        pieces.ask_ahead();
        pieces
    }

    /// Begins a file before its turn, if it is small and the browser has it: to ask for one after the other has come takes
    /// several times as long.
    pub(super) fn begin_early(file: &Listed) -> Option<Self> {
        match &file.origin {
            Origin::Blob(blob) if blob.size() <= FIRST => Some(Self::of(blob.clone(), None)),
            _ => None,
        }
    }

    /// Gives all of the file, as the browser has it.
    pub(super) fn blob(&self) -> &Blob {
        &self.blob
    }

    /// Has the thread that reads go on without a pause.
    pub(super) fn hurry(&mut self) {
        if !std::mem::replace(&mut self.is_hurried, true) && self.coming.is_empty() {
            self.length = SOON;
        }
        self.ask_ahead();
    }

    /// Waits for the next piece; there is none at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Uint8Array>, String> {
        if self.coming.is_empty() {
            self.ask_ahead();
        }
        let Some((part, bytes)) = self.coming.pop_front() else { return Ok(None) };
        let mut bytes = JsFuture::from(bytes).await.map_err(|error| net::told(&error))?;
        if bytes.is_undefined() {
            // The thread did not start.
            self.reader = None;
            bytes = JsFuture::from(part.array_buffer()).await.map_err(|error| net::told(&error))?;
        }
        if let Some(fault) = bytes.as_string() {
            return Err(fault);
        }
        if self.is_hurried {
            self.ask_ahead();
        }
        Ok(Some(Uint8Array::new(&bytes)).filter(|bytes| bytes.length() > 0))
    }

    /// Asks for the next pieces, without waiting for them.
    fn ask_ahead(&mut self) {
        let ahead = if self.reader.is_some() { AHEAD } else { 1 };
        while self.coming.len() < ahead && self.ask() {}
    }

    /// Asks for the next piece, if there is one.
    fn ask(&mut self) -> bool {
        let length = self.length;
        self.length = if self.asked == 0.0 { PIECE } else { (length * 2.0).min(PIECE) };
        // A file that is gone seems to be empty until it is read.
        let is_empty = self.blob.size() == 0.0 && self.asked == 0.0;
        let end = (self.asked + length).min(self.blob.size());
        if self.asked >= end && !is_empty {
            return false;
        }
        let part = self.blob.slice_with_f64_and_f64(self.asked, end).ok().filter(|_| !is_empty);
        let part = part.unwrap_or_else(|| self.blob.clone());
        let bytes = self.reader.as_ref().map_or_else(|| part.array_buffer(), |reader| reader.read(&part));
        self.coming.push_back((part, bytes));
        self.asked = if is_empty { length } else { end };
        true
    }
}

/// How many bytes are gone over at a time: as many as stay near the processor.
const PART: u32 = 1 << 20;

/// Cuts a piece into parts that are gone over one after the other.
pub(super) fn parts(piece: &Uint8Array) -> impl Iterator<Item = Uint8Array> {
    (0..piece.length()).step_by(PART as usize).map(|start| piece.subarray(start, start.saturating_add(PART)))
}

/// A place in memory that bytes are brought to, one part after the other.
#[derive(Default)]
pub(super) struct Desk(Vec<u8>);

impl Desk {
    /// Brings bytes, in place of those that were brought before.
    pub(super) fn bring(&mut self, bytes: &Uint8Array) -> &[u8] {
        let length = bytes.length() as usize;
        if self.0.len() < length {
            self.0.resize(length, 0);
        }
        bytes.copy_to(&mut self.0[..length]);
        &self.0[..length]
    }
}

/// Makes a text of a blob that is read again when it is asked for.
pub(super) fn away(blob: Blob) -> FileBytes {
    FileBytes::Remote(Box::new(move |offset, length| {
        let refused = |error| std::io::Error::other(net::told(&error));
        let end = (offset.saturating_add(length) as f64).min(blob.size());
        let part = blob.slice_with_f64_and_f64(offset as f64, end).map_err(refused)?;
        let buffer = FileReaderSync::new().and_then(|reader| reader.read_as_array_buffer(&part)).map_err(refused)?;
        Ok(Uint8Array::new(&buffer).to_vec())
    }))
}

/// Makes a text of pieces that the browser keeps: what is not looked at needs no room in our own memory.
pub(super) fn kept(pieces: Vec<Uint8Array>) -> FileBytes {
    FileBytes::Remote(Box::new(move |offset, length| {
        let (mut start, end) = (0, offset.saturating_add(length));
        let mut bytes = Vec::new();
        for piece in &pieces {
            let next = start + u64::from(piece.length());
            if next > offset && start < end {
                let from = offset.saturating_sub(start) as u32;
                let part = piece.subarray(from, (end.min(next) - start) as u32);
                // Most parts lie in one piece.
                if bytes.is_empty() { bytes = part.to_vec() } else { bytes.extend(part.to_vec()) }
            }
            start = next;
        }
        Ok(bytes)
    }))
}
