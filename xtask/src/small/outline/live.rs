//! Which locals somebody still reads.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use wasmparser::Operator;

use super::flow::branches;

/// Locals, a bit for each.
type Set = Vec<u64>;

/// For every place in a function, the locals whose values are read from there on.
pub(super) struct Live(Vec<Set>);

impl Live {
    /// Looks at a function that has so many locals.
    pub(super) fn of(code: &[Operator<'_>], locals: usize) -> Result<Self> {
        let none = vec![0; locals.div_ceil(u64::BITS as usize)];
        let mut walk = Walk { none: none.clone(), now: none.clone(), frames: Vec::new(), loops: loops(code, &none) };
        let mut live = vec![none; code.len()];
        // What is read at the beginning of a loop is read at its end; that is known after going over it.
        loop {
            let before = walk.loops.clone();
            walk.begin();
            for (at, operator) in code.iter().enumerate().rev() {
                walk.back(at, operator)?;
                live[at].clone_from(&walk.now);
            }
            if before == walk.loops {
                return Ok(Self(live));
            }
        }
    }

    /// Tells whether a local's value at this place is read there or later.
    pub(super) fn is(&self, at: usize, local: u32) -> bool {
        self.0[at][(local / u64::BITS) as usize] & bit(local) != 0
    }
}

/// Finds the loops of a function, by the place of their end.
fn loops(code: &[Operator<'_>], none: &Set) -> BTreeMap<usize, Set> {
    let mut loops = BTreeMap::new();
    let mut open = Vec::new();
    for (at, operator) in code.iter().enumerate() {
        match operator {
            Operator::Block { .. } | Operator::If { .. } => open.push(false),
            Operator::Loop { .. } => open.push(true),
            Operator::End if open.pop() == Some(true) => _ = loops.insert(at, none.clone()),
            _ => {}
        }
    }
    loops
}

/// Going over a function from its end to its beginning.
struct Walk {
    none: Set,
    now: Set,
    frames: Vec<Frame>,
    /// What is read from the beginning of each loop on, by the place of its end.
    loops: BTreeMap<usize, Set>,
}

/// A block that is open.
struct Frame {
    end: usize,
    /// What is read where a branch to it leads.
    label: Set,
    /// What is read after it.
    after: Set,
    /// What is read when the condition does not hold: what is after it, if there is nothing for that case.
    otherwise: Set,
}

impl Walk {
    /// Goes to the end of the function, after which nothing is read.
    fn begin(&mut self) {
        self.frames.clear();
        self.now.clone_from(&self.none);
    }

    /// Goes to the place before an instruction.
    fn back(&mut self, at: usize, operator: &Operator<'_>) -> Result<()> {
        match operator {
            Operator::End => {
                let after = self.now.clone();
                let label = self.loops.get(&at).unwrap_or(&after).clone();
                self.frames.push(Frame { end: at, label, otherwise: after.clone(), after });
            }
            Operator::Else => {
                let frame = self.frames.last_mut().context("an else belongs to a block")?;
                frame.otherwise = std::mem::replace(&mut self.now, frame.after.clone());
            }
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                let frame = self.frames.pop().context("a block has an end")?;
                match operator {
                    Operator::If { .. } => add(&mut self.now, &frame.otherwise),
                    Operator::Loop { .. } => _ = self.loops.insert(frame.end, self.now.clone()),
                    _ => {}
                }
            }
            Operator::LocalGet { local_index } => self.now[(local_index / u64::BITS) as usize] |= bit(*local_index),
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                self.now[(local_index / u64::BITS) as usize] &= !bit(*local_index);
            }
            _ => self.branch(operator)?,
        }
        Ok(())
    }

    fn branch(&mut self, operator: &Operator<'_>) -> Result<()> {
        use Operator::{Br, BrTable, Return, Unreachable};
        if matches!(operator, Br { .. } | BrTable { .. } | Return | Unreachable) {
            self.now.clone_from(&self.none);
        }
        for depth in branches(operator)? {
            let frame = self.frames.iter().rev().nth(depth).context("a branch leads to a block")?;
            add(&mut self.now, &frame.label);
        }
        Ok(())
    }
}

fn bit(local: u32) -> u64 {
    1 << (local % u64::BITS)
}

fn add(to: &mut Set, from: &Set) {
    for (to, from) in to.iter_mut().zip(from) {
        *to |= from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::module::Module;

    /// Checks at which instructions the value of local 1 is read there or later.
    fn check(body: &str, expected: &[usize]) {
        let bytes = wat::parse_str(format!("(module (func (param i32) (local i32) {body}))")).unwrap();
        let module = Module::read(&bytes).unwrap();
        let code = &module.functions[0].code;
        let live = Live::of(code, 2).unwrap();
        let places: Vec<usize> = (0..code.len()).filter(|&at| live.is(at, 1)).collect();
        assert_eq!(places, expected, "{body}");
    }

    #[test]
    fn a_local_lives_until_it_is_read_for_the_last_time() {
        check("i32.const 1 local.set 1 nop local.get 1 drop", &[2, 3]);
        check("local.get 1 drop i32.const 1 local.set 1", &[0]);
        check("i32.const 1 local.tee 1 drop", &[]);
    }

    #[test]
    fn it_lives_where_a_way_leads_to_its_reading() {
        check("block local.get 0 br_if 0 unreachable end local.get 1 drop", &[0, 1, 2, 4, 5]);
        check("local.get 0 if nop else local.get 1 drop end", &[0, 1, 4]);
        check("local.get 0 if local.get 1 drop else nop end", &[0, 1, 2]);
        check("local.get 0 if i32.const 0 local.set 1 end local.get 1 drop", &[0, 1, 4, 5]);
        check("local.get 0 if return end local.get 1 drop", &[0, 1, 3, 4]);
    }

    #[test]
    fn what_a_loop_reads_first_lives_to_its_end() {
        check("loop local.get 1 drop i32.const 0 local.set 1 local.get 0 br_if 0 end", &[0, 1, 5, 6]);
        check("loop loop local.get 1 drop end local.get 0 br_if 0 end", &[0, 1, 2, 3, 4, 5, 6]);
    }
}
