//! Archives: `.gz` and `.zip`, unpacked up to a bound.
//!
//! Sizes that an archive declares are not believed: what comes out is counted. A file that does not come out whole within the
//! bounds is left out, because half of a file looks like all of it; those that were complete before it stay.

use huddle_core::history::Role;
use huddle_core::history::source::{role_of, roots_of};
use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, TransformStream, WritableStreamDefaultWriter};

use super::listing::{Listed, Listing, Origin};
use super::net;
use crate::limits::{Raise, UnpackBound, UnpackLimits};
use huddle_web_model::dataset::file_store::SMALL;
use huddle_web_model::unpacking::{Fault, UnpackBudget};
use huddle_web_model::zip::{self, Member};

/// The most packed bytes that are inflated at once.
///
/// The browser unpacks what it is given before it can be stopped, to 1,032 times that size at most.
const PACKED_PIECE: u32 = 16 << 10;
/// How many packed bytes are read at once.
const READ_AHEAD: f64 = (1 << 20) as f64;

/// Replaces archives by the files in them.
///
/// An archive in an archive is not unpacked. Once `is_wanted` returns false, the result is of no use.
pub(super) async fn unpack(listing: &mut Listing, limits: UnpackLimits, is_wanted: &dyn Fn() -> bool) {
    let roots = roots_of(listing.files.iter().map(|file| file.path.as_str()));
    let mut budget = Budget { left: UnpackBudget::new(limits), limits, is_wanted };
    let mut files = Vec::with_capacity(listing.files.len());
    for file in std::mem::take(&mut listing.files) {
        let Some(format) = Format::of(&file.path) else {
            files.push(file);
            continue;
        };
        let (inside, fault) = budget.unpack(format, &file).await;
        // Other files may refer to the archive itself.
        let is_kept = matches!(role_of(&file.path, &roots, file.named).0, Role::Artifact | Role::Known(_));
        let is_part = !inside.is_empty();
        let is_unread = fault.is_some() && !is_part && !file.named;
        listing.diagnostics.extend(fault.as_ref().map(|fault| fault.diagnostic(&file.path, limits, is_part)));
        files.extend(inside);
        if let Some(Fault::Over(bound)) = fault {
            listing.raise.get_or_insert_with(|| Raise::above(limits, bound));
        }
        if is_kept || is_unread {
            files.push(file);
        }
    }
    listing.files = files;
}

enum Format {
    Gzip,
    Zip,
}

impl Format {
    fn of(path: &str) -> Option<Self> {
        if path.ends_with(".gz") {
            Some(Self::Gzip)
        } else if path.ends_with(".zip") {
            Some(Self::Zip)
        } else {
            None
        }
    }
}

/// What may still be unpacked in one opening.
struct Budget<'w> {
    limits: UnpackLimits,
    left: UnpackBudget,
    is_wanted: &'w dyn Fn() -> bool,
}

impl Budget<'_> {
    /// Returns the files that come out whole, and why there are no more.
    async fn unpack(&mut self, format: Format, file: &Listed) -> (Vec<Listed>, Option<Fault>) {
        let mut inside = Vec::new();
        let unpacked = match format {
            Format::Gzip => self.gunzip(file, &mut inside).await,
            Format::Zip => self.unzip(file, &mut inside).await,
        };
        let fault = unpacked.err();
        if let Some(Fault::Damaged(_)) = fault {
            inside.clear();
        }
        (inside, fault)
    }

    async fn gunzip(&mut self, file: &Listed, inside: &mut Vec<Listed>) -> Result<(), Fault> {
        let mut room = self.limits.archive;
        let packed = self.packed(file).await?;
        let (origin, size) = self.inflate(Packed::Blob(packed), "gzip", &mut room).await?;
        let path = file.path.strip_suffix(".gz").unwrap_or(&file.path).to_owned();
        inside.push(Listed { path, size, changed: file.changed, named: file.named, origin });
        Ok(())
    }

    async fn unzip(&mut self, file: &Listed, inside: &mut Vec<Listed>) -> Result<(), Fault> {
        let mut room = self.limits.archive;
        let packed = self.packed(file).await?;
        let buffer = JsFuture::from(packed.array_buffer()).await.map_err(|error| net::told(&error))?;
        let bytes = Uint8Array::new(&buffer).to_vec();
        for member in zip::members(&bytes)? {
            let path = format!("{}/{}", file.path.trim_end_matches(".zip"), member.path);
            let (origin, size) = self.member(&packed, &bytes, member, &mut room).await?;
            inside.push(Listed { path, size, changed: file.changed, named: false, origin });
        }
        Ok(())
    }

    async fn member(
        &mut self,
        packed: &Blob,
        bytes: &[u8],
        member: Member,
        room: &mut u64,
    ) -> Result<(Origin, u64), Fault> {
        let (start, end) = (member.data.start as f64, member.data.end as f64);
        let data = &bytes[member.data];
        let size = data.len() as u64;
        let is_small = size <= SMALL;
        let blob = || packed.slice_with_f64_and_f64(start, end).map_err(|error| net::told(&error));
        if member.deflated {
            let packed = if is_small { Packed::Bytes(data.into()) } else { Packed::Blob(blob()?) };
            return self.inflate(packed, "deflate-raw", room).await.map_err(|fault| fault.within(&member.path));
        }
        self.left.spend(size, room).map_err(Fault::Over)?;
        let origin = if is_small { Origin::Held(data.into()) } else { Origin::Blob(blob()?) };
        Ok((origin, size))
    }

    /// Brings an archive as it is, unless there is no room for what is in it.
    async fn packed(&self, file: &Listed) -> Result<Blob, Fault> {
        if self.left.files == 0 {
            return Err(Fault::Over(UnpackBound::Files));
        }
        if self.left.bytes == 0 {
            return Err(Fault::Over(UnpackBound::Total));
        }
        let packed = match &file.origin {
            Origin::Address(address) => net::fetch_up_to(address, self.limits.archive).await?,
            _ => Some(file.blob().await?).filter(|packed| packed.size() as u64 <= self.limits.archive),
        };
        packed.ok_or(Fault::Over(UnpackBound::Archive))
    }

    /// Inflates one file; `room` is what its archive may still unpack to.
    async fn inflate(&mut self, packed: Packed, format: &str, room: &mut u64) -> Result<(Origin, u64), Fault> {
        // There are no bindings for it yet that count as stable.
        let made = Reflect::get(&js_sys::global(), &"DecompressionStream".into()).and_then(|class| {
            Reflect::construct(class.unchecked_ref::<js_sys::Function>(), &Array::of1(&format.into()))
        });
        let stream: TransformStream = made.map_err(|error| net::told(&error))?.unchecked_into();
        let writer = stream.writable().get_writer().map_err(|error| net::told(&error))?;
        spawn_local(write_all(packed, writer));
        let limit = self.left.bytes.min(*room);
        let inflated = net::read_up_to(&stream.readable(), limit, self.is_wanted).await?;
        let size = inflated.as_ref().map_or(limit.saturating_add(1), |(_, size)| *size);
        self.left.spend(size, room).map_err(Fault::Over)?;
        inflated.ok_or(Fault::Over(UnpackBound::Archive))
    }
}

/// Packed bytes. The browser takes about a millisecond to hand those of a blob over, so small ones are at hand.
enum Packed {
    Bytes(Uint8Array),
    Blob(Blob),
}

/// Writes packed bytes to a stream, as long as what comes out is read. The reading side hears of what is wrong.
async fn write_all(packed: Packed, writer: WritableStreamDefaultWriter) {
    let written = match packed {
        Packed::Bytes(bytes) => write_pieces(&bytes, &writer).await,
        Packed::Blob(blob) => write_blob(&blob, &writer).await,
    };
    let _ = match written {
        Ok(()) => JsFuture::from(writer.close()).await,
        Err(error) => JsFuture::from(writer.abort_with_reason(&error)).await,
    };
}

async fn write_blob(blob: &Blob, writer: &WritableStreamDefaultWriter) -> Result<(), JsValue> {
    let mut at = 0.0;
    while at < blob.size() {
        let end = (at + READ_AHEAD).min(blob.size());
        let buffer = JsFuture::from(blob.slice_with_f64_and_f64(at, end)?.array_buffer()).await?;
        write_pieces(&Uint8Array::new(&buffer), writer).await?;
        at = end;
    }
    Ok(())
}

async fn write_pieces(bytes: &Uint8Array, writer: &WritableStreamDefaultWriter) -> Result<(), JsValue> {
    for start in (0..bytes.length()).step_by(PACKED_PIECE as usize) {
        let piece = bytes.subarray(start, start.saturating_add(PACKED_PIECE));
        JsFuture::from(writer.write_with_chunk(&piece)).await?;
    }
    Ok(())
}
