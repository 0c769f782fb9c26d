//! A function computes where its variables lie on the stack again and again, each time seven bytes. Those places that it
//! asks for more than once are computed when it begins, and kept.

use std::collections::BTreeMap;

use wasmparser::Operator;

use super::module::{Code, Module, width};

/// How far into a function its frame is looked for: it is the first thing there is.
const BEGINNING: usize = 12;

/// The bytes of an instruction that reads or writes a local, as long as there are not many.
const LOCAL: usize = 2;

/// Has all functions keep places that are worth it.
pub(crate) fn keep_places(module: &mut Module<'_>) {
    for function in &mut module.functions {
        if let Some((base, begin)) = frame(&function.code) {
            keep(function, base, begin);
        }
    }
}

/// Finds the local that holds the frame's place, when nothing ever changes it, and the instruction after which it does.
fn frame(code: &[Operator<'_>]) -> Option<(u32, usize)> {
    use Operator::{GlobalGet, GlobalSet, I32Const, I32Sub, LocalSet, LocalTee};
    let beginning = &code[..code.len().min(BEGINNING)];
    let plain = |op: &Operator<'_>| !matches!(op, Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. });
    let start = beginning.windows(5).position(|ops| {
        matches!(
            ops,
            [GlobalGet { .. }, I32Const { .. }, I32Sub, LocalTee { .. }, GlobalSet { .. }]
                | [GlobalGet { .. }, I32Const { .. }, I32Sub, LocalSet { .. }, _]
        )
    })?;
    let (base, begin) = match code[start + 3] {
        LocalTee { local_index } => (local_index, start + 5),
        LocalSet { local_index } => (local_index, start + 4),
        _ => return None,
    };
    let sets =
        |op: &&Operator<'_>| matches!(op, LocalSet { local_index } | LocalTee { local_index } if *local_index == base);
    (code[..begin].iter().all(plain) && code.iter().filter(sets).count() == 1).then_some((base, begin))
}

fn keep(function: &mut Code<'_>, base: u32, begin: usize) {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    for place in function.code[begin..].windows(3).filter_map(|ops| place(ops, base)) {
        *counts.entry(place).or_default() += 1;
    }
    let saved = |place: i32, count: usize| count * (width(place) + 4) > (width(place) + 4) + LOCAL * (count + 1);
    let worth = counts.into_iter().filter(|&(place, count)| saved(place, count));
    let kept: BTreeMap<i32, u32> = worth.map(|(place, _)| place).zip(function.next_local()..).collect();
    if kept.is_empty() {
        return;
    }
    function.add_locals(u32::try_from(kept.len()).unwrap_or(u32::MAX));
    let mut code = function.code[..begin].to_vec();
    for (&value, &local_index) in &kept {
        let base = Operator::LocalGet { local_index: base };
        code.extend([base, Operator::I32Const { value }, Operator::I32Add, Operator::LocalSet { local_index }]);
    }
    let mut rest = &function.code[begin..];
    while let Some((first, after)) = rest.split_first() {
        let local = rest.get(..3).and_then(|ops| place(ops, base)).and_then(|place| kept.get(&place));
        if let Some(&local_index) = local {
            code.push(Operator::LocalGet { local_index });
            rest = &rest[3..];
        } else {
            code.push(first.clone());
            rest = after;
        }
    }
    function.code = code;
}

/// Returns which place of the frame three instructions compute, if they do.
fn place(ops: &[Operator<'_>], base: u32) -> Option<i32> {
    match ops {
        [Operator::LocalGet { local_index }, Operator::I32Const { value }, Operator::I32Add]
            if *local_index == base =>
        {
            Some(*value)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts how often a function computes a place, before and after.
    fn check(body: &str, before: usize, after: usize) {
        let text = format!("(module (global (mut i32) (i32.const 9)) (func (param i32) (local i32) {body}))");
        let bytes = wat::parse_str(text).unwrap();
        let mut module = Module::read(&bytes).unwrap();
        let count = |module: &Module<'_>| module.functions[0].code.windows(3).filter_map(|ops| place(ops, 1)).count();
        assert_eq!(count(&module), before, "{body}");
        keep_places(&mut module);
        assert_eq!(count(&module), after, "{body}");
        wasmparser::Validator::new().validate_all(&module.write().unwrap()).unwrap();
    }

    #[test]
    fn a_place_that_is_asked_for_often_is_computed_once() {
        let begin = "(global.set 0 (local.tee 1 (i32.sub (global.get 0) (i32.const 64))))";
        let ask =
            |place: i32, times: usize| format!("(drop (i32.add (local.get 1) (i32.const {place})))").repeat(times);
        check(&format!("{begin} {} {}", ask(8, 5), ask(400, 1)), 6, 2);
        check(&format!("{begin} (block {})", ask(8, 3)), 3, 1);
        // Where the frame may move, or is not made at once, nothing is kept.
        check(&format!("{begin} {} (local.set 1 (i32.const 0))", ask(8, 5)), 5, 5);
        check(&format!("(block {begin}) {}", ask(8, 5)), 5, 5);
        check(&ask(8, 5), 5, 5);
    }
}
