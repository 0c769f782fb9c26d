//! Makes functions of sequences, and calls in their places.

use anyhow::Result;
use wasmparser::{FuncType, Operator, ValType};

use super::alike::{self, Place};
use super::look::{self, Look};
use super::worth::{Choice, Member};
use crate::small::module::Module;

/// A module on its way.
pub(super) struct Rewriting<'a> {
    module: Module<'a>,
    /// What stands where something else stood.
    calls: Vec<(Place, Vec<Operator<'a>>)>,
}

impl<'a> Rewriting<'a> {
    pub(super) fn of(module: Module<'a>) -> Self {
        Self { module, calls: Vec::new() }
    }

    /// Makes a function and has it called.
    pub(super) fn apply(&mut self, looks: &[Look], choice: &Choice) -> Result<()> {
        let first = &choice.members[0];
        let numbers = Numbers::of(choice);
        let kinds = first.locals.iter().map(|local| looks[first.place.function].locals[*local as usize]);
        let kinds: Vec<ValType> = kinds.collect();
        let of_param = |is_param: bool| {
            kinds.iter().zip(&choice.reads).filter(move |(_, reads)| **reads == is_param).map(|(kind, _)| *kind)
        };
        let given = choice.varies.iter().filter(|varies| **varies).map(|_| ValType::I32);
        let params: Vec<ValType> = choice.shape.takes.iter().copied().chain(of_param(true)).chain(given).collect();
        let left = choice.shape.leaves.map(|number| kinds[number]);
        let kind = FuncType::new(params, choice.shape.gives.or(left));
        let code = self.body(choice, &numbers);
        let function_index = self.module.add(&kind, of_param(false).collect(), code)?;
        for member in &choice.members {
            if alike::same(first.place.of(looks), member.place.of(looks)) {
                self.calls.push((member.place, call(choice, member, function_index)));
            }
        }
        Ok(())
    }

    /// Writes what a function does that stands for these sequences.
    fn body(&self, choice: &Choice, numbers: &Numbers) -> Vec<Operator<'a>> {
        let Member { place, locals, .. } = &choice.members[0];
        let mut code: Vec<_> = (0..).take(choice.shape.takes.len()).map(get).collect();
        let mut given = numbers.given.iter();
        for operator in &self.module.functions[place.function].code[place.start..place.end] {
            let number = look::local(operator).and_then(|local| locals.iter().position(|known| *known == local));
            let local = number.map(|number| numbers.locals[number]);
            code.push(match (operator, local) {
                (Operator::LocalGet { .. }, Some(local)) => get(local),
                (Operator::LocalSet { .. }, Some(local_index)) => Operator::LocalSet { local_index },
                (Operator::LocalTee { .. }, Some(local_index)) => Operator::LocalTee { local_index },
                (Operator::I32Const { .. }, _) => given.next().copied().flatten().map_or(operator.clone(), get),
                _ => operator.clone(),
            });
        }
        code.extend(choice.shape.leaves.map(|number| get(numbers.locals[number])));
        code.push(Operator::End);
        code
    }

    /// Puts all calls in their places.
    pub(super) fn finish(mut self) -> Result<Vec<u8>> {
        // From behind, so that places stay what they are.
        self.calls.sort_by_key(|(place, _)| (place.function, std::cmp::Reverse(place.start)));
        for (place, call) in self.calls {
            self.module.functions[place.function].code.splice(place.start..place.end, call);
        }
        self.module.write()
    }
}

/// Which local of the function stands for what.
struct Numbers {
    locals: Vec<u32>,
    /// For each number of the sequence the parameter that gives it, if one does.
    given: Vec<Option<u32>>,
}

impl Numbers {
    /// Numbers what is taken from the stack first, then locals that are read, numbers that differ, and other locals.
    fn of(choice: &Choice) -> Self {
        let mut next = (0..).skip(choice.shape.takes.len());
        let mut param = |is_param: &bool| if *is_param { next.next() } else { None };
        let mut locals: Vec<Option<u32>> = choice.reads.iter().map(&mut param).collect();
        let given = choice.varies.iter().map(&mut param).collect();
        for local in &mut locals {
            *local = local.or_else(|| next.next());
        }
        Self { locals: locals.into_iter().flatten().collect(), given }
    }
}

/// Writes what stands in a sequence's place.
fn call<'a>(choice: &Choice, member: &Member, function_index: u32) -> Vec<Operator<'a>> {
    let locals = member.locals.iter().zip(&choice.reads).filter(|(_, reads)| **reads);
    let mut code: Vec<_> = locals.map(|(local, _)| get(*local)).collect();
    let numbers = member.numbers.iter().zip(&choice.varies).filter(|(_, varies)| **varies);
    code.extend(numbers.map(|(value, _)| Operator::I32Const { value: *value }));
    code.push(Operator::Call { function_index });
    code.extend(choice.shape.leaves.map(|number| Operator::LocalSet { local_index: member.locals[number] }));
    code
}

fn get<'a>(local_index: u32) -> Operator<'a> {
    Operator::LocalGet { local_index }
}
