//! Names that come again and again, each kept once and known by a number.

/// A text that is kept in [`Symbols`]. Numbers are given in the order in which texts first came up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Symbol(u32);

impl Symbol {
    /// The empty text, which stands for "not said".
    pub const NONE: Self = Self(0);

    /// Says whether nothing was said.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Gives the symbol, if anything was said.
    pub fn some(self) -> Option<Self> {
        (self.0 != 0).then_some(self)
    }

    /// Gives its number, for tables that have an entry for each symbol.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All texts that came up.
#[derive(Debug, Clone)]
pub struct Symbols {
    /// Every text, one after the other.
    text: String,
    /// Where each text ends.
    ends: Vec<usize>,
    /// A hash table of symbol numbers plus one; zero is free. Its size is a power of two.
    slots: Vec<u32>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Self { text: String::new(), ends: Vec::new(), slots: vec![0; 64] };
        symbols.intern("");
        symbols
    }
}

impl Symbols {
    /// Gives the symbol of a text, which is kept if it is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        match self.look_up(text.as_bytes()) {
            Ok(symbol) => symbol,
            Err(slot) => self.add(text, slot),
        }
    }

    /// Gives the symbol of a text in bytes; bytes that are no text are none.
    pub fn intern_bytes(&mut self, bytes: &[u8]) -> Symbol {
        match self.look_up(bytes) {
            Ok(symbol) => symbol,
            Err(slot) => std::str::from_utf8(bytes).map_or(Symbol::NONE, |text| self.add(text, slot)),
        }
    }

    /// Gives the symbol of a text if it is kept.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.look_up(text.as_bytes()).ok()
    }

    /// Gives the text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        let place = symbol.index();
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.text[start..self.ends[place]]
    }

    /// Counts the symbols, the empty one included.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Says whether nothing but the empty text is kept.
    pub fn is_empty(&self) -> bool {
        self.ends.len() <= 1
    }

    /// Goes over all symbols.
    pub fn all(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.ends.len() as u32).map(Symbol)
    }

    fn look_up(&self, bytes: &[u8]) -> Result<Symbol, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(bytes) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return Err(slot),
                taken => {
                    let symbol = Symbol(taken - 1);
                    if self.text(symbol).as_bytes() == bytes {
                        return Ok(symbol);
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    fn add(&mut self, text: &str, slot: usize) -> Symbol {
        let symbol = Symbol(self.ends.len() as u32);
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.slots[slot] = symbol.0 + 1;
        if self.ends.len() * 2 > self.slots.len() {
            self.grow();
        }
        symbol
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 4;
        self.slots.clear();
        self.slots.resize(size, 0);
        for symbol in self.all() {
            let mut slot = hash(self.text(symbol).as_bytes()) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = symbol.0 + 1;
        }
    }
}

/// Mixes eight bytes at a time. Whoever writes a log could make texts collide, and would only make their own page slow.
fn hash(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut hash = (bytes.len() as u64).wrapping_mul(ODD);
    for word in words {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(ODD);
    }
    let last = rest.iter().fold(0u64, |last, byte| last << 8 | u64::from(*byte));
    hash = (hash.rotate_left(5) ^ last).wrapping_mul(ODD);
    hash ^ hash >> 32
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
    fn nothing_is_none() {
        let mut symbols = Symbols::default();
        assert_eq!((symbols.intern(""), symbols.text(Symbol::NONE)), (Symbol::NONE, ""));
        assert_eq!(symbols.intern_bytes(b"\xff"), Symbol::NONE);
        assert!(symbols.is_empty());
    }
}
