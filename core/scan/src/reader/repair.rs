//! Records that are damaged in ways that can be undone.

use std::borrow::Cow;

use crate::accounting::Recovery;
use crate::fields::{Field, Fields};
use crate::json::{ScanError, scan_object};

/// The mark that some editors put before a text.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// How many places of a damaged line are tried: a longer search would take the square of its length.
const TRIES: usize = 64;

/// How many bytes are copied at first to leave out their zero bytes.
const FIRST_COPY: usize = 1 << 10;

/// A record, with what had to be done to it.
pub(super) struct Repaired {
    /// How many bytes it takes as it is.
    pub(super) length: usize,
    /// The damage that was repaired.
    pub(super) recovery: Option<Recovery>,
    /// Its bytes without what was wrong; none when nothing was.
    pub(super) cleaned: Option<Vec<u8>>,
}

/// Reads the record that a text begins with, if need be without its byte-order marks or the zero bytes in it.
pub(super) fn record(bytes: &[u8], fields: &mut Fields) -> Result<Repaired, ScanError> {
    let rest = without_marks(bytes);
    let marks = bytes.len() - rest.len();
    let found = unmarked(rest, fields)?;
    if marks == 0 {
        return Ok(found);
    }
    let length = marks + found.length;
    let cleaned = found.cleaned.unwrap_or_else(|| rest[..found.length].to_vec());
    Ok(Repaired { length, recovery: Some(Recovery::Bom), cleaned: Some(cleaned) })
}

/// Removes byte-order marks: each program that a text went through may have put one before it.
fn without_marks(mut bytes: &[u8]) -> &[u8] {
    while let Some(rest) = bytes.strip_prefix(BOM) {
        bytes = rest;
    }
    bytes
}

fn unmarked(bytes: &[u8], fields: &mut Fields) -> Result<Repaired, ScanError> {
    let fault = match scan_object(bytes, fields) {
        Ok(length) => return Ok(Repaired { length, recovery: None, cleaned: None }),
        Err(fault) => fault,
    };
    if bytes.get(fault.at) != Some(&0) {
        return Err(fault);
    }
    let Some(without) = without_zeros(bytes, fields) else { return Err(fault) };
    // Zero bytes behind the record go with it.
    let (mut taken, mut left) = (0, without.len());
    while let Some(byte) = bytes.get(taken).filter(|byte| **byte == 0 || left > 0) {
        left -= usize::from(*byte != 0);
        taken += 1;
    }
    Ok(Repaired { length: taken, recovery: Some(Recovery::Nul), cleaned: Some(without) })
}

/// Returns the record that bytes begin with when their zero bytes are left out. Only as much is copied as it takes: many more
/// such records may follow.
fn without_zeros(bytes: &[u8], fields: &mut Fields) -> Option<Vec<u8>> {
    let mut size = FIRST_COPY;
    loop {
        let part = bytes.get(..size).unwrap_or(bytes);
        let mut without: Vec<u8> = part.iter().copied().filter(|byte| *byte != 0).collect();
        match scan_object(&without, fields) {
            Ok(length) => {
                without.truncate(length);
                return Some(without);
            }
            Err(fault) if fault.incomplete && part.len() < bytes.len() => size *= 2,
            Err(_) => return None,
        }
    }
}

/// Finds where the next record begins in damaged bytes: an object with an author and a type or a time, whole, and
/// not just one inside another. Gives the end when there is none.
pub(super) fn next_record(bytes: &[u8], from: usize, fields: &mut Fields) -> usize {
    let starts = memchr::memmem::find_iter(bytes.get(from..).unwrap_or_default(), b"{\"").map(|start| from + start);
    let mut is_record = |start: &usize| {
        scan_object(&bytes[*start..], fields).is_ok()
            && (fields.has(Field::From) || fields.has(Field::Id))
            && (fields.has(Field::Kind) || fields.has(Field::Time) || fields.has(Field::Event))
    };
    starts.take(TRIES).find(|start| is_record(start)).unwrap_or(bytes.len())
}

/// Removes all that may stand in the bytes of a row beside its JSON: what repairing a record and the joining of torn lines
/// overlook.
pub fn clean(row: &[u8]) -> Cow<'_, [u8]> {
    let row = without_marks(row);
    // An end of line never stands inside a text of JSON, and elsewhere means nothing.
    let stray = |byte: &u8| matches!(*byte, 0 | b'\n');
    if row.iter().any(stray) { row.iter().copied().filter(|byte| !stray(byte)).collect() } else { Cow::Borrowed(row) }
}
