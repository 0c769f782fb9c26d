//! What records have in common, as columns.

use bitflags::bitflags;

use crate::accounting::Damage;
use crate::reader::{ScannedRecord, Sink};
use crate::symbols::{Symbol, Symbols};

/// How many rows are found before they are put into columns: they all stay near the processor.
const BATCH: usize = 128;

/// The time of what has none.
pub const NO_TIME: i64 = i64::MIN;

bitflags! {
    /// What is so of a record.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct Flags: u16 {
        /// Its sender waits for an answer.
        const NEEDS_ANSWER = 1;
        /// It says of itself that it was read.
        const READ = 1 << 1;
        /// It is for everybody.
        const BROADCAST = 1 << 2;
        /// It was said beside the main conversation, by a helper.
        const SIDECHAIN = 1 << 3;
        /// It was damaged, and could be read all the same.
        const RECOVERED = 1 << 4;
        /// It is a copy of a record that another row stands for.
        const COPY = 1 << 5;
        /// It was published as an event, for those who listen.
        const EVENT = 1 << 6;
        /// It is a copy in somebody's mailbox: the file's folder says whose.
        const DELIVERED = 1 << 7;
        /// It has none of what a record should have: no time, no author, no type.
        const ODD = 1 << 8;
    }
}

/// One record: where its bytes are, and what columns say of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The number of its file.
    pub file: u32,
    /// Its offset in the file.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u32,
    /// When it was made, in microseconds since 1970; [`NO_TIME`] when it does not say.
    pub time: i64,
    /// Until when an answer is needed; [`NO_TIME`] when it does not say.
    pub due: i64,
    /// When it was read, where it says so itself; [`NO_TIME`] otherwise.
    pub read_at: i64,
    /// Its author.
    pub from: Symbol,
    /// The recipients, joined by a comma and a space.
    pub to: Symbol,
    /// Its type.
    pub kind: Symbol,
    /// Its severity.
    pub severity: Symbol,
    /// Its priority.
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
    /// Its flags.
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
            /// Damaged parts.
            pub damages: Vec<Damage>,
            /// Rows that are not in the columns yet; none while nothing is being read.
            batch: Vec<Row>,
            $($name: Vec<$type>,)*
        }

        impl Table {
            /// Puts staged rows into the columns, one column after the other: to write to all of them for each row is slower.
            fn append_batch(&mut self) {
                $(self.$name.extend(self.batch.iter().map(|row| row.$name));)*
                self.batch.clear();
            }

            /// Reserves capacity for rows that are about to come.
            pub fn reserve(&mut self, rows: usize) {
                $(self.$name.reserve(rows);)*
            }

            /// Returns a row.
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

            /// Returns how many bytes the columns take.
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
    /// The offset of each row in its file.
    offset: u64,
    /// The length of each row in bytes.
    length: u32,
    /// When each row was made.
    time: i64,
    /// Until when each row needs an answer.
    due: i64,
    /// When each row was read, where it says so itself.
    read_at: i64,
    /// The sender of each row.
    from: Symbol,
    /// The recipients of each row.
    to: Symbol,
    /// The type of each row.
    kind: Symbol,
    /// The severity of each row.
    severity: Symbol,
    /// The priority of each row.
    priority: Symbol,
    /// The conversation of each row.
    thread: Symbol,
    /// The id of each row.
    id: Symbol,
    /// The id of the message that each row answers.
    reply_to: Symbol,
    /// The subject of each row.
    subject: Symbol,
    /// The file that each row names.
    artifact: Symbol,
    /// The flags of each row.
    flags: Flags,
}

impl Table {
    /// Adds a row and gives its number.
    pub fn push(&mut self, row: Row) -> u32 {
        self.batch.push(row);
        self.append_batch();
        (self.len() - 1) as u32
    }

    /// Counts the rows.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Lists the rows that stand for something said or done, in order of time.
    ///
    /// A record without a time goes with the one before it in its file.
    pub fn in_order(&self) -> Vec<u32> {
        let mut last = NO_TIME;
        let fits = |(time, flags): (&i64, &Flags)| {
            *time >= std::mem::replace(&mut last, *time) && !flags.contains(Flags::COPY)
        };
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
        let mut rows: Vec<u32> = all.filter(|row| !self.flags[*row as usize].contains(Flags::COPY)).collect();
        if !rows.is_sorted_by_key(|row| keys[*row as usize]) {
            rows.sort_by_key(|row| keys[*row as usize]);
        }
        rows
    }

    /// Counts how often each symbol stands in a column of some rows.
    pub fn symbol_counts(&self, column: &[Symbol], rows: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.symbols.len()];
        rows.iter().for_each(|row| counts[column[*row as usize].index()] += 1);
        counts
    }

    /// Returns the text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }
}

impl Sink for Table {
    fn record(&mut self, found: &ScannedRecord<'_>) {
        let row = found.row(&mut self.symbols);
        self.batch.push(row);
        if self.batch.len() == BATCH {
            self.append_batch();
        }
    }

    fn flush(&mut self) {
        self.append_batch();
    }

    fn damage(&mut self, damage: Damage) {
        self.damages.push(damage);
    }
}
