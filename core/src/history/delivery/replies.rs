//! What came back for an entry, by whom and when: the same signs that the bus goes by.

use huddle_scan::Symbol;

use super::{Deliveries, DeliveryInputs, DeliveryRow};
use crate::bus::DeliveryStage;
use crate::history::{NO_POSITION, Threads, earliest, positions_by_id};
use crate::model::MessageType;

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
    let table = inputs.table;
    let acknowledgment = table.symbols.find(MessageType::ACKNOWLEDGMENT);
    // A notice of failure refers to a message without being an answer to it, even when the recipient sends it.
    let failure = table.symbols.find(MessageType::DELIVERY_FAILED);
    let ids = &mut inputs.entries.iter().map(|row| table.id()[*row as usize]);
    let by_id = positions_by_id(ids, table.symbols.len());
    for row in inputs.entries.iter().map(|row| *row as usize) {
        let (original, kind) = (table.reply_to()[row], Some(table.kind()[row]));
        if original.is_none() || kind == failure {
            continue;
        }
        let step = if kind == acknowledgment { DeliveryStage::Acked } else { DeliveryStage::Answered };
        note(found, by_id[original.index()], table.from()[row], step, table.time()[row]);
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

/// Notes what came of tasks: documents do not name what they answer, but they stay in its conversation.
pub(super) fn note_results(found: &mut Deliveries, inputs: &DeliveryInputs<'_>, threads: &Threads) {
    let table = inputs.table;
    let ends = [table.symbols.find("result"), table.symbols.find("error")];
    if inputs.task.is_none() || ends == [None, None] {
        return;
    }
    let mut results: Vec<(u32, Symbol, u32)> = Vec::new();
    for (row, position) in inputs.entries.iter().zip(0..) {
        if ends.contains(&Some(table.kind()[*row as usize])) {
            results.push((threads.of[position as usize], table.from()[*row as usize], position));
        }
    }
    results.sort();
    for delivery in &mut found.list {
        if !inputs.is_task(inputs.row(delivery.position)) {
            continue;
        }
        let task = (threads.of[delivery.position as usize], delivery.recipient, delivery.position);
        if let Some(result) = results.get(results.partition_point(|result| *result <= task))
            && (result.0, result.1) == (task.0, task.1)
        {
            advance(delivery, DeliveryStage::Answered, table.time()[inputs.row(result.2)]);
        }
    }
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
