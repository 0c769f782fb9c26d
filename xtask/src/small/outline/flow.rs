//! Which instructions stand in a row: control comes in before the first and goes out after the last.

use anyhow::Result;
use wasmparser::Operator;

/// How a sequence goes on at an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// It does not: control goes elsewhere, or may.
    Stop,
    /// With the next one.
    Next,
    /// After the block that begins here and ends there; nothing in it leads out.
    Block(usize),
}

/// Tells for each instruction of a function how a sequence goes on at it.
pub(super) fn steps(code: &[Operator<'_>]) -> Result<Vec<Step>> {
    let mut steps = vec![Step::Next; code.len()];
    // Where each open block begins, and how many are open around the outermost place that it leads to.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, operator) in code.iter().enumerate() {
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => open.push((at, usize::MAX)),
            Operator::End => {
                steps[at] = Step::Stop;
                if let Some((begin, around)) = open.pop() {
                    steps[begin] = if around > open.len() { Step::Block(at) } else { Step::Stop };
                    lead(&mut open, around);
                }
            }
            Operator::Else | Operator::Unreachable => steps[at] = Step::Stop,
            _ => {
                for around in targets(operator, open.len())? {
                    steps[at] = Step::Stop;
                    lead(&mut open, around);
                }
            }
        }
    }
    Ok(steps)
}

/// Notes that the innermost block leads to where so many are open.
fn lead(open: &mut [(usize, usize)], around: usize) {
    if let Some((_, outermost)) = open.last_mut() {
        *outermost = around.min(*outermost);
    }
}

/// Returns where a branch leads, by how many blocks are open up to the one that it names.
fn targets(operator: &Operator<'_>, open: usize) -> Result<Vec<usize>> {
    let depths = branches(operator)?;
    let returns = matches!(operator, Operator::Return).then_some(0);
    Ok(depths.into_iter().map(|depth| open.saturating_sub(depth)).chain(returns).collect())
}

/// Returns the blocks that a branch may leave for, counted from the innermost.
pub(super) fn branches(operator: &Operator<'_>) -> Result<Vec<usize>> {
    Ok(match operator {
        Operator::Br { relative_depth } | Operator::BrIf { relative_depth } => vec![*relative_depth as usize],
        Operator::BrTable { targets } => {
            let others = targets.targets().map(|depth| Ok(depth? as usize)).collect::<Result<Vec<_>>>()?;
            [others, vec![targets.default() as usize]].concat()
        }
        _ => Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::module::Module;

    fn check(body: &str, expected: &[Step]) {
        let bytes = wat::parse_str(format!("(module (func (local i32) {body}))")).unwrap();
        let module = Module::read(&bytes).unwrap();
        assert_eq!(steps(&module.functions[0].code).unwrap(), expected, "{body}");
    }

    #[test]
    fn a_block_that_leads_nowhere_else_is_a_step() {
        use Step::{Block, Next, Stop};
        check("block nop end nop", &[Block(2), Next, Stop, Next, Stop]);
        check("block br 0 end", &[Block(2), Stop, Stop, Stop]);
        check("block br 1 end", &[Stop, Stop, Stop, Stop]);
        check("block return end", &[Stop, Stop, Stop, Stop]);
        check("block loop br 1 end end", &[Block(4), Stop, Stop, Stop, Stop, Stop]);
        check("block loop br 0 end end", &[Block(4), Block(3), Stop, Stop, Stop, Stop]);
        check("block block i32.const 0 br_table 0 1 2 end end", &[Stop, Stop, Next, Stop, Stop, Stop, Stop]);
        check("i32.const 0 if nop else unreachable end", &[Next, Block(5), Next, Stop, Stop, Stop, Stop]);
    }
}
