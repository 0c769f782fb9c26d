//! Counting tokens without a tokenizer's tables.
//!
//! A tokenizer cuts a text into pieces first (a word with the space before it, up to three digits, a run of signs, a line
//! break) and then looks every piece up. The cutting is done here as cl100k and o200k do it; the looking up is replaced by
//! a price that depends on what the piece looks like: a word of ordinary English letter pairs is one token, a word of
//! unusual pairs is many. The prices were fitted to be a little too high, so that a text that is estimated to be under a
//! limit is under it: `testdata/counts.txt` has what the real ones count, and a test compares.

/// The price of one token; prices are in hundredths.
const TOKEN: u64 = 100;

/// Estimates how many tokens a text is, rather too many than too few.
///
/// ```
/// use huddle_core::compress::estimate;
///
/// assert_eq!(estimate(""), 0);
/// assert_eq!(estimate("Listed five tasks"), 4);
/// ```
pub fn estimate(text: &str) -> usize {
    let (mut rest, mut total, mut after_sign) = (text, 0, false);
    while let Some(first) = rest.chars().next() {
        let (length, price) = piece(rest, first, after_sign);
        after_sign = first.is_ascii_punctuation();
        total += price;
        rest = &rest[length..];
    }
    total.div_ceil(TOKEN) as usize
}

/// Measures the piece that a text begins with: its length in bytes and its price.
fn piece(text: &str, first: char, after_sign: bool) -> (usize, u64) {
    let run = |belongs: fn(&u8) -> bool| text.bytes().take_while(belongs).count();
    if first.is_ascii_alphabetic() {
        let length = run(u8::is_ascii_alphabetic);
        (length, word(&text.as_bytes()[..length], false))
    } else if first.is_ascii_digit() {
        let length = run(u8::is_ascii_digit);
        (length, TOKEN * length.div_ceil(3) as u64)
    } else if first.is_ascii_whitespace() {
        space(text, run(u8::is_ascii_whitespace), after_sign)
    } else if first.is_ascii_punctuation() {
        let length = run(u8::is_ascii_punctuation);
        (length, signs(&text.as_bytes()[..length], text.as_bytes().get(length)))
    } else {
        (first.len_utf8(), foreign(first))
    }
}

/// Prices white space. The last blank before a word is the word's.
fn space(text: &str, length: usize, after_sign: bool) -> (usize, u64) {
    let bytes = text.as_bytes();
    let next = bytes.get(length);
    let (length, own) = match (bytes[length - 1], next) {
        (b' ', Some(next)) if next.is_ascii_alphabetic() => {
            let end = length + bytes[length..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            let own = length - 1;
            return (end, blanks(&bytes[..own], after_sign) + word(&bytes[length..end], true));
        }
        (b' ', Some(next)) if !next.is_ascii_digit() => (length, length - 1),
        _ => (length, length),
    };
    (length, blanks(&bytes[..own], after_sign))
}

/// Prices blanks and line breaks: a break, and what indents the line after it. Signs often come with their line break.
fn blanks(blanks: &[u8], after_sign: bool) -> u64 {
    let Some(last) = blanks.iter().rposition(|byte| *byte == b'\n') else {
        return if blanks.is_empty() { 0 } else { TOKEN };
    };
    let breaks = if after_sign && last == 0 { 35 } else { TOKEN };
    breaks + if last + 1 < blanks.len() { TOKEN } else { 0 }
}

/// Prices signs: those that are often together are one token, as a line of dashes is.
fn signs(signs: &[u8], next: Option<&u8>) -> u64 {
    let more = signs.len() as u64 - 1;
    let alike = signs.iter().all(|sign| *sign == signs[0]);
    let first = if next.is_some_and(u8::is_ascii_lowercase) { 60 } else { TOKEN };
    first + more * if alike { 8 } else { 35 }
}

/// Prices a word, hump by hump: `checkInbox` is two.
fn word(letters: &[u8], spaced: bool) -> u64 {
    let (mut start, mut humps, mut total) = (0, 0, 0);
    while start < letters.len() {
        let length = hump_length(&letters[start..]);
        total += hump(&letters[start..start + length], spaced && start == 0);
        start += length;
        humps += 1;
    }
    // Humps this short are no words: base64 and the like.
    if humps > 2 && humps * 3 > letters.len() { 78 * letters.len() as u64 } else { total }
}

fn hump_length(letters: &[u8]) -> usize {
    let upper = letters.iter().take_while(|letter| letter.is_ascii_uppercase()).count();
    match upper {
        0 | 1 => upper + letters[upper..].iter().take_while(|letter| letter.is_ascii_lowercase()).count(),
        // The last capital belongs to the word that follows.
        _ if upper < letters.len() => upper - 1,
        _ => upper,
    }
}

fn hump(letters: &[u8], spaced: bool) -> u64 {
    let length = letters.len() as u64;
    let rare = letters.windows(2).filter(|pair| !is_ordinary(pair[0], pair[1])).count() as u64;
    let beyond = |letters: u64| length.saturating_sub(letters);
    if length >= 3 && 2 * rare >= length {
        66 * length
    } else if length > 1 && letters.iter().all(u8::is_ascii_uppercase) {
        TOKEN + 22 * beyond(2) + 28 * rare
    } else if spaced && letters[0].is_ascii_lowercase() {
        TOKEN + 4 * beyond(5) + 12 * rare.min(2) + 60 * rare.saturating_sub(2)
    } else if spaced {
        105 + 12 * beyond(5) + 10 * rare.min(2) + 45 * rare.saturating_sub(2)
    } else {
        TOKEN + 7 * beyond(3) + 15 * rare.min(2) + 50 * rare.saturating_sub(2)
    }
}

/// The letter pairs of ordinary English: bit 1 of the first number is "ab".
const PAIRS: [u32; 26] = [
    0x13e_b94e, 0x110_4910, 0x01a_4d91, 0x014_4119, 0x0ae_b87d, 0x012_4131, 0x000_0010, 0x008_4111, 0x02e_787f,
    0x000_0000, 0x000_0010, 0x11c_4919, 0x010_c111, 0x10c_415d, 0x07e_b82c, 0x00e_c911, 0x010_0000, 0x11e_7151,
    0x11c_c191, 0x11e_c191, 0x00e_b914, 0x000_0111, 0x000_4191, 0x000_0000, 0x000_c000, 0x000_0000,
];

fn is_ordinary(a: u8, b: u8) -> bool {
    let number = |letter: u8| letter.to_ascii_lowercase() - b'a';
    PAIRS[usize::from(number(a))] >> number(b) & 1 == 1
}

/// Prices a character outside ASCII by its script: what cl100k has few words for is dear.
fn foreign(character: char) -> u64 {
    match u32::from(character) {
        0..0x80 => TOKEN,
        // An accent breaks the word it is in, and other languages' words are dear throughout.
        0x80..0x250 => 200,
        // Greek and Cyrillic.
        0x250..0x530 => 60,
        0x530..0x2000 => 100,
        // Dashes, quotes, dots.
        0x2000..0x2070 => 100,
        // Arrows, boxes, symbols.
        0x2070..0x2e80 => 150,
        // Kana and their punctuation.
        0x2e80..0x3100 => 100,
        // Han.
        0x4e00..0xa000 => 130,
        // Hangul.
        0xac00..0xd7b0 => 150,
        0x1f000.. => 300,
        _ => 200,
    }
}
