//! A module taken apart into its functions, and put together again.

use anyhow::Result;
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{CodeSection, Encode, Function, FunctionSection, RawSection, TypeSection, ValType};
use wasmparser::{FuncType, FunctionBody, Operator, Parser, Payload, TypeRef};

/// The section that has the types of functions.
const TYPES: u8 = 1;
/// The section that says of which type each function is.
const FUNCTIONS: u8 = 3;
/// The section that has their code.
const CODE: u8 = 10;

/// A module whose functions can be changed.
pub(crate) struct Module<'a> {
    /// Every section as it was, in order.
    sections: Vec<(u8, &'a [u8])>,
    types: Vec<FuncType>,
    imported: u32,
    /// Functions of its own, in order.
    pub(crate) functions: Vec<Code<'a>>,
}

/// One function.
pub(crate) struct Code<'a> {
    kind: u32,
    params: u32,
    locals: Vec<(u32, ValType)>,
    /// What it does.
    pub(crate) code: Vec<Operator<'a>>,
}

impl<'a> Module<'a> {
    /// Takes a module apart.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut module = Self { sections: Vec::new(), types: Vec::new(), imported: 0, functions: Vec::new() };
        let mut kinds = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            if let Some((id, range)) = payload.as_section() {
                module.sections.push((id, &bytes[range]));
            }
            match payload {
                Payload::TypeSection(types) => {
                    for kind in types.into_iter_err_on_gc_types() {
                        module.types.push(kind?);
                    }
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        module.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::FunctionSection(functions) => kinds = functions.into_iter().collect::<Result<_, _>>()?,
                Payload::CodeSectionEntry(body) => {
                    let kind = kinds[module.functions.len()];
                    let params = u32::try_from(module.types[kind as usize].params().len())?;
                    module.functions.push(Code::read(kind, params, &body)?);
                }
                _ => {}
            }
        }
        Ok(module)
    }

    /// Adds a function that has such locals beside its parameters, and returns its index.
    pub(crate) fn add(
        &mut self,
        kind: &FuncType,
        locals: Vec<wasmparser::ValType>,
        code: Vec<Operator<'a>>,
    ) -> Result<u32> {
        let params = u32::try_from(kind.params().len())?;
        let known = self.types.iter().position(|known| known == kind).unwrap_or_else(|| {
            self.types.push(kind.clone());
            self.types.len() - 1
        });
        let locals = locals.into_iter().map(|of| Ok((1, RoundtripReencoder.val_type(of)?))).collect::<Result<_>>()?;
        let index = self.imported + u32::try_from(self.functions.len())?;
        self.functions.push(Code { kind: u32::try_from(known)?, params, locals, code });
        Ok(index)
    }

    /// Puts it together.
    pub(crate) fn write(self) -> Result<Vec<u8>> {
        let mut types = TypeSection::new();
        for kind in self.types {
            types.ty().func_type(&RoundtripReencoder.func_type(kind)?);
        }
        let (mut kinds, mut code) = (FunctionSection::new(), CodeSection::new());
        for function in &self.functions {
            kinds.function(function.kind);
            code.function(&function.write()?);
        }
        let mut module = wasm_encoder::Module::new();
        for (id, data) in self.sections {
            match id {
                TYPES => module.section(&types),
                FUNCTIONS => module.section(&kinds),
                CODE => module.section(&code),
                _ => module.section(&RawSection { id, data }),
            };
        }
        Ok(module.finish())
    }
}

impl<'a> Code<'a> {
    fn read(kind: u32, params: u32, body: &FunctionBody<'a>) -> Result<Self> {
        let mut locals = Vec::new();
        for local in body.get_locals_reader()? {
            let (count, of) = local?;
            locals.push((count, RoundtripReencoder.val_type(of)?));
        }
        let code = body.get_operators_reader()?.into_iter().collect::<Result<_, _>>()?;
        Ok(Self { kind, params, locals, code })
    }

    /// Returns the index that the next local gets.
    pub(crate) fn next_local(&self) -> u32 {
        self.params + self.locals.iter().map(|(count, _)| count).sum::<u32>()
    }

    /// Adds locals that hold addresses.
    pub(crate) fn add_locals(&mut self, count: u32) {
        self.locals.push((count, ValType::I32));
    }

    fn write(&self) -> Result<Function> {
        let mut function = Function::new(self.locals.iter().copied());
        for operator in &self.code {
            function.instruction(&RoundtripReencoder.instruction(operator.clone())?);
        }
        Ok(function)
    }
}

/// Counts the bytes that a number takes in code.
pub(crate) fn width(number: i32) -> usize {
    let mut bytes = Vec::new();
    number.encode(&mut bytes);
    bytes.len()
}
