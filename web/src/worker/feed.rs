//! Bringing the bytes of files, in pieces, with the next piece on its way while one is being read.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, FileReaderSync};

use super::listing::{Listed, Origin};
use super::net;
use super::texts::Text;

/// The first piece of a file is small, so that there is soon something to see.
const FIRST: f64 = (1 << 20) as f64;
/// Reading in small pieces takes several times as long as in large ones.
const PIECE: f64 = (16 << 20) as f64;

/// A file whose bytes come piece by piece.
pub(super) struct Pieces {
    from: From,
}

enum From {
    Blob { blob: Blob, at: f64, coming: Option<Promise> },
    Whole(Option<Vec<u8>>),
}

impl Pieces {
    /// Begins a file.
    pub(super) async fn begin(file: &Listed) -> Result<Self, String> {
        let from = match &file.origin {
            Origin::Blob(blob) => From::Blob { blob: blob.clone(), at: 0.0, coming: None },
            Origin::Address(address) => From::Whole(Some(net::fetch(address).await?)),
        };
        let mut pieces = Self { from };
        pieces.ask();
        Ok(pieces)
    }

    /// Asks for the next piece, without waiting for it.
    fn ask(&mut self) {
        if let From::Blob { blob, at, coming } = &mut self.from {
            // A file that is gone seems to be empty until it is read.
            if blob.size() == 0.0 && *at == 0.0 {
                (*at, *coming) = (FIRST, Some(blob.array_buffer()));
                return;
            }
            let length = if *at == 0.0 { FIRST } else { PIECE };
            let end = (*at + length).min(blob.size());
            *coming = (*at < end)
                .then(|| blob.slice_with_f64_and_f64(*at, end).ok().map(|part| part.array_buffer()))
                .flatten();
            *at = end;
        }
    }

    /// Waits for the next piece and appends it; gives false when there is none.
    pub(super) async fn next(&mut self, to: &mut Vec<u8>) -> Result<bool, String> {
        let coming = match &mut self.from {
            From::Whole(bytes) => {
                let bytes = bytes.take();
                to.extend_from_slice(bytes.as_deref().unwrap_or_default());
                return Ok(bytes.is_some_and(|bytes| !bytes.is_empty()));
            }
            From::Blob { coming, .. } => coming.take(),
        };
        let Some(coming) = coming else { return Ok(false) };
        let buffer = JsFuture::from(coming).await.map_err(|error| net::told(&error))?;
        self.ask();
        let bytes = Uint8Array::new(&buffer);
        let start = to.len();
        to.resize(start + bytes.length() as usize, 0);
        bytes.copy_to(&mut to[start..]);
        Ok(bytes.length() > 0)
    }
}

/// Makes a text of a blob that is read again when it is asked for.
pub(super) fn away(blob: Blob) -> Text {
    Text::Away(Box::new(move |offset, length| {
        let refused = |error| std::io::Error::other(net::told(&error));
        let end = (offset.saturating_add(length) as f64).min(blob.size());
        let part = blob.slice_with_f64_and_f64(offset as f64, end).map_err(refused)?;
        let buffer = FileReaderSync::new().and_then(|reader| reader.read_as_array_buffer(&part)).map_err(refused)?;
        Ok(Uint8Array::new(&buffer).to_vec())
    }))
}
