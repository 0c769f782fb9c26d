//! What a function of sequences that look alike would take and give, and how many bytes it would save.

use std::collections::HashMap;

use wasmparser::ValType;

use super::LEAST;
use super::alike::{CALL, FUNCTION, Place, number};
use super::flow::Step;
use super::look::Look;
use crate::small::module::width;

/// How many parameters a function may have.
const PARAMS: usize = 10;

/// The bytes of an instruction that reads or writes a local, as long as there are not many.
const LOCAL: usize = 2;

/// What a sequence does to the stack, and which of its locals is read afterwards; one function does only one of these.
#[derive(Clone, PartialEq)]
pub(super) struct Shape {
    /// The types of what it takes, in order.
    pub(super) takes: Vec<ValType>,
    pub(super) gives: Option<ValType>,
    /// The local, by its number in the sequence, when it gives nothing else.
    pub(super) leaves: Option<usize>,
}

/// One sequence of those that look alike.
#[derive(Clone)]
pub(super) struct Member {
    pub(super) place: Place,
    /// Its locals, in the order of their numbers.
    pub(super) locals: Vec<u32>,
    /// Which of them have to come from before it.
    reads: Vec<bool>,
    /// The numbers that it gives.
    pub(super) numbers: Vec<i32>,
    bytes: usize,
}

/// Sequences that a function could stand for.
pub(super) struct Choice {
    pub(super) saved: usize,
    pub(super) shape: Shape,
    pub(super) members: Vec<Member>,
    /// Which locals are parameters.
    pub(super) reads: Vec<bool>,
    /// Which numbers are parameters.
    pub(super) varies: Vec<bool>,
}

/// The instructions that nobody has put into a function.
pub(super) struct Free(Vec<Vec<bool>>);

impl Free {
    pub(super) fn all(looks: &[Look]) -> Self {
        Self(looks.iter().map(|look| vec![true; look.code.len()]).collect())
    }

    /// Takes away what a choice stands for.
    pub(super) fn take(&mut self, choice: &Choice) {
        for Place { function, start, end } in choice.members.iter().map(|member| member.place) {
            self.0[function][start..end].fill(false);
        }
    }

    fn is(&self, place: Place) -> bool {
        self.0[place.function][place.start..place.end].iter().all(|free| *free)
    }
}

/// Finds the function that saves most for a group of sequences that look alike, if one saves enough.
pub(super) fn best(looks: &[Look], free: &Free, group: &[Place]) -> Option<Choice> {
    let mut shapes: Vec<(Shape, Vec<Member>)> = Vec::new();
    for place in group.iter().filter(|place| free.is(**place)) {
        let Some((shape, member)) = member(looks, *place) else { continue };
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, members)) => members.push(member),
            None => shapes.push((shape, vec![member])),
        }
    }
    let mut best: Option<Choice> = None;
    for (shape, members) in shapes {
        for members in parts(&members) {
            let Some(choice) = choice(&shape, members) else { continue };
            if best.as_ref().is_none_or(|best| best.saved < choice.saved) {
                best = Some(choice);
            }
        }
    }
    best
}

/// Tells what a sequence does to the stack and to locals, unless it is too much for a function.
fn member(looks: &[Look], place: Place) -> Option<(Shape, Member)> {
    let look = &looks[place.function];
    let (first, after) = (&look.code[place.start], &look.code[place.end]);
    let lowest = lowest(look, place);
    let taken = first.height - lowest;
    let given = after.height.checked_sub(lowest)?;
    let takes: Option<Vec<ValType>> = (0..taken).rev().map(|depth| *first.top.get(depth)?).collect();
    let (mut locals, mut numbers, mut written, mut bytes) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for seen in place.of(looks) {
        bytes += seen.bytes;
        numbers.extend(seen.number);
        if let Some(local) = seen.local {
            let number = number(&mut locals, local);
            if seen.writes {
                written.push(number);
            }
        }
    }
    let reads = locals.iter().map(|local| look.live.is(place.start, *local)).collect();
    let mut left =
        (0..locals.len()).filter(|number| written.contains(number) && look.live.is(place.end, locals[*number]));
    let leaves = left.next();
    if given + usize::from(leaves.is_some()) > 1 || left.next().is_some() {
        return None;
    }
    let gives = if given == 1 { Some(after.top[0]?) } else { None };
    Some((Shape { takes: takes?, gives, leaves }, Member { place, locals, reads, numbers, bytes }))
}

/// Returns how low the stack gets in a sequence.
fn lowest(look: &Look, place: Place) -> usize {
    let mut lowest = look.code[place.start].height;
    let mut at = place.start;
    while at < place.end {
        lowest = lowest.min(look.code[at].height.saturating_sub(look.code[at].takes));
        at = if let Step::Block(end) = look.code[at].step { end + 1 } else { at + 1 };
    }
    lowest
}

/// Returns those that have the same numbers, and all together; none of either overlap.
fn parts(members: &[Member]) -> Vec<Vec<Member>> {
    let mut same: HashMap<&[i32], Vec<&Member>> = HashMap::new();
    for member in members {
        same.entry(&member.numbers).or_default().push(member);
    }
    let mut parts: Vec<Vec<&Member>> = same.into_values().collect();
    if parts.len() > 1 {
        parts.push(members.iter().collect());
    }
    parts.sort_by_key(|part| (part[0].place.function, part[0].place.start, part.len()));
    parts.into_iter().filter(|part| part.len() > 1).map(apart).collect()
}

/// Leaves out those that overlap with the one before.
fn apart(members: Vec<&Member>) -> Vec<Member> {
    let mut apart: Vec<Member> = Vec::new();
    for member in members {
        let overlaps =
            |last: &Member| last.place.function == member.place.function && last.place.end > member.place.start;
        if !apart.last().is_some_and(overlaps) {
            apart.push(member.clone());
        }
    }
    apart
}

/// Makes a choice of these sequences, if it saves enough.
fn choice(shape: &Shape, members: Vec<Member>) -> Option<Choice> {
    let first = members.first()?;
    let reads: Vec<bool> =
        (0..first.locals.len()).map(|local| members.iter().any(|member| member.reads[local])).collect();
    let differ = |number: usize| members.iter().any(|member| member.numbers[number] != first.numbers[number]);
    let varies: Vec<bool> = (0..first.numbers.len()).map(differ).collect();
    let params = shape.takes.len() + count(&reads) + count(&varies);
    if params > PARAMS {
        return None;
    }
    let written: usize = members.iter().map(|member| member.bytes).sum();
    let calls: usize = members.iter().map(|member| call(shape, member, &reads, &varies)).sum();
    let saved = written.checked_sub(calls + body(shape, first, &reads, &varies))?;
    (saved >= LEAST).then_some(Choice { saved, shape: shape.clone(), members, reads, varies })
}

/// Counts the bytes that stand in a sequence's place.
fn call(shape: &Shape, member: &Member, reads: &[bool], varies: &[bool]) -> usize {
    let locals = member.locals.iter().zip(reads).filter(|(_, is_param)| **is_param);
    let locals: usize = locals.map(|(local, _)| if *local < 128 { LOCAL } else { LOCAL + 1 }).sum();
    CALL + locals + given(member, varies) + LOCAL * usize::from(shape.leaves.is_some())
}

/// Counts the bytes of the function.
fn body(shape: &Shape, member: &Member, reads: &[bool], varies: &[bool]) -> usize {
    let params = LOCAL * (shape.takes.len() + count(varies) + usize::from(shape.leaves.is_some()));
    let locals = LOCAL * usize::from(reads.contains(&false));
    (FUNCTION + member.bytes + params + locals).saturating_sub(given(member, varies))
}

/// Counts the bytes of the numbers that are parameters.
fn given(member: &Member, varies: &[bool]) -> usize {
    member.numbers.iter().zip(varies).filter(|(_, is_param)| **is_param).map(|(number, _)| 1 + width(*number)).sum()
}

fn count(which: &[bool]) -> usize {
    which.iter().filter(|is| **is).count()
}
