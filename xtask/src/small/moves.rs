//! Moving a value of some words is three times as long written out as calling a function that does it; every third string
//! is moved somewhere. It is faster, too: runtimes call a function of theirs for the one instruction.

use std::collections::BTreeMap;

use anyhow::Result;
use wasmparser::{FuncType, MemArg, Operator, ValType};

use super::module::Module;

/// Lengths that are moved less often are not worth a function.
const OFTEN: usize = 6;

/// Lengths up to this one are moved word by word.
const WORDS: u32 = 64;

/// Replaces moves of a known length by calls.
pub(crate) fn call(module: &mut Module<'_>) -> Result<()> {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    for function in &module.functions {
        for length in function.code.windows(2).filter_map(length_of) {
            *counts.entry(length).or_default() += 1;
        }
    }
    let kind = FuncType::new([ValType::I32; 2], []);
    let mut movers = BTreeMap::new();
    for (length, _) in counts.into_iter().filter(|&(_, count)| count >= OFTEN) {
        movers.insert(length, module.add(&kind, Vec::new(), mover(u32::try_from(length)?))?);
    }
    // The movers themselves come last, and stay.
    let others = module.functions.len() - movers.len();
    for function in &mut module.functions[..others] {
        let mut code = Vec::with_capacity(function.code.len());
        let mut rest = function.code.as_slice();
        while let Some((first, after)) = rest.split_first() {
            let mover = rest.get(..2).and_then(length_of).and_then(|length| movers.get(&length));
            if let Some(&function_index) = mover {
                code.push(Operator::Call { function_index });
                rest = &rest[2..];
            } else {
                code.push(first.clone());
                rest = after;
            }
        }
        function.code = code;
    }
    Ok(())
}

/// Returns the length when two instructions move something of a known one.
fn length_of(pair: &[Operator<'_>]) -> Option<i32> {
    match pair {
        [Operator::I32Const { value }, Operator::MemoryCopy { dst_mem: 0, src_mem: 0 }] if *value > 0 => Some(*value),
        _ => None,
    }
}

/// Returns the code that moves so many bytes. All are read before any is written: they may overlap.
fn mover<'a>(length: u32) -> Vec<Operator<'a>> {
    let (to, from) = (Operator::LocalGet { local_index: 0 }, Operator::LocalGet { local_index: 1 });
    let mut code = Vec::new();
    if length > WORDS || !length.is_multiple_of(4) {
        let value = length.cast_signed();
        code.extend([to, from, Operator::I32Const { value }, Operator::MemoryCopy { dst_mem: 0, src_mem: 0 }]);
    } else {
        let mut stores = Vec::new();
        let place = |offset| MemArg { align: 0, max_align: 3, offset, memory: 0 };
        for word in 0..length / 8 {
            let memarg = place(u64::from(word * 8));
            code.extend([to.clone(), from.clone(), Operator::I64Load { memarg }]);
            stores.push(Operator::I64Store { memarg });
        }
        if !length.is_multiple_of(8) {
            let memarg = place(u64::from(length - 4));
            code.extend([to, from, Operator::I32Load { memarg }]);
            stores.push(Operator::I32Store { memarg });
        }
        code.extend(stores.into_iter().rev());
    }
    code.push(Operator::End);
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_a_length_that_is_often_seen_are_calls() {
        let copy = |length: u32| format!("(memory.copy (local.get 0) (local.get 1) (i32.const {length}))");
        let text = format!("(module (memory 1) (func (param i32 i32) {} {}))", copy(12).repeat(OFTEN), copy(13));
        let bytes = wat::parse_str(text).unwrap();
        let mut module = Module::read(&bytes).unwrap();
        call(&mut module).unwrap();
        assert_eq!(module.functions.len(), 2, "one length is worth a function");
        let called = |op: &&Operator<'_>| matches!(op, Operator::Call { function_index: 1 });
        assert_eq!(module.functions[0].code.iter().filter(called).count(), OFTEN);
        assert_eq!(module.functions[0].code.windows(2).filter_map(length_of).collect::<Vec<_>>(), [13]);
        assert_eq!(module.functions[1].code, mover(12));
        wasmparser::Validator::new().validate_all(&module.write().unwrap()).unwrap();
    }

    #[test]
    fn everything_is_read_before_anything_is_written() {
        for length in [4, 8, 12, 24, 48, 64] {
            let code = mover(length);
            let last_read =
                code.iter().rposition(|op| matches!(op, Operator::I64Load { .. } | Operator::I32Load { .. }));
            let first_written =
                code.iter().position(|op| matches!(op, Operator::I64Store { .. } | Operator::I32Store { .. }));
            assert!(last_read < first_written, "{length}: {code:?}");
        }
    }
}
