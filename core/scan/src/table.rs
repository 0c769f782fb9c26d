//! What records have in common, as columns.

use crate::account::Damage;
use crate::reader::{Found, Sink};
use crate::symbols::{Symbol, Symbols};

/// How many rows are found before they are put into columns: they all stay near the processor.
const STAGED: usize = 128;

/// The time of what has none.
pub const NO_TIME: i64 = i64::MIN;

/// Something that is either so or not, of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum Flag {
    /// Its sender waits for an answer.
    NeedsAnswer = 1,
    /// It says of itself that it was read.
    Read = 2,
    /// It is for everybody.
    Broadcast = 4,
    /// It was said beside the main conversation, by a helper.
    Sidechain = 16,
    /// It was damaged, and could be read all the same.
    Recovered = 32,
    /// It is a copy of a record that another row stands for.
    Copy = 64,
    /// It was published as an event, for those who listen.
    Event = 128,
    /// It is a copy in somebody's mailbox: the file's folder says whose.
    Delivered = 256,
    /// It has none of what a record should have: no time, no author, no type.
    Odd = 512,
}

/// A set of [`Flag`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u16);

impl Flags {
    /// Says whether a flag is set.
    pub const fn has(self, flag: Flag) -> bool {
        self.0 & flag as u16 != 0
    }

    /// Sets a flag.
    pub const fn set(&mut self, flag: Flag) {
        self.0 |= flag as u16;
    }
}

/// One record: where its bytes are, and what columns say of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The number of its file.
    pub file: u32,
    /// Where in the file it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u32,
    /// When it was made, in microseconds since 1970; [`NO_TIME`] when it does not say.
    pub time: i64,
    /// Until when an answer is needed; [`NO_TIME`] when it does not say.
    pub due: i64,
    /// When it was read, where it says so itself; [`NO_TIME`] otherwise.
    pub read_at: i64,
    /// Who made it.
    pub from: Symbol,
    /// Who it is for; several names are joined by a comma and a space.
    pub to: Symbol,
    /// What kind of record it is.
    pub kind: Symbol,
    /// How much it matters.
    pub severity: Symbol,
    /// How urgent it is.
    pub priority: Symbol,
    /// The conversation it belongs to.
    pub thread: Symbol,
    /// Its id.
    pub id: Symbol,
    /// The id of the record that it answers.
    pub reply_to: Symbol,
    /// What it is about, in a line.
    pub subject: Symbol,
    /// The file that it names; several are joined by a comma and a space.
    pub artifact: Symbol,
    /// What is so of it.
    pub flags: Flags,
}

impl Default for Row {
    fn default() -> Self {
        let none = Symbol::NONE;
        Self {
            file: 0,
            offset: 0,
            length: 0,
            time: NO_TIME,
            due: NO_TIME,
            read_at: NO_TIME,
            from: none,
            to: none,
            kind: none,
            severity: none,
            priority: none,
            thread: none,
            id: none,
            reply_to: none,
            subject: none,
            artifact: none,
            flags: Flags::default(),
        }
    }
}

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// Rows as columns, in the order in which they were found.
        #[derive(Debug, Clone, Default)]
        pub struct Table {
            /// The texts of all symbols in the columns.
            pub symbols: Symbols,
            /// What was found that is no record.
            pub damages: Vec<Damage>,
            /// Rows that are not in the columns yet; none while nothing is being read.
            staged: Vec<Row>,
            $($name: Vec<$type>,)*
        }

        impl Table {
            /// Puts staged rows into the columns, one column after the other: to write to all of them for each row is slower.
            fn place(&mut self) {
                $(self.$name.extend(self.staged.iter().map(|row| row.$name));)*
                self.staged.clear();
            }

            /// Makes room for rows that are about to come.
            pub fn reserve(&mut self, rows: usize) {
                $(self.$name.reserve(rows);)*
            }

            /// Gives a row.
            ///
            /// # Panics
            /// When there is no such row.
            pub fn row(&self, number: u32) -> Row {
                let place = number as usize;
                Row { $($name: self.$name[place],)* }
            }

            /// Replaces a row.
            ///
            /// # Panics
            /// When there is no such row.
            pub fn set(&mut self, number: u32, row: Row) {
                let place = number as usize;
                $(self.$name[place] = row.$name;)*
            }

            /// Forgets all rows from a number on; symbols stay.
            pub fn truncate(&mut self, rows: u32) {
                $(self.$name.truncate(rows as usize);)*
            }

            /// Tells how many bytes the columns take.
            pub fn bytes(&self) -> usize {
                0 $(+ self.$name.capacity() * size_of::<$type>())*
            }

            $(
                $(#[$doc])*
                pub fn $name(&self) -> &[$type] {
                    &self.$name
                }
            )*
        }
    };
}

columns! {
    /// The number of each row's file.
    file: u32,
    /// Where in its file each row begins.
    offset: u64,
    /// How many bytes each row has.
    length: u32,
    /// When each row was made.
    time: i64,
    /// Until when each row needs an answer.
    due: i64,
    /// When each row was read, where it says so itself.
    read_at: i64,
    /// Who made each row.
    from: Symbol,
    /// Who each row is for.
    to: Symbol,
    /// What kind each row is.
    kind: Symbol,
    /// How much each row matters.
    severity: Symbol,
    /// How urgent each row is.
    priority: Symbol,
    /// The conversation of each row.
    thread: Symbol,
    /// The id of each row.
    id: Symbol,
    /// What each row answers.
    reply_to: Symbol,
    /// What each row is about.
    subject: Symbol,
    /// The file that each row names.
    artifact: Symbol,
    /// What is so of each row.
    flags: Flags,
}

impl Table {
    /// Adds a row and gives its number.
    pub fn push(&mut self, row: Row) -> u32 {
        self.staged.push(row);
        self.place();
        (self.len() - 1) as u32
    }

    /// Counts the rows.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Says whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Lists the rows that stand for something said or done, in order of time.
    ///
    /// A record without a time goes with the one before it in its file.
    pub fn in_order(&self) -> Vec<u32> {
        let mut last = NO_TIME;
        let fits =
            |(time, flags): (&i64, &Flags)| *time >= std::mem::replace(&mut last, *time) && !flags.has(Flag::Copy);
        let all = 0..self.len() as u32;
        // Most logs are written as time goes by.
        if self.time.iter().zip(&self.flags).all(fits) {
            return all.collect();
        }
        let mut keys = self.time.clone();
        for place in 1..keys.len() {
            if keys[place] == NO_TIME && self.file[place] == self.file[place - 1] {
                keys[place] = keys[place - 1];
            }
        }
        let mut rows: Vec<u32> = all.filter(|row| !self.flags[*row as usize].has(Flag::Copy)).collect();
        if !rows.is_sorted_by_key(|row| keys[*row as usize]) {
            rows.sort_by_key(|row| keys[*row as usize]);
        }
        rows
    }

    /// Counts how often each symbol stands in a column of some rows.
    pub fn tally(&self, column: &[Symbol], rows: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.symbols.len()];
        rows.iter().for_each(|row| counts[column[*row as usize].index()] += 1);
        counts
    }

    /// Gives the text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }
}

impl Sink for Table {
    fn record(&mut self, found: &Found<'_>) {
        let row = found.row(&mut self.symbols);
        self.staged.push(row);
        if self.staged.len() == STAGED {
            self.place();
        }
    }

    fn settle(&mut self) {
        self.place();
    }

    fn damage(&mut self, damage: Damage) {
        self.damages.push(damage);
    }
}
