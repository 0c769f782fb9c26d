//! Where things stand in lists, and what could stand in a query.

use huddle_core::history::query::{Field, Query};
use huddle_core::history::timeline::Class;
use huddle_core::order::sort;

use crate::protocol::{Answer, Goal, List};
use crate::worker::book::Book;

/// How many choices are offered.
const MOST_CHOICES: usize = 12;

impl Book {
    pub(super) fn find_row(&mut self, list: List, key: &str) -> Answer {
        let order = self.order(list);
        let found = self.position(key).and_then(|position| order.index(position));
        Answer::Index(found.map(|index| (index, key.to_owned())))
    }

    pub(super) fn step(&mut self, list: List, from: Option<u32>, to: Goal, back: bool) -> Answer {
        let order = self.order(list);
        let table = &self.history.table;
        let kind = |position: u32| table.text(table.kind()[self.history.entries[position as usize] as usize]);
        let wanted = |_: u32, position: u32| match to {
            Goal::Message => true,
            Goal::Hit => self.is_hit(position),
            Goal::Since(place) => position >= place,
            Goal::Error => Class::of_kind(kind(position)) == Some(Class::Error),
            // What stands alone is a conversation of its own.
            Goal::Thread => match self.derived.threads.thread_of(position) {
                Some(thread) if list.threads => self.derived.threads.members(thread).first() == Some(&position),
                Some(thread) => thread.first == position,
                None => true,
            },
        };
        let found = order.next(from, back, &wanted);
        Answer::Index(found.map(|(index, position)| (index, self.key(position))))
    }

    pub(super) fn complete(&self, text: &str, cursor: u32) -> Answer {
        let mut completion = Query::complete(text, cursor as usize);
        let names = completion.field.map(|field| self.values(field)).unwrap_or_default();
        names.iter().for_each(|name| completion.add(name));
        completion.choices.dedup();
        completion.choices.truncate(MOST_CHOICES);
        Answer::Choices { start: completion.start as u32, choices: completion.choices }
    }

    /// Lists values that a field has here.
    fn values(&self, field: Field) -> Vec<String> {
        let table = &self.history.table;
        let column = match field {
            Field::From => table.from(),
            Field::To => table.to(),
            Field::Type => table.kind(),
            Field::Severity => table.severity(),
            Field::Priority => table.priority(),
            Field::Thread => table.thread(),
            _ => return Vec::new(),
        };
        let mut seen = vec![false; table.symbols.len()];
        self.history.entries.iter().for_each(|row| seen[column[*row as usize].index()] = true);
        let mut values: Vec<String> = Vec::new();
        for row in &self.history.entries {
            let symbol = column[*row as usize];
            if std::mem::take(&mut seen[symbol.index()]) && !symbol.is_none() {
                values.push(table.text(symbol).to_owned());
            }
        }
        sort(&mut values);
        values
    }
}
