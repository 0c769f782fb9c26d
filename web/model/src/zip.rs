//! What a zip file holds: its directory stands at the end.

use std::ops::Range;

/// A file in a zip file.
#[derive(Debug, PartialEq, Eq)]
pub struct Member {
    /// Its path.
    pub path: String,
    /// Whether it is compressed; otherwise it lies there as it is.
    pub deflated: bool,
    /// Where its bytes are.
    pub data: Range<usize>,
}

const END: &[u8] = b"PK\x05\x06";
const ENTRY: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
/// How long the record at the end is without its comment, which may have 65,535 bytes.
const END_LENGTH: usize = 22;
/// What stands for a number that has no room: the file is in the newer form for large archives.
const TOO_LARGE: usize = 0xFFFF_FFFF;

/// Lists the files of an archive, in its own order, without directories.
pub fn members(bytes: &[u8]) -> Result<Vec<Member>, String> {
    let first = bytes.len().saturating_sub(END_LENGTH + 0xFFFF);
    let last = bytes.len().saturating_sub(END_LENGTH);
    let is_end = |at: &usize| bytes[*at..].starts_with(END);
    let end = (first..=last).rev().find(is_end).ok_or("it is no zip file, or its end is missing")?;
    let (count, mut at) = (number(bytes, end + 10, 2)?, number(bytes, end + 16, 4)?);
    let mut members = Vec::new();
    for _ in 0..count {
        if at == TOO_LARGE || !bytes.get(at..).is_some_and(|rest| rest.starts_with(ENTRY)) {
            return Err("its directory cannot be read: it may be larger than 4 GB".to_owned());
        }
        let lengths = [number(bytes, at + 28, 2)?, number(bytes, at + 30, 2)?, number(bytes, at + 32, 2)?];
        let path = bytes.get(at + 46..at + 46 + lengths[0]).ok_or(SHORT)?;
        let path = String::from_utf8_lossy(path).into_owned();
        if !path.ends_with('/') {
            members.push(member(bytes, at, path)?);
        }
        at += 46 + lengths.iter().sum::<usize>();
    }
    Ok(members)
}

fn member(bytes: &[u8], entry: usize, path: String) -> Result<Member, String> {
    let (flags, method) = (number(bytes, entry + 8, 2)?, number(bytes, entry + 10, 2)?);
    if flags & 1 != 0 {
        return Err(format!("{path} is encrypted"));
    }
    let deflated = match method {
        0 => false,
        8 => true,
        other => return Err(format!("{path} is compressed in a way that is not known here ({other})")),
    };
    let (size, local) = (number(bytes, entry + 20, 4)?, number(bytes, entry + 42, 4)?);
    if !bytes.get(local..).is_some_and(|rest| rest.starts_with(LOCAL)) {
        return Err(format!("{path} is not where the directory says"));
    }
    let start = local + 30 + number(bytes, local + 26, 2)? + number(bytes, local + 28, 2)?;
    let data = start..start.checked_add(size).filter(|end| *end <= bytes.len()).ok_or(SHORT)?;
    Ok(Member { path, deflated, data })
}

const SHORT: &str = "it ends too early";

/// Reads a number, the lowest byte first.
fn number(bytes: &[u8], at: usize, length: usize) -> Result<usize, String> {
    let digits = bytes.get(at..at.saturating_add(length)).ok_or(SHORT)?;
    Ok(digits.iter().rev().fold(0, |number, digit| number << 8 | usize::from(*digit)))
}
