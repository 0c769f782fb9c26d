//! Where things stand in lists, and what could stand in a query.

use huddle_core::history::query::{Completion, Query, QueryField};
use huddle_core::history::timeline::Class;

use crate::dataset::Dataset;
use crate::protocol::{Goal, Key, List, Response, RowPosition};

/// How many choices are offered.
const MOST_CHOICES: usize = 12;
/// How many are put in order at a time.
const MANY: usize = 500;

impl Dataset {
    pub(super) fn find_row(&mut self, list: List, key: &str) -> Response {
        let order = self.order(list);
        let found = self.position(key).and_then(|position| order.index(position));
        Response::Index(found.map(|index| self.row_position(list, index, key.to_owned())))
    }

    fn row_position(&mut self, list: List, index: u32, key: Key) -> RowPosition {
        let hit = self.hit_rows(list).binary_search(&index).ok();
        RowPosition { index, key, hit: hit.map(|hit| hit as u32) }
    }

    /// Finds the next hit by the rows that hold any, which may be few among very many.
    fn next_hit(&mut self, list: List, from: Option<u32>, back: bool) -> Option<u32> {
        let rows = self.hit_rows(list);
        let next = match (from, back) {
            (None, false) => 0,
            (None, true) => rows.len().checked_sub(1)?,
            (Some(from), false) => rows.partition_point(|row| *row <= from),
            (Some(from), true) => rows.partition_point(|row| *row < from).checked_sub(1)?,
        };
        rows.get(next).copied()
    }

    pub(super) fn step(&mut self, list: List, from: Option<u32>, to: Goal, back: bool) -> Response {
        let order = self.order(list);
        if to == Goal::Hit {
            let found = self.next_hit(list, from, back).and_then(|row| Some((row, order.position(row)?)));
            return Response::Index(found.map(|(row, position)| self.row_position(list, row, self.key(position))));
        }
        let table = &self.history.table;
        let kind = |position: u32| table.text(table.kind()[self.history.entries[position as usize] as usize]);
        let wanted = |_: u32, position: u32| match to {
            Goal::Message | Goal::Hit => true,
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
        Response::Index(found.map(|(index, position)| self.row_position(list, index, self.key(position))))
    }

    pub(super) fn complete(&self, text: &str, cursor: u32) -> Response {
        let mut completion = Query::complete(text, cursor as usize);
        if let Some(field) = completion.field {
            // The field's own words come first.
            let own = std::mem::take(&mut completion.choices);
            self.add_values(field, &mut completion);
            completion.choices.splice(..0, own);
        }
        completion.choices.dedup();
        completion.choices.truncate(MOST_CHOICES);
        Response::Choices { start: completion.start as u32, choices: completion.choices }
    }

    /// Adds the first of the values that a field has here.
    fn add_values(&self, field: QueryField, completion: &mut Completion) {
        let table = &self.history.table;
        let column = match field {
            QueryField::From => table.from(),
            QueryField::To => table.to(),
            QueryField::Type => table.kind(),
            QueryField::Severity => table.severity(),
            QueryField::Priority => table.priority(),
            QueryField::Thread => table.thread(),
            _ => return,
        };
        let mut seen = vec![false; table.symbols.len()];
        for row in &self.history.entries {
            let symbol = column[*row as usize];
            if !std::mem::replace(&mut seen[symbol.index()], true) && !symbol.is_none() {
                completion.add(table.text(symbol));
                // There may be as many as messages: only a few of them are put in order at a time.
                if completion.choices.len() > MANY {
                    first_of(&mut completion.choices);
                }
            }
        }
        first_of(&mut completion.choices);
    }
}

/// Keeps the first choices in the order of what they mean: some are in quotes.
fn first_of(choices: &mut Vec<String>) {
    choices.sort_by(|a, b| a.trim_start_matches('"').cmp(b.trim_start_matches('"')));
    choices.truncate(MOST_CHOICES);
}
