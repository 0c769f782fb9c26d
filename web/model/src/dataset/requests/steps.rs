//! Where things stand in lists, and what could stand in a query.

use huddle_core::history::query::{Completion, Query, QueryField};
use huddle_core::history::timeline::Class;

use crate::dataset::Dataset;
use crate::protocol::{Goal, List, Response};

/// How many choices are offered.
const MOST_CHOICES: usize = 12;
/// How many are put in order at a time.
const MANY: usize = 500;

impl Dataset {
    pub(super) fn find_row(&mut self, list: List, key: &str) -> Response {
        let order = self.order(list);
        let found = self.position(key).and_then(|position| order.index(position));
        Response::Index(found.map(|index| (index, key.to_owned())))
    }

    pub(super) fn step(&mut self, list: List, from: Option<u32>, to: Goal, back: bool) -> Response {
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
        Response::Index(found.map(|(index, position)| (index, self.key(position))))
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
