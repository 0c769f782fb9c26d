//! Finding the ends of strings, many bytes at a time.

/// How many bytes are looked at together.
const BLOCK: usize = 64;

/// Finds quotes that end or begin a string: those that no backslash stands for.
///
/// Whether a quote is escaped is a matter of counting the backslashes before it; that is done for all quotes of a block at once.
pub(super) struct QuoteFinder<'b> {
    bytes: &'b [u8],
    /// The number of the next block that was not looked at.
    next_block: usize,
    /// The quotes of the block before it, the first one lowest.
    quotes: u64,
    /// Whether the next block's first byte is escaped: one or zero.
    carry: u64,
}

impl<'b> QuoteFinder<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, next_block: 0, quotes: 0, carry: 0 }
    }

    /// Finds the first quote from `at` on, which never is less than before; the end of the bytes if there is none.
    #[inline]
    pub(super) fn next(&mut self, at: usize) -> usize {
        while self.next_block <= at / BLOCK {
            self.load();
        }
        let mut quotes = self.quotes & u64::MAX << (at % BLOCK);
        while quotes == 0 {
            if self.next_block * BLOCK >= self.bytes.len() {
                return self.bytes.len();
            }
            self.load();
            quotes = self.quotes;
        }
        (self.next_block - 1) * BLOCK + quotes.trailing_zeros() as usize
    }

    #[inline]
    fn load(&mut self) {
        let rest = self.bytes.get(self.next_block * BLOCK..).unwrap_or_default();
        self.next_block += 1;
        let (quotes, backslashes) = match rest.first_chunk() {
            Some(block) => quotes_and_backslashes(block),
            None => {
                let mut room = [b' '; BLOCK];
                room[..rest.len()].copy_from_slice(rest);
                quotes_and_backslashes(&room)
            }
        };
        self.quotes = quotes & !self.escaped(backslashes);
    }

    /// Returns which bytes are escaped: those behind an odd number of backslashes.
    #[inline]
    fn escaped(&mut self, backslashes: u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let carry = std::mem::take(&mut self.carry);
        if backslashes == 0 {
            return carry;
        }
        let backslashes = backslashes & !carry;
        let behind = (backslashes << 1) | carry;
        // A run that begins at an odd place and is added to itself ends in a carry, at a place that tells its length's parity.
        let odd_starts = backslashes & !EVEN & !behind;
        let (ends, overflow) = odd_starts.overflowing_add(backslashes);
        self.carry = u64::from(overflow);
        (EVEN ^ (ends << 1)) & behind
    }
}

/// How many bytes one instruction looks at.
const WIDTH: usize = if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) { 16 } else { 8 };

#[inline]
fn quotes_and_backslashes(bytes: &[u8; BLOCK]) -> (u64, u64) {
    let parts = bytes.as_chunks().0.iter().rev();
    parts.fold((0, 0), |(quotes, backslashes), part: &[u8; WIDTH]| {
        (quotes << WIDTH | places_of(b'"', part), backslashes << WIDTH | places_of(b'\\', part))
    })
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
fn places_of(byte: u8, bytes: &[u8; WIDTH]) -> u64 {
    use std::arch::wasm32::{i8x16_bitmask, i8x16_eq, i8x16_splat, i64x2};
    let (low, high) = bytes.split_at(8);
    let eight = |half: &[u8]| half.first_chunk().map_or(0, |half| i64::from_le_bytes(*half));
    i8x16_bitmask(i8x16_eq(i64x2(eight(low), eight(high)), i8x16_splat(byte as i8))).into()
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
fn places_of(byte: u8, bytes: &[u8; WIDTH]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let other = u64::from_le_bytes(*bytes) ^ (ONES * u64::from(byte));
    // The highest bit of a byte stays clear only if the byte is zero.
    let some = (other & !HIGH).wrapping_add(!HIGH) | other;
    ((!some & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds quotes one byte at a time.
    fn quotes_of(bytes: &[u8]) -> Vec<usize> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < bytes.len() {
            if bytes[at] == b'"' {
                found.push(at);
            }
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        found
    }

    #[test]
    fn quotes_behind_backslashes_are_told_from_others() {
        let mut seed = 1_u64;
        for round in 0..2_000 {
            let length = round % 300;
            let next = |seed: &mut u64| {
                *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *seed >> 33
            };
            let kinds = [&b"\"\\ax"[..], b"\\\\\\\"", b"aaaaaaaaaaaaaaaaaaa\"\\\xe4"][round % 3];
            let bytes: Vec<u8> = (0..length).map(|_| kinds[next(&mut seed) as usize % kinds.len()]).collect();
            let (mut finder, mut found, mut at) = (QuoteFinder::new(&bytes), Vec::new(), 0);
            while at < bytes.len() {
                let quote = finder.next(at);
                found.extend((quote < bytes.len()).then_some(quote));
                at = quote + 1;
            }
            assert_eq!(found, quotes_of(&bytes), "{bytes:?}");
        }
    }
}
