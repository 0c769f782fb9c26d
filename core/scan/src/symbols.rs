//! Names that come again and again, each kept once and known by a number.

/// A text that is kept in [`Symbols`]. Numbers are given in the order in which texts first came up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Symbol(u32);

impl Symbol {
    /// The empty text, which stands for "not said".
    pub const NONE: Self = Self(0);

    /// Returns whether nothing was said.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns the symbol, if anything was said.
    pub fn some(self) -> Option<Self> {
        (self.0 != 0).then_some(self)
    }

    /// Returns its number, for tables that have an entry for each symbol.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All texts that came up.
#[derive(Debug, Clone)]
pub struct Symbols {
    /// Every text, one after the other.
    text: String,
    /// Where each text begins, and where the last one ends.
    bounds: Vec<usize>,
    /// A hash table, whose size is a power of two.
    slots: Vec<Slot>,
}

/// A place in the hash table. The hash stands beside the number, so that other texts are nearly never looked at.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    hash: u32,
    /// The number of a symbol plus one; zero is free.
    taken: u32,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Self { text: String::new(), bounds: vec![0], slots: vec![Slot::default(); 64] };
        symbols.intern("");
        symbols
    }
}

impl Symbols {
    /// Returns the symbol of a text, which is kept if it is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        let hash = hash(text.as_bytes());
        match self.look_up(text.as_bytes(), hash) {
            Ok(symbol) => symbol,
            Err(slot) => self.add(text, hash, slot),
        }
    }

    /// Returns the symbol of a text in bytes; bytes that are no text are none.
    pub fn intern_bytes(&mut self, bytes: &[u8]) -> Symbol {
        let hash = hash(bytes);
        match self.look_up(bytes, hash) {
            Ok(symbol) => symbol,
            Err(slot) => std::str::from_utf8(bytes).map_or(Symbol::NONE, |text| self.add(text, hash, slot)),
        }
    }

    /// Returns the symbol of a text if it is kept.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.look_up(text.as_bytes(), hash(text.as_bytes())).ok()
    }

    /// Returns the text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        let place = symbol.index();
        &self.text[self.bounds[place]..self.bounds[place + 1]]
    }

    /// Counts the symbols, the empty one included.
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Returns whether nothing but the empty text is kept.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// Iterates over all symbols.
    pub fn all(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.len() as u32).map(Symbol)
    }

    fn look_up(&self, bytes: &[u8], hash: u32) -> Result<Symbol, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let Slot { hash: other, taken } = self.slots[slot];
            if taken == 0 {
                return Err(slot);
            }
            if other == hash {
                let place = taken as usize - 1;
                if same(&self.text.as_bytes()[self.bounds[place]..self.bounds[place + 1]], bytes) {
                    return Ok(Symbol(taken - 1));
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    fn add(&mut self, text: &str, hash: u32, slot: usize) -> Symbol {
        self.text.push_str(text);
        self.bounds.push(self.text.len());
        let taken = self.len() as u32;
        self.slots[slot] = Slot { hash, taken };
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        Symbol(taken - 1)
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let slots = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        for taken in slots.into_iter().filter(|slot| slot.taken != 0) {
            let mut slot = taken.hash as usize & (size - 1);
            while self.slots[slot].taken != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = taken;
        }
    }
}

/// Compares eight bytes at a time: what compares texts in WebAssembly otherwise goes byte by byte.
#[inline]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // What is left over is compared together with what stands before it.
    match a.len() {
        8.. => {
            let (words, others) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
            a.last_chunk::<8>() == b.last_chunk::<8>() && words.iter().zip(others).all(|(a, b)| a == b)
        }
        4.. => a.first_chunk::<4>() == b.first_chunk::<4>() && a.last_chunk::<4>() == b.last_chunk::<4>(),
        _ => a.first() == b.first() && a.last() == b.last() && a.get(1) == b.get(1),
    }
}

/// Mixes eight bytes at a time. Whoever writes a log could make texts collide, and would only make their own page slow.
fn hash(bytes: &[u8]) -> u32 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(ODD);
    let mut hash = (bytes.len() as u64).wrapping_mul(ODD);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hash = mix(hash, u64::from_le_bytes(*word));
    }
    if !rest.is_empty() {
        // What is left over is taken together with what stands before it, as far as there is any.
        let last = match (bytes.last_chunk::<8>(), bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(last), ..) => u64::from_le_bytes(*last),
            (_, Some(first), Some(last)) => {
                u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
            }
            _ => rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte)),
        };
        hash = mix(hash, last);
    }
    (hash ^ hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_once_and_comes_back() {
        let mut symbols = Symbols::default();
        let words: Vec<String> = (0..1000).map(|number| format!("agent-{number}")).collect();
        let first: Vec<Symbol> = words.iter().map(|word| symbols.intern(word)).collect();
        let again: Vec<Symbol> = words.iter().map(|word| symbols.intern_bytes(word.as_bytes())).collect();
        assert_eq!(first, again);
        assert!(first.iter().zip(&words).all(|(symbol, word)| symbols.text(*symbol) == word));
        assert!(first.is_sorted(), "numbers follow the order of coming up");
        assert_eq!(symbols.find("agent-7"), Some(first[7]));
        assert_eq!(symbols.find("nobody"), None);
    }

    #[test]
    fn texts_of_any_length_are_told_apart() {
        let text: String = ('a'..='z').cycle().take(40).collect();
        for length in 0..text.len() {
            let whole = &text.as_bytes()[..length];
            let copy = whole.to_vec();
            assert!(same(whole, &copy));
            for place in 0..length {
                let mut other = whole.to_vec();
                other[place] ^= 1;
                assert!(!same(whole, &other), "{length}, {place}");
            }
        }
    }

    #[test]
    fn empty_text_is_the_none_symbol() {
        let mut symbols = Symbols::default();
        assert_eq!((symbols.intern(""), symbols.text(Symbol::NONE)), (Symbol::NONE, ""));
        assert_eq!(symbols.intern_bytes(b"\xff"), Symbol::NONE);
        assert!(symbols.is_empty());
    }
}
