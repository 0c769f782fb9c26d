//! Makes tables of the typed interface (`wit/`) for `src/component/`, and the component's exports for `src/main.rs`.
//!
//! Sizes and offsets are those of the canonical ABI, as wit-parser works them out. What the tables are for is told in
//! `src/component.rs`, what is in them in `src/component/shape.rs`.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{Function, InterfaceId, Resolve, SizeAlign, Type, TypeDefKind, TypeId, WorldId, WorldItem};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    println!("cargo::rerun-if-changed=../wit");
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let flat = env::var_os("CARGO_FEATURE_TOOLS").is_some();
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_path("../wit")?;
    let world = resolve.select_world(&[package], Some(if flat { "tools" } else { "huddle" }))?;
    let mut tables = Tables { flat, ..Tables::new(&resolve) };
    let exports = tables.world(world)?;
    fs::write(Path::new(&out).join("tables.rs"), tables.written()?)?;
    fs::write(Path::new(&out).join("exports.rs"), exports)?;
    if env::var("CARGO_CFG_TARGET_OS")? == "wasi" && env::var("CARGO_CFG_TARGET_ENV")? == "p2" {
        // The linker takes one file with one world.
        let wit = Path::new(&out).join("world.wit");
        fs::write(&wit, one_file(if flat { "world.wit" } else { "tools.wit" })?)?;
        println!("cargo::rustc-link-arg-bins=--component-type={}", wit.display());
    }
    Ok(())
}

/// Puts all files of the package into one, but for the one that has another world.
fn one_file(but: &str) -> Result<String, Failure> {
    let mut paths: Vec<_> = fs::read_dir("../wit")?.map(|entry| Ok(entry?.path())).collect::<Result<_, Failure>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "wit") && !path.ends_with(but));
    paths.sort();
    let mut whole = String::new();
    for path in paths {
        let text = fs::read_to_string(path)?;
        let (package, rest) = text.split_once('\n').ok_or("a file is empty")?;
        if whole.is_empty() {
            whole.push_str(package);
        }
        whole.push_str(rest);
    }
    Ok(whole)
}

/// What a host asks for memory to pass values in. The standard library has another for what the host returns to it.
const ALLOCATE: &str = r#"
#[unsafe(export_name = "cabi_export_realloc")]
extern "C" fn allocate(old: u32, old_size: u32, align: u32, size: u32) -> u32 {
    huddle::component::allocate(old, old_size, align, size)
}
"#;

/// What is written, a line for each entry.
struct Tables<'a> {
    resolve: &'a Resolve,
    sizes: SizeAlign,
    /// Whether this is the world of tools.
    flat: bool,
    /// All names, one after the other.
    names: String,
    /// Types by their numbers; those that look the same are one.
    shapes: Vec<String>,
    /// The fields of records, the words of enums and the cases of variants, those of one type together.
    fields: Vec<String>,
    functions: Vec<String>,
    /// What makes a handle of a resource.
    handles: String,
}

impl<'a> Tables<'a> {
    fn new(resolve: &'a Resolve) -> Self {
        let mut sizes = SizeAlign::default();
        sizes.fill(resolve);
        let (names, handles) = (String::new(), String::new());
        Self {
            resolve,
            sizes,
            flat: false,
            names,
            shapes: Vec::new(),
            fields: Vec::new(),
            functions: Vec::new(),
            handles,
        }
    }

    fn written(self) -> Result<String, Failure> {
        let mut text = self.handles;
        writeln!(text, "pub(crate) static NAMES: &str = {:?};", self.names)?;
        for (name, kind, lines) in [
            ("SHAPES", "Shape", self.shapes),
            ("FIELDS", "Field", self.fields),
            ("FUNCTIONS", "Function", self.functions),
        ] {
            writeln!(text, "pub(crate) static {name}: &[{kind}] = &[\n    {},\n];", lines.join(",\n    "))?;
        }
        Ok(text)
    }

    /// Takes in the functions of a world, and writes their exports.
    fn world(&mut self, world: WorldId) -> Result<String, Failure> {
        let mut exports = String::from(ALLOCATE);
        for item in self.resolve.worlds[world].exports.values() {
            match item {
                WorldItem::Interface { id, .. } => {
                    let interface = &self.resolve.interfaces[*id];
                    for (name, kind) in &interface.types {
                        if matches!(self.resolve.types[*kind].kind, TypeDefKind::Resource) {
                            self.resource(*id, name, &mut exports)?;
                        }
                    }
                    for function in interface.functions.values() {
                        self.function(Some(*id), function, &mut exports)?;
                    }
                }
                WorldItem::Function(function) => self.function(None, function, &mut exports)?,
                WorldItem::Type { .. } => {}
            }
        }
        Ok(exports)
    }

    fn function(&mut self, of: Option<InterfaceId>, function: &Function, exports: &mut String) -> Result<(), Failure> {
        let signature = self.resolve.wasm_signature(AbiVariant::GuestExport, function);
        let number = self.functions.len();
        let wide = |ty: &WasmType| matches!(ty, WasmType::I64 | WasmType::PointerOrI64);
        let params = signature.params.iter().enumerate();
        let taken: Vec<_> =
            params.clone().map(|(i, ty)| format!("p{i}: u{}", if wide(ty) { 64 } else { 32 })).collect();
        let passed: Vec<_> = params.map(|(i, ty)| format!("p{i}{}", if wide(ty) { "" } else { ".into()" })).collect();
        writeln!(
            exports,
            "#[unsafe(export_name = {:?})]\nextern \"C\" fn export{number}({}) -> *const u8 {{\n    \
             huddle::component::call({number}, &[{}])\n}}",
            self.export_name(of, &function.name),
            taken.join(", "),
            passed.join(", ")
        )?;
        let params: Vec<_> = function.params.iter().map(|param| (param.name.as_str(), Some(&param.ty))).collect();
        let layout = self.sizes.params(function.params.iter().map(|param| &param.ty));
        let fields = self.record(&params, true)?;
        let (size, align) = (layout.size.size_wasm32(), layout.align.align_wasm32());
        let params = self.push(format!("Shape {{ size: {size}, align: {align}, kind: Kind::Record{fields} }}"));
        let result = self.shape(function.result.as_ref().ok_or("a function gives nothing")?, false)?;
        let name = self.name(function.name.strip_prefix("[method]").unwrap_or(&function.name));
        let spilled = signature.indirect_params;
        self.functions.push(format!(
            "Function {{ name: {name}, spilled: {spilled}, params: Type({params}), result: Type({result}) }}"
        ));
        Ok(())
    }

    /// Writes what a host calls when it lets go of a resource, and what makes a handle of one.
    fn resource(&mut self, interface: InterfaceId, name: &str, exports: &mut String) -> Result<(), Failure> {
        let dtor = self.export_name(Some(interface), &format!("[dtor]{name}"));
        writeln!(
            exports,
            "#[unsafe(export_name = {dtor:?})]\nextern \"C\" fn let_go(kept: u32) {{\n    \
             huddle::component::let_go(kept);\n}}"
        )?;
        let module = format!("[export]{}", self.resolve.id_of(interface).unwrap_or_default());
        writeln!(
            self.handles,
            "#[cfg(all(target_arch = \"wasm32\", not(test)))]\n#[link(wasm_import_module = {module:?})]\n\
             unsafe extern \"C\" {{\n    #[link_name = \"[resource-new]{name}\"]\n    \
             pub(crate) safe fn new_handle(kept: u32) -> u32;\n}}"
        )?;
        Ok(())
    }

    fn export_name(&self, of: Option<InterfaceId>, name: &str) -> String {
        let interface = of.and_then(|id| self.resolve.id_of(id));
        interface.map_or_else(|| name.to_owned(), |interface| format!("{interface}#{name}"))
    }

    /// Gives the number of a type, which is taken from a host or given to it.
    fn shape(&mut self, ty: &Type, taken: bool) -> Result<usize, Failure> {
        let kind = match ty {
            Type::Bool => "Bool".to_owned(),
            Type::U32 => "U32".to_owned(),
            Type::U64 => "U64".to_owned(),
            Type::String => "Text".to_owned(),
            // A host may pass any text for it.
            Type::Id(id) if !taken && self.resolve.types[*id].name.as_deref() == Some("json") => "Json".to_owned(),
            Type::Id(id) => match self.resolve.types[*id].kind {
                TypeDefKind::Type(other) => return self.shape(&other, taken),
                _ => self.kind(*id, taken)?,
            },
            other => return Err(format!("{other:?} is not known to src/component/").into()),
        };
        let (size, align) = (self.sizes.size(ty).size_wasm32(), self.sizes.align(ty).align_wasm32());
        Ok(self.push(format!("Shape {{ size: {size}, align: {align}, kind: Kind::{kind} }}")))
    }

    fn push(&mut self, shape: String) -> usize {
        let known = self.shapes.iter().position(|known| *known == shape);
        known.unwrap_or_else(|| {
            self.shapes.push(shape);
            self.shapes.len() - 1
        })
    }

    fn kind(&mut self, id: TypeId, taken: bool) -> Result<String, Failure> {
        let resolve = self.resolve;
        Ok(match &resolve.types[id].kind {
            TypeDefKind::Record(record) => {
                let fields: Vec<_> = record.fields.iter().map(|field| (field.name.as_str(), Some(&field.ty))).collect();
                format!("Record{}", self.record(&fields, taken)?)
            }
            TypeDefKind::Tuple(tuple) => {
                let fields: Vec<_> = tuple.types.iter().map(|ty| ("", Some(ty))).collect();
                format!("Tuple{}", self.record(&fields, taken)?)
            }
            TypeDefKind::Variant(variant) => {
                let cases: Vec<_> = variant.cases.iter().map(|case| (case.name.as_str(), case.ty.as_ref())).collect();
                format!("Variant{}", self.choices(&cases, taken)?)
            }
            TypeDefKind::Enum(words) => {
                let words: Vec<_> = words.cases.iter().map(|case| (case.name.as_str(), None)).collect();
                format!("Enum{}", self.choices(&words, taken)?)
            }
            TypeDefKind::Option(some) => format!("Option(Type({}))", self.shape(some, taken)?),
            TypeDefKind::Result(result) => {
                let [ok, err] = [result.ok, result.err].map(|ty| ty.ok_or("a result says nothing"));
                format!("Result(Type({}), Type({}))", self.shape(&ok?, taken)?, self.shape(&err?, taken)?)
            }
            TypeDefKind::List(one) => format!("List(Type({}))", self.shape(one, taken)?),
            TypeDefKind::Handle(_) => "Handle".to_owned(),
            other => return Err(format!("a {} is not known to src/component/", other.as_str()).into()),
        })
    }

    /// Takes in fields, each with its offset, and gives which those are. What the command is given goes by the names of its
    /// options; answers, and what tools are given, have the names of JSON.
    fn record(&mut self, fields: &[(&str, Option<&Type>)], taken: bool) -> Result<String, Failure> {
        let offsets = self.sizes.field_offsets(fields.iter().filter_map(|(_, ty)| *ty));
        let offsets: Vec<usize> = offsets.into_iter().map(|(offset, _)| offset.size_wasm32()).collect();
        let plain = taken && !self.flat;
        let named = |name: &str| if plain { name.to_owned() } else { camel_case(name) };
        let fields: Vec<_> = fields.iter().zip(offsets).map(|((name, ty), at)| (named(name), *ty, at)).collect();
        self.group(fields, taken)
    }

    /// Takes in the words of an enum, or the cases of a variant.
    fn choices(&mut self, choices: &[(&str, Option<&Type>)], taken: bool) -> Result<String, Failure> {
        self.group(choices.iter().map(|(name, ty)| ((*name).to_owned(), *ty, 0)).collect(), taken)
    }

    fn group(&mut self, fields: Vec<(String, Option<&Type>, usize)>, taken: bool) -> Result<String, Failure> {
        let mut lines = Vec::new();
        for (name, ty, at) in fields {
            let shape = ty.map_or(Ok(0), |ty| self.shape(ty, taken))?;
            lines.push(format!("Field {{ name: {}, at: {at}, shape: Type({shape}) }}", self.name(&name)));
        }
        let same = self.fields.windows(lines.len().max(1)).position(|known| *known == *lines);
        let first = if lines.is_empty() { 0 } else { same.unwrap_or(self.fields.len()) };
        if first == self.fields.len() {
            self.fields.extend(lines.iter().cloned());
        }
        Ok(format!("(Fields {{ first: {first}, count: {} }})", lines.len()))
    }

    /// Takes in a name, and gives where it stands.
    fn name(&mut self, name: &str) -> String {
        let start = self.names.find(name).unwrap_or(self.names.len());
        if start == self.names.len() {
            self.names.push_str(name);
        }
        format!("Name {{ start: {start}, length: {} }}", name.len())
    }
}

/// Writes `thread-id` as `threadId`.
fn camel_case(name: &str) -> String {
    let mut parts = name.split('-');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |whole, part| whole + &part[..1].to_uppercase() + &part[1..])
}
