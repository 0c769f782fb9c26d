//! The accounting of a file's bytes.

/// The damage of a record that could be repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recovery {
    /// It stood on one line with another.
    Glued,
    /// Its line was broken in two.
    Torn,
    /// A byte-order mark stood before it.
    Bom,
    /// Its line ended as lines of other systems do.
    CrLf,
    /// Zero bytes stood in it.
    Nul,
}

impl Recovery {
    /// All of them, in the order in which an [`ByteAccounting`] counts them.
    pub const ALL: [Self; 5] = [Self::Glued, Self::Torn, Self::Bom, Self::CrLf, Self::Nul];

    /// Returns a word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Glued => "glued",
            Self::Torn => "torn",
            Self::Bom => "bom",
            Self::CrLf => "crlf",
            Self::Nul => "nul",
        }
    }
}

/// Bytes that are no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The number of its file.
    pub file: u32,
    /// The line that it is on, counted from one.
    pub line: u64,
    /// Its offset in the file.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
    /// The fault.
    pub fault: &'static str,
}

/// The accounting of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByteAccounting {
    /// How many records were found, those that had to be recovered included.
    pub records: u64,
    /// The bytes of records that were as they should be.
    pub parsed: u64,
    /// How many records were recovered, by what was wrong with them first.
    pub recoveries: [u64; Recovery::ALL.len()],
    /// The bytes of records that were recovered.
    pub recovered: u64,
    /// How many pieces were set aside.
    pub damages: u64,
    /// The bytes of those.
    pub quarantined: u64,
    /// The bytes between records: ends of lines, blanks, what holds a list together.
    pub separators: u64,
    /// The bytes that were not looked at, because nothing in them could be wanted.
    pub skipped: u64,
    /// The bytes of a last line that has no end yet and is no record yet.
    pub being_written: u64,
}

impl ByteAccounting {
    /// Adds up all bytes.
    pub const fn total(&self) -> u64 {
        self.parsed + self.recovered + self.quarantined + self.separators + self.skipped + self.being_written
    }

    /// Takes another account into this one.
    pub fn add(&mut self, other: &Self) {
        self.records += other.records;
        self.parsed += other.parsed;
        for (mine, theirs) in self.recoveries.iter_mut().zip(other.recoveries) {
            *mine += theirs;
        }
        self.recovered += other.recovered;
        self.damages += other.damages;
        self.quarantined += other.quarantined;
        self.separators += other.separators;
        self.skipped += other.skipped;
        self.being_written += other.being_written;
    }
}
