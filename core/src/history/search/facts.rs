//! What a query asks of a row.

use std::cell::OnceCell;

use huddle_scan::{Flags, Row, Symbol, Symbols, Value, texts_and_keys_in, unescape};

use crate::history::formats::{TurnFlags, Usage};
use crate::history::query::{Facts, State};
use crate::history::recipients::EVERYBODY;
use crate::history::snapshot::time;
use crate::history::{DeliveryRow, ToolCall, Transcript, TurnRow};
use crate::model::Timestamp;

/// Shows a row's JSON, and says what came of that.
pub(super) type ShowJson<'a> = dyn Fn(&mut dyn FnMut(&[u8]) -> bool) -> bool + 'a;

/// What is known of a row when a query asks.
pub(super) struct RowFacts<'a> {
    /// The row, which is put together when something but its texts is asked for.
    pub(super) make: &'a dyn Fn() -> Row,
    pub(super) row: OnceCell<Row>,
    pub(super) symbols: &'a Symbols,
    pub(super) file: &'a str,
    /// Shows the row's JSON.
    pub(super) look: &'a ShowJson<'a>,
    pub(super) states: &'a dyn Fn(State) -> bool,
    /// What became of each recipient's copy, if that was derived.
    pub(super) deliveries: Option<&'a [DeliveryRow]>,
    /// The turn that the row is, with its transcript.
    pub(super) turn: Option<(&'a Transcript, &'a TurnRow)>,
}

impl RowFacts<'_> {
    fn row(&self) -> &Row {
        self.row.get_or_init(self.make)
    }

    fn text(&self, column: fn(&Row) -> Symbol) -> &str {
        self.symbols.text(column(self.row()))
    }

    /// Iterates over the calls of the row, and over those that it has the results of.
    fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        let calls = self.turn.map(|(transcript, turn)| {
            transcript.calls_of(turn.row).iter().chain(transcript.calls_answered_by(turn.row))
        });
        calls.into_iter().flatten()
    }
}

impl Facts for RowFacts<'_> {
    fn from(&self) -> &str {
        // Nobody said what is noise; the row only names the agent that it stands with.
        if self.row().flags.contains(Flags::NOISE) { "" } else { self.text(|row| row.from) }
    }
    fn to(&self) -> &str {
        self.text(|row| row.to)
    }
    fn kind(&self) -> &str {
        self.text(|row| row.kind)
    }
    fn severity(&self) -> &str {
        self.text(|row| row.severity)
    }
    fn thread(&self) -> &str {
        self.text(|row| row.thread)
    }
    fn priority(&self) -> &str {
        self.text(|row| row.priority)
    }
    fn file(&self) -> &str {
        self.file
    }
    fn time(&self) -> Option<Timestamp> {
        time(self.row().time)
    }
    fn is(&self, state: State) -> bool {
        match state {
            State::Damaged | State::Recovered => self.row().flags.contains(Flags::RECOVERED),
            State::Error => {
                self.turn.is_some_and(|(_, turn)| turn.flags.contains(TurnFlags::ERROR))
                    || (self.calls().any(|call| call.is_error))
            }
            state => (self.states)(state),
        }
    }
    fn any_recipient(&self, test: &mut dyn FnMut(&str) -> bool) -> Option<bool> {
        let deliveries = self.deliveries?;
        let to = self.to();
        // What is for everybody or nobody is found by those words. What is for those who listen has no recipients.
        let whole = to.is_empty() || to == EVERYBODY;
        Some(whole && test(to) || deliveries.iter().any(|delivery| test(self.symbols.text(delivery.recipient))))
    }
    fn is_for(&self, state: State, test: &mut dyn FnMut(&str) -> bool) -> bool {
        let Some(deliveries) = self.deliveries else { return self.is(state) };
        deliveries.iter().any(|delivery| {
            let is_so = match state {
                State::Unread => delivery.unread,
                State::Unanswered => delivery.unanswered,
                State::Overdue => delivery.overdue,
                _ => false,
            };
            is_so && test(self.symbols.text(delivery.recipient))
        })
    }
    fn role(&self) -> &str {
        self.turn.map_or("", |(_, turn)| turn.role.as_str())
    }
    fn model(&self) -> &str {
        self.turn.map_or("", |(_, turn)| self.symbols.text(turn.model))
    }
    fn tokens(&self) -> u64 {
        self.turn.and_then(|(transcript, turn)| transcript.usage(turn)).map_or(0, Usage::total)
    }
    fn any_tool(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.calls().any(|call| look(self.symbols.text(call.name)))
    }
    fn any_touched_file(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.calls().any(|call| !call.file.is_none() && look(self.symbols.text(call.file)))
    }
    fn has_artifact(&self) -> bool {
        !self.row().artifact.is_none()
    }
    fn any_text(&self, look: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        (self.look)(&mut |record| {
            texts_and_keys_in(record, &mut |text| match text {
                Value::Plain(plain) => look(plain),
                Value::Escaped(escaped) => look(unescape(escaped).as_bytes()),
                Value::Word(_) | Value::Nested(_) => false,
            })
        })
    }
}
