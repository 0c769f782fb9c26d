//! What came back for an entry, by whom and when: the same signs that the bus goes by.

use huddle_scan::{Flags, NO_TIME, Symbol};

use super::{Deliveries, DeliveryInputs, DeliveryRow};
use crate::bus::DeliveryStage;
use crate::history::{CopyLocation, NO_POSITION, earliest, positions_by_id};
use crate::model::{ReplySign, Timestamp, reply_sign, thread_sign};

/// An acknowledgment that does not say which message it is of; what both are about tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ack {
    /// The entry that is acknowledged: a row number.
    pub entry: u32,
    /// Who acknowledges it.
    pub recipient: Symbol,
    /// When.
    pub time: i64,
}

/// Notes what entries say that they answer.
pub(super) fn note_replies(found: &mut Deliveries, inputs: &DeliveryInputs<'_>) {
    const MAX_REPETITIONS: usize = 16;
    let table = inputs.table;
    let ids = &mut inputs.entries.iter().map(|row| table.id()[*row as usize]);
    let by_id = positions_by_id(ids, table.symbols.len());
    let original_of = |row: usize| {
        let original = table.reply_to()[row];
        let position = if original.is_none() { NO_POSITION } else { by_id[original.index()] };
        (position != NO_POSITION).then_some(position)
    };
    // An agent that refers to its own message asks the same again.
    let repeated = |position: &u32| {
        let row = inputs.row(*position);
        let asks = inputs.asks(row);
        original_of(row).filter(|original| asks && table.from()[inputs.row(*original)] == table.from()[row])
    };
    for row in inputs.entries.iter().map(|row| *row as usize) {
        let Some(sign) = reply_sign(table.text(table.kind()[row])) else { continue };
        let originals = std::iter::successors(original_of(row), repeated).take(MAX_REPETITIONS);
        for original in originals.collect::<Vec<_>>() {
            note(found, original, table.from()[row], stage(sign), table.time()[row]);
        }
    }
}

const fn stage(sign: ReplySign) -> DeliveryStage {
    match sign {
        ReplySign::Acknowledged => DeliveryStage::Acked,
        ReplySign::Answered => DeliveryStage::Answered,
    }
}

/// Notes acknowledgments that the caller knows of.
pub(super) fn note_acks(found: &mut Deliveries, inputs: &DeliveryInputs<'_>, acks: &[Ack]) {
    if acks.is_empty() {
        return;
    }
    let mut positions = vec![NO_POSITION; inputs.table.len()];
    for (row, position) in inputs.entries.iter().zip(0..) {
        positions[*row as usize] = position;
    }
    for ack in acks {
        let position = positions.get(ack.entry as usize).copied().unwrap_or(NO_POSITION);
        note(found, position, ack.recipient, DeliveryStage::Acked, ack.time);
    }
}

/// Notes what recipients said later in the conversation of what asked them something: documents do not name what they
/// answer.
pub(super) fn note_in_threads(found: &mut Deliveries, inputs: &DeliveryInputs<'_>) {
    let table = inputs.table;
    let mut said: Vec<(Symbol, Symbol, ReplySign, u32)> = Vec::new();
    for (row, position) in inputs.entries.iter().zip(0..) {
        let row = *row as usize;
        let (thread, requires) = (table.thread()[row], table.flags()[row].contains(Flags::NEEDS_ANSWER));
        if !thread.is_none()
            && table.reply_to()[row].is_none()
            && let Some(sign) = thread_sign(table.text(table.kind()[row]), requires)
        {
            said.push((thread, table.from()[row], sign, position));
        }
    }
    said.sort();
    for delivery in &mut found.list {
        let row = inputs.row(delivery.position);
        let thread = table.thread()[row];
        if thread.is_none() || !inputs.asks(row) {
            continue;
        }
        for sign in [ReplySign::Acknowledged, ReplySign::Answered] {
            let asked = (thread, delivery.recipient, sign, delivery.position);
            let later = &said[said.partition_point(|said| *said <= asked)..];
            let mut later = later.iter().take_while(|said| (said.0, said.1, said.2) == (asked.0, asked.1, asked.2));
            let time = |position: u32| table.time()[inputs.row(position)];
            let is_reply =
                |position| inputs.is_for(position, table.from()[row]) && !is_seen_after(delivery, time(position));
            if let Some(reply) = later.find(|said| is_reply(said.3)) {
                advance(delivery, stage(sign), time(reply.3));
            }
        }
    }
}

/// Returns whether a mailbox shows that a copy was read only after a time: what was said by then crossed it.
fn is_seen_after(copy: &DeliveryRow, time: i64) -> bool {
    let is_in_mailbox = matches!(copy.place, CopyLocation::Inbox | CopyLocation::Archive);
    is_in_mailbox
        && copy.seen_at != NO_TIME
        && time != NO_TIME
        && time < Timestamp::from_micros(copy.seen_at).floor().micros()
}

/// Notes a sign from somebody, if that is one of those the entry is for.
fn note(found: &mut Deliveries, position: u32, by: Symbol, step: DeliveryStage, time: i64) {
    if position == NO_POSITION {
        return;
    }
    let range = found.range(position);
    let own = &mut found.list[range];
    let start = own.partition_point(|delivery| delivery.recipient < by);
    for delivery in own[start..].iter_mut().take_while(|delivery| delivery.recipient == by) {
        advance(delivery, step, time);
    }
}

fn advance(delivery: &mut DeliveryRow, step: DeliveryStage, time: i64) {
    let sign = if step == DeliveryStage::Acked { &mut delivery.acked_at } else { &mut delivery.answered_at };
    *sign = earliest(*sign, time);
    delivery.advance_to(step);
}
