//! From memory to JSON: what a host passes.
#![expect(unsafe_code, reason = "a host says where it has put what it passes, and that it is ours to free")]

use std::alloc::{Layout, dealloc};

use huddle_core::model::Json;

use super::shape::{Field, Function, Kind, Shape};

/// Takes the parameters of a function, an object with one field for each that was given.
pub(super) fn params(function: &Function, passed: &[u64]) -> Json {
    let mut passed = passed.iter().copied();
    let params = function.params.shape();
    if function.spilled {
        let mut taken = memory(number(&mut passed), 1, params);
        return taken.pop().unwrap_or_default();
    }
    flat(params, &mut passed)
}

/// Takes a value that is passed as numbers, one for each of its parts.
fn flat(shape: &Shape, passed: &mut dyn Iterator<Item = u64>) -> Json {
    match shape.kind {
        Kind::Text => text(passed),
        Kind::List(one) => list(passed, one.shape()),
        Kind::Option(some) => {
            let is_some = number(passed) != 0;
            // What is not there is passed as zeros.
            let value = flat(some.shape(), passed);
            if is_some { value } else { Json::Null }
        }
        Kind::Record(fields) => {
            fields.all().iter().map(|field| named(field, flat(field.shape.shape(), passed))).collect()
        }
        simple => told(simple, number(passed)),
    }
}

/// Takes a value from where it lies.
fn lying(shape: &Shape, bytes: &[u8]) -> Json {
    match shape.kind {
        Kind::Text => text(&mut pair(bytes)),
        Kind::List(one) => list(&mut pair(bytes), one.shape()),
        Kind::Option(_) if bytes[0] == 0 => Json::Null,
        Kind::Option(some) => lying(some.shape(), &bytes[shape.align()..]),
        Kind::Record(fields) => {
            fields.all().iter().map(|field| named(field, lying(field.shape.shape(), &bytes[field.at()..]))).collect()
        }
        simple => told(simple, word(&bytes[..shape.size()])),
    }
}

/// Gives the value that a number stands for.
fn told(kind: Kind, number: u64) -> Json {
    match kind {
        Kind::Bool => Json::Bool(number != 0),
        Kind::Enum(words) => words.all().get(number as usize).map_or(Json::Null, |word| Json::from(word.name.text())),
        _ => number.into(),
    }
}

fn named(field: &Field, value: Json) -> (String, Json) {
    (field.name.text().to_owned(), value)
}

fn number(passed: &mut dyn Iterator<Item = u64>) -> u64 {
    passed.next().unwrap_or_default()
}

/// Reads a number, the lowest byte first.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Reads where something lies and how long it is.
fn pair(bytes: &[u8]) -> impl Iterator<Item = u64> {
    [word(&bytes[..4]), word(&bytes[4..8])].into_iter()
}

fn text(passed: &mut dyn Iterator<Item = u64>) -> Json {
    let (place, length) = (number(passed) as usize as *mut u8, number(passed) as usize);
    if length == 0 {
        return Json::String(String::new());
    }
    // SAFETY: the host has put so many bytes there, in memory that `cabi_realloc` gave it for us to own.
    let bytes = unsafe { Vec::from_raw_parts(place, length, length) };
    // A host that does not pass UTF-8 breaks the canonical ABI; what can be read of it is taken.
    Json::String(String::from_utf8(bytes).unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned()))
}

fn list(passed: &mut dyn Iterator<Item = u64>, one: &Shape) -> Json {
    let (place, count) = (number(passed), number(passed) as usize);
    Json::Array(memory(place, count, one))
}

/// Takes some values that lie one after the other, and frees where they lay.
fn memory(place: u64, count: usize, one: &Shape) -> Vec<Json> {
    let (place, length) = (place as usize as *mut u8, count * one.size());
    if length == 0 {
        return Vec::new();
    }
    // SAFETY: the host has put so many values there, in memory that `cabi_realloc` gave it for us to own.
    let bytes = unsafe { std::slice::from_raw_parts(place, length) };
    let taken = bytes.chunks_exact(one.size()).map(|bytes| lying(one, bytes)).collect();
    if let Ok(layout) = Layout::from_size_align(length, one.align()) {
        // SAFETY: it was allocated with this layout, and nothing refers to it any more.
        unsafe { dealloc(place, layout) };
    }
    taken
}

/// Gives a host memory to put into what it passes, as the canonical ABI has it.
///
/// # Safety
/// What is to grow must have been allocated here, with the size and the alignment that are given.
#[cfg(all(target_os = "wasi", target_env = "p2"))]
#[unsafe(no_mangle)]
unsafe extern "C" fn cabi_realloc(old: *mut u8, old_size: usize, align: usize, size: usize) -> *mut u8 {
    use std::alloc::{alloc, handle_alloc_error, realloc};
    // SAFETY: alignments of the canonical ABI are powers of two.
    let layout = |size| unsafe { Layout::from_size_align_unchecked(size, align) };
    if size == 0 {
        return align as *mut u8;
    }
    // SAFETY: the size is not zero; an old block is as the caller has sworn.
    let place = unsafe { if old_size == 0 { alloc(layout(size)) } else { realloc(old, layout(old_size), size) } };
    if place.is_null() {
        handle_alloc_error(layout(size));
    }
    place
}
