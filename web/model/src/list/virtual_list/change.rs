//! Another list, or another version of it, at the place where the reader is.

use super::{Anchor, Mode, VirtualListState};
use crate::list::pages::PAGE;
use crate::protocol::{Key, List, Row, Rows};

/// Where the reader belongs in a list that has changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Stay {
    /// At the beginning.
    Top,
    /// At the end.
    End,
    /// With a message, or the head above it, at a distance in pixels from the upper edge.
    With {
        /// The message.
        key: Key,
        /// Whether it is the head above the message.
        head: bool,
        /// The distance.
        offset: f64,
    },
}

/// A list on its way: a later one takes its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Change<V> {
    /// Which list.
    pub list: List,
    /// Which version of it.
    pub version: V,
    /// Where the reader belongs in it.
    pub stay: Stay,
    ticket: u32,
}

/// What became of rows of another list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Taken {
    /// A later change is on its way.
    #[default]
    OutOfDate,
    /// The list has become longer or shorter: rows around this one are to be requested.
    Elsewhere(u32),
    /// They are at hand.
    Done,
}

impl<V> Change<V> {
    /// Takes the reader to the beginning: where they were is not in this list.
    #[must_use]
    pub fn to_top(self) -> Self {
        Self { stay: Stay::Top, ..self }
    }
}

impl<V: Clone + PartialEq> VirtualListState<V> {
    /// Returns the rows that are to be seen whole, or if there is no such row, the first one.
    pub fn in_sight(&self) -> (u32, u32) {
        let position = self.window().position(self.anchor);
        let first = self.anchor.index + u32::from(self.anchor.into > 1.0);
        let below = self.heights.at(position + self.viewport.height);
        let whole = below.into >= self.heights.of(below.index) - 1.0;
        let end = (below.index + u32::from(whole)).max(first + 1).min(self.heights.rows());
        (first.min(end.saturating_sub(1)), end)
    }

    /// Begins to take another list, or another version of it; nothing if that is at hand.
    pub fn change(&mut self, list: List, version: &V, selected: Option<&Key>) -> Option<Change<V>> {
        if self.list == list && self.version.as_ref() == Some(version) {
            return None;
        }
        self.ticket += 1;
        self.is_fetching = true;
        let stay = self.stay(list, selected);
        Some(Change { list, version: version.clone(), stay, ticket: self.ticket })
    }

    /// Where the reader belongs: with the newest, if they are there; otherwise with the selected message if it is in sight, or
    /// with what they see.
    fn stay(&self, list: List, selected: Option<&Key>) -> Stay {
        let same = self.list == list;
        if self.version.is_none() || self.heights.rows() == 0 {
            return Stay::Top;
        }
        if same && self.is_following() && self.window().farthest() > 0.0 {
            return Stay::End;
        }
        let (first, end) = self.in_sight();
        let position = self.window().position(self.anchor);
        let with = |key: &Key, head: bool, row: u32| Stay::With {
            key: key.clone(),
            head,
            offset: self.heights.above(row) - position,
        };
        let at = |row: u32| match self.pages.get(row)? {
            Row::Said(line) => Some(with(&line.key, false, row)),
            // In another list, there may be no heads.
            Row::Head(head) if same => Some(with(&head.first, true, row)),
            Row::Head(_) => None,
        };
        let is_selected = |row: &u32| selected.is_some() && self.key(*row) == selected;
        if !same && let Some(row) = (first..end).find(is_selected) {
            return at(row).unwrap_or(Stay::Top);
        }
        if same && self.anchor.index == 0 && self.anchor.into < 1.0 {
            return Stay::Top;
        }
        (self.anchor.index..end).find_map(at).unwrap_or(Stay::Top)
    }

    /// Returns the first row to request around a row where the reader belongs; so many are to be requested.
    pub fn rows_around(&self, near: u32) -> (u32, u32) {
        (near.saturating_sub(PAGE) / PAGE * PAGE, 4 * PAGE)
    }

    /// Returns the row to request rows around when nothing else is known.
    pub fn near(&self, stay: &Stay) -> u32 {
        if *stay == Stay::End { self.heights.rows() } else { 0 }
    }

    /// Takes rows of another list around `near`, where the reader belongs.
    pub fn take_list(&mut self, change: &Change<V>, near: u32, rows: Rows) -> Taken {
        if self.ticket != change.ticket {
            return Taken::OutOfDate;
        }
        let (total, end) = (rows.total, rows.start + 4 * PAGE);
        if change.stay == Stay::End && total > end || rows.rows.is_empty() && total > 0 {
            return Taken::Elsewhere(total);
        }
        let is_other = self.list != change.list;
        // A row of another list, or one that has moved, may have any height.
        let is_with = matches!(change.stay, Stay::With { .. });
        if is_other || is_with && self.anchor.index.abs_diff(near) > 1 {
            self.heights.forget();
        }
        self.heights.resize(total);
        self.pages.renew(rows);
        (self.list, self.version, self.is_fetching) = (change.list, Some(change.version.clone()), false);
        (self.anchor, self.mode) = match &change.stay {
            Stay::Top => (Anchor::default(), Mode::Anchored),
            Stay::End => (self.window().end(), Mode::Following),
            Stay::With { head, offset, .. } => {
                let row = near.saturating_sub(u32::from(*head));
                // Rows of another list have other heights: the anchor alone would not keep it in sight.
                let mode = if is_other { Mode::Revealing { row, then_follow: false } } else { Mode::Anchored };
                (self.window().at(self.heights.above(row) - offset), mode)
            }
        };
        Taken::Done
    }

    /// Takes notice of the messages in sight, of so many in all; returns how many are new and were not in sight. By time the
    /// newest stands at the end: whoever is there knows all.
    pub fn look(&mut self, messages: u32) -> u32 {
        let (first, end) = self.in_sight();
        for row in first..end {
            if let Some(Row::Said(line)) = self.pages.get(row) {
                self.news.see(line.place);
            }
        }
        if self.is_following() && !self.list.threads || self.news.left(messages) == 0 {
            self.news.know(messages);
        }
        self.news.left(messages)
    }
}
