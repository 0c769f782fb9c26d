//! Finding what is not plain in a text, many bytes at a time.

/// Finds the next byte of a text that is not plain: a quote, a backslash, a control character, or part of a longer one.
#[inline]
pub(super) fn next_special(bytes: &[u8], mut at: usize) -> usize {
    while let Some(some) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        if let Some(first) = first_special(some) {
            return at + first;
        }
        at += some.len();
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..0x20 | 0x80..) {
            break;
        }
        at += 1;
    }
    at
}

/// Finds the first of sixteen bytes that is not plain.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
fn first_special(bytes: &[u8; 16]) -> Option<usize> {
    use std::arch::wasm32::{i8x16_bitmask, i8x16_eq, i8x16_lt, i8x16_splat, i64x2, v128_or};
    let (low, high) = bytes.split_at(8);
    let eight = |half: &[u8]| half.first_chunk().map_or(0, |half| i64::from_le_bytes(*half));
    let bytes = i64x2(eight(low), eight(high));
    let is = |byte| i8x16_eq(bytes, i8x16_splat(byte));
    // Bytes with a sign are below zero from 0x80 on.
    let other = i8x16_lt(bytes, i8x16_splat(0x20));
    let special = i8x16_bitmask(v128_or(v128_or(is(0x22), is(0x5c)), other));
    (special != 0).then(|| special.trailing_zeros() as usize)
}

/// Finds the first of eight bytes that is not plain.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
fn first_special(bytes: &[u8; 8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = u64::from_le_bytes(*bytes);
    let zero_in = |word: u64| word.wrapping_sub(ONES) & !word;
    let quote = zero_in(word ^ (ONES * 0x22));
    let backslash = zero_in(word ^ (ONES * 0x5c));
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let special = (quote | backslash | control | word) & HIGH;
    // The lowest is right; those above it may be mistaken.
    (special != 0).then(|| (special.trailing_zeros() / 8) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_found_at_every_place() {
        for byte in 0..=u8::MAX {
            let plain = !matches!(byte, b'"' | b'\\' | 0..0x20 | 0x80..);
            for place in 0..40 {
                let mut bytes = [b'a'; 40];
                bytes[place] = byte;
                assert_eq!(next_special(&bytes, 0), if plain { 40 } else { place }, "{byte} at {place}");
                assert_eq!(next_special(&bytes, place), if plain { 40 } else { place }, "{byte} from {place}");
            }
        }
    }
}
