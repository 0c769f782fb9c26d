//! Memory that a host was given to put values into, in safe code.
//!
//! The canonical ABI has the host ask for memory, fill it, and call a function with addresses. What it asks for is a `Vec`
//! that is kept under its address until the value at that address is taken. An address that was never given out, or was
//! taken before, leads to nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static PASSED: RefCell<BTreeMap<u32, Block>> = const { RefCell::new(BTreeMap::new()) };
}

/// Some memory whose address is known to a host. It begins at a multiple of eight, unless texts are all that it may hold.
#[derive(Debug)]
pub(super) struct Block {
    bytes: Vec<u8>,
    start: usize,
}

impl Block {
    pub(super) fn new(size: usize) -> Self {
        let bytes = vec![0; size + 7];
        let start = bytes.as_ptr().align_offset(8);
        Self { bytes, start }
    }

    pub(super) fn text(bytes: Vec<u8>) -> Self {
        Self { bytes, start: 0 }
    }

    pub(super) fn place(&self) -> *const u8 {
        self.bytes[self.start..].as_ptr()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..]
    }

    /// Returns the first so many bytes, without copying those of a text.
    pub(super) fn into_bytes(mut self, length: usize) -> Vec<u8> {
        self.bytes.drain(..self.start);
        self.bytes.truncate(length);
        self.bytes
    }
}

/// Gives a host memory to put into what it passes, or more of it, as the canonical ABI has it.
pub fn allocate(old: u32, old_size: u32, align: u32, size: u32) -> u32 {
    if size == 0 {
        return align;
    }
    let size = size as usize;
    let mut block = if align == 1 { Block::text(vec![0; size]) } else { Block::new(size) };
    if let Some(old) = take(old) {
        let kept = size.min(old_size as usize).min(old.bytes().len());
        block.bytes_mut()[..kept].copy_from_slice(&old.bytes()[..kept]);
    }
    let place = block.bytes_mut().as_mut_ptr().expose_provenance() as u32;
    PASSED.with_borrow_mut(|passed| passed.insert(place, block));
    place
}

/// Takes what a host has put at an address.
pub(super) fn take(place: u32) -> Option<Block> {
    PASSED.with_borrow_mut(|passed| passed.remove(&place))
}

/// Puts bytes into new memory as a host does, and returns its address.
#[cfg(test)]
pub(super) fn passed(align: u32, bytes: &[u8]) -> u32 {
    let place = allocate(0, 0, align, bytes.len() as u32);
    fill(place, 0, bytes);
    place
}

#[cfg(test)]
fn fill(place: u32, from: usize, bytes: &[u8]) {
    PASSED.with_borrow_mut(|passed| {
        let block = passed.get_mut(&place).expect("the memory was given out");
        block.bytes_mut()[from..from + bytes.len()].copy_from_slice(bytes);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_taken_once_and_grows_with_what_it_holds() {
        for align in [1, 4, 8] {
            let place = passed(align, b"hello");
            assert_eq!(place % align, 0);
            let grown = allocate(place, 5, align, 8);
            fill(grown, 5, b"...");
            assert_eq!(take(grown).unwrap().into_bytes(8), b"hello...");
            assert!(take(grown).is_none() && take(place).is_none());
        }
    }

    #[test]
    fn nothing_is_at_an_address_that_was_not_given_out() {
        assert_eq!(allocate(0, 0, 4, 0), 4);
        assert!(take(4).is_none() && take(0).is_none());
    }
}
