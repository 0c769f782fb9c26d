//! What has to be known of every instruction before sequences of them are looked for.

use std::collections::{BTreeSet, HashMap};

use anyhow::Result;
use wasm_encoder::Encode;
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasmparser::{
    FuncValidator, FunctionBody, KnownCustom, Name, Operator, Parser, Payload, TypeRef, ValType, ValidPayload,
    Validator, WasmModuleResources,
};

use super::flow::{self, Step};
use super::live::Live;

/// How many values a sequence may take from the stack.
const TOP: usize = 6;

/// The first byte of every instruction on vectors.
const VECTORS: u8 = 0xfd;

/// One function.
pub(super) struct Look {
    /// Whether it is better left alone, as it has to be fast.
    pub(super) hot: bool,
    pub(super) code: Vec<Seen>,
    pub(super) live: Live,
    pub(super) locals: Vec<ValType>,
}

/// One instruction.
pub(super) struct Seen {
    /// Stands for all that does the same, but for which local it is about and which number it gives.
    pub(super) token: usize,
    /// How long it is.
    pub(super) bytes: usize,
    pub(super) step: Step,
    /// The local that it is about.
    pub(super) local: Option<u32>,
    /// Whether it changes it.
    pub(super) writes: bool,
    /// The number that it gives, when it is one that a parameter could be.
    pub(super) number: Option<i32>,
    /// How many values lie on the stack before it.
    pub(super) height: usize,
    /// How many of them it takes.
    pub(super) takes: usize,
    /// The types of the last of them, the very last first.
    pub(super) top: [Option<ValType>; TOP],
}

/// Looks at all functions of a module.
pub(super) fn all(bytes: &[u8], hot: &BTreeSet<usize>) -> Result<Vec<Look>> {
    let mut validator = Validator::new();
    let mut tokens = Tokens::default();
    let mut looks = Vec::new();
    for payload in Parser::new(0).parse_all(bytes) {
        if let ValidPayload::Func(function, body) = validator.payload(&payload?)? {
            let mut look = tokens.look(&mut function.into_validator(Default::default()), &body)?;
            look.hot |= hot.contains(&looks.len());
            looks.push(look);
        }
    }
    Ok(looks)
}

/// Finds the functions whose names have one of these parts.
pub(super) fn named(bytes: &[u8], parts: &[&str]) -> Result<BTreeSet<usize>> {
    let (mut imported, mut found) = (0, BTreeSet::new());
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += usize::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CustomSection(section) => {
                let KnownCustom::Name(names) = section.as_known() else { continue };
                for name in names {
                    let Name::Function(functions) = name? else { continue };
                    for function in functions {
                        let function = function?;
                        if parts.iter().any(|part| function.name.contains(part)) {
                            found.extend((function.index as usize).checked_sub(imported));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Numbers for instructions.
#[derive(Default)]
struct Tokens(HashMap<Vec<u8>, usize>);

impl Tokens {
    fn look<R: WasmModuleResources>(
        &mut self,
        validator: &mut FuncValidator<R>,
        body: &FunctionBody<'_>,
    ) -> Result<Look> {
        validator.read_locals(&mut body.get_binary_reader())?;
        let locals: Vec<ValType> =
            (0..validator.len_locals()).filter_map(|local| validator.get_local_type(local)).collect();
        let mut operators = body.get_operators_reader()?;
        let (mut code, mut seen, mut hot) = (Vec::new(), Vec::new(), false);
        while !operators.eof() {
            let (operator, offset) = operators.read_with_offset()?;
            let bytes = written(&operator)?;
            hot |= bytes[0] == VECTORS;
            seen.push(self.seen(&operator, bytes, &locals, validator));
            validator.op(offset, &operator)?;
            code.push(operator);
        }
        for (seen, step) in seen.iter_mut().zip(flow::steps(&code)?) {
            if seen.step != Step::Stop {
                seen.step = step;
            }
        }
        Ok(Look { hot, live: Live::of(&code, locals.len())?, code: seen, locals })
    }

    fn seen<R: WasmModuleResources>(
        &mut self,
        operator: &Operator<'_>,
        bytes: Vec<u8>,
        locals: &[ValType],
        validator: &FuncValidator<R>,
    ) -> Seen {
        let local = local(operator);
        let number = if let Operator::I32Const { value } = operator { Some(*value) } else { None };
        let length = bytes.len();
        let key = match local {
            // A local of another type is another instruction.
            Some(local) => [&bytes[..1], locals[local as usize].to_string().as_bytes()].concat(),
            None if number.is_some() => vec![bytes[0]],
            None => bytes,
        };
        let next = self.0.len();
        let unreached = validator.get_control_frame(0).is_none_or(|frame| frame.unreachable);
        let takes = operator.operator_arity(validator).map_or(0, |(takes, _)| takes);
        Seen {
            token: *self.0.entry(key).or_insert(next),
            bytes: length,
            step: if unreached { Step::Stop } else { Step::Next },
            local,
            writes: matches!(operator, Operator::LocalSet { .. } | Operator::LocalTee { .. }),
            number,
            height: validator.operand_stack_height() as usize,
            takes: takes as usize,
            top: std::array::from_fn(|depth| validator.get_operand_type(depth).flatten()),
        }
    }
}

/// Returns the bytes of an instruction.
fn written(operator: &Operator<'_>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    RoundtripReencoder.instruction(operator.clone())?.encode(&mut bytes);
    Ok(bytes)
}

/// Returns the local that an instruction is about.
pub(super) fn local(operator: &Operator<'_>) -> Option<u32> {
    match operator {
        Operator::LocalGet { local_index }
        | Operator::LocalSet { local_index }
        | Operator::LocalTee { local_index } => Some(*local_index),
        _ => None,
    }
}
