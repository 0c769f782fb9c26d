//! Finding what is not plain in texts, many bytes at a time.

/// How many bytes are looked at together.
const BLOCK: usize = 64;

/// The bytes of a record, and which of them are not plain in a text: quotes, backslashes, control characters, and parts of
/// longer characters.
///
/// Each stretch is looked at once, however many texts are in it. Where a text ends is then a matter of counting bits, not of
/// going on until it does: a processor would have to guess how often, and texts are of all lengths.
pub(crate) struct StringScanner<'b> {
    pub(super) bytes: &'b [u8],
    /// The number of the stretch that was looked at last.
    block: usize,
    /// Its bytes that are not plain, the first one lowest.
    found: u64,
}

impl<'b> StringScanner<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, block: usize::MAX, found: 0 }
    }

    /// Finds the first byte from `at` on that is not plain; there may be none up to the end.
    #[inline(always)]
    pub(crate) fn next(&mut self, at: usize) -> usize {
        if at / BLOCK != self.block {
            self.load_block(at / BLOCK);
        }
        let mut found = self.found & u64::MAX << (at % BLOCK);
        while found == 0 {
            let next = self.block + 1;
            if next * BLOCK >= self.bytes.len() {
                return self.bytes.len();
            }
            self.load_block(next);
            found = self.found;
        }
        self.block * BLOCK + found.trailing_zeros() as usize
    }

    #[inline(never)]
    fn load_block(&mut self, block: usize) {
        self.block = block;
        let rest = self.bytes.get(block * BLOCK..).unwrap_or_default();
        self.found = match (rest.first_chunk(), self.bytes.last_chunk()) {
            (Some(all), _) => specials(all),
            // What is left over is looked at together with what stands before it.
            (None, Some(last)) if !rest.is_empty() => specials(last) >> (BLOCK - rest.len()),
            _ => {
                let mut room = [b' '; BLOCK];
                room[..rest.len()].copy_from_slice(rest);
                specials(&room)
            }
        };
    }
}

#[inline]
fn specials(bytes: &[u8; BLOCK]) -> u64 {
    let parts = bytes.as_chunks().0.iter().rev();
    parts.fold(0, |found, part: &[u8; WIDTH]| found << WIDTH | specials_in(part))
}

/// How many bytes one instruction looks at.
const WIDTH: usize = if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) { 16 } else { 8 };

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
fn specials_in(bytes: &[u8; WIDTH]) -> u64 {
    use std::arch::wasm32::{i8x16_bitmask, i8x16_eq, i8x16_lt, i8x16_splat, i64x2, v128_or};
    let (low, high) = bytes.split_at(8);
    let eight = |half: &[u8]| half.first_chunk().map_or(0, |half| i64::from_le_bytes(*half));
    let bytes = i64x2(eight(low), eight(high));
    let is = |byte| i8x16_eq(bytes, i8x16_splat(byte));
    // Bytes with a sign are below zero from 0x80 on.
    let other = i8x16_lt(bytes, i8x16_splat(0x20));
    i8x16_bitmask(v128_or(v128_or(is(0x22), is(0x5c)), other)).into()
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
fn specials_in(bytes: &[u8; WIDTH]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = u64::from_le_bytes(*bytes);
    // The highest bit of a byte stays clear only if the byte is zero.
    let some = |word: u64| (word & !HIGH).wrapping_add(!HIGH) | word;
    let plain = some(word ^ (ONES * 0x22)) & some(word ^ (ONES * 0x5c)) & some(word & (ONES * 0xe0)) & !word;
    // Brings the highest bits together, those of the first byte lowest.
    ((!plain & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_found_at_every_place() {
        for byte in 0..=u8::MAX {
            let plain = !matches!(byte, b'"' | b'\\' | 0..0x20 | 0x80..);
            for (length, place) in [40, 64, 150].into_iter().flat_map(|length| (0..length).map(move |at| (length, at)))
            {
                let mut bytes = vec![b'a'; length];
                bytes[place] = byte;
                let wanted = if plain { length } else { place };
                let mut specials = StringScanner::new(&bytes);
                for from in [0, place / 2, place] {
                    assert_eq!(specials.next(from), wanted, "{byte} at {place} of {length}, from {from}");
                }
                assert_eq!(specials.next(place + 1), length, "{byte} at {place} of {length}");
            }
        }
    }

    #[test]
    fn neighbours_are_told_apart() {
        let bytes: Vec<u8> =
            (0..=u8::MAX).flat_map(|byte| [byte, b'a', b'!', b'#', b'[', b'"', b'~', 0x20, 0x1f]).collect();
        let mut specials = StringScanner::new(&bytes);
        for at in 0..bytes.len() {
            let rest = bytes[at..].iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20 | 0x80..));
            assert_eq!(specials.next(at), rest.map_or(bytes.len(), |first| at + first), "from {at}");
        }
    }
}
