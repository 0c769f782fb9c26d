//! What types look like in memory, and which functions there are: tables that `build.rs` makes of `wit/`.
//!
//! Types and names are numbers here, which keeps the tables at a third of what pointers would need.

/// A type by its number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Type(u16);

/// A name by where it stands among all of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    start: u16,
    length: u8,
}

/// Some fields that follow each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    first: u16,
    count: u8,
}

/// How much room a type takes, and what it is made of.
///
/// What follows the tag of an option, a result or a variant begins at the type's alignment.
#[derive(Debug)]
pub(super) struct Shape {
    size: u16,
    align: u8,
    pub(super) kind: Kind,
}

/// What a type is made of.
#[cfg_attr(feature = "tools", expect(dead_code, reason = "the world of tools has few types"))]
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Bool,
    U32,
    U64,
    Text,
    /// JSON as text, which a text in quotes is, too. Only what is given is known to be that.
    Json,
    Option(Type),
    List(Type),
    Record(Fields),
    Tuple(Fields),
    Enum(Fields),
    Variant(Fields),
    Result(Type, Type),
    Handle,
}

/// A field of a record, a parameter, a word of an enum, or a case of a variant.
#[derive(Debug)]
pub(super) struct Field {
    /// What it is called in JSON, or by the command.
    pub(super) name: Name,
    /// Where it begins in its record.
    at: u16,
    pub(super) shape: Type,
}

/// A function.
#[derive(Debug)]
pub(super) struct Function {
    /// What it is called, without its interface; of a method, `resource.method`.
    pub(super) name: Name,
    /// Whether its parameters are too many to be passed otherwise than in memory.
    pub(super) spilled: bool,
    /// Its parameters, as one record.
    pub(super) params: Type,
    pub(super) result: Type,
}

impl Type {
    pub(super) fn shape(self) -> &'static Shape {
        &SHAPES[usize::from(self.0)]
    }
}

impl Name {
    pub(super) fn text(self) -> &'static str {
        let start = usize::from(self.start);
        &NAMES[start..start + usize::from(self.length)]
    }
}

impl Fields {
    pub(super) fn all(self) -> &'static [Field] {
        let first = usize::from(self.first);
        &FIELDS[first..first + usize::from(self.count)]
    }
}

impl Shape {
    pub(super) fn size(&self) -> usize {
        usize::from(self.size)
    }

    pub(super) fn align(&self) -> usize {
        usize::from(self.align)
    }
}

impl Field {
    pub(super) fn at(&self) -> usize {
        usize::from(self.at)
    }
}

#[allow(unsafe_code, reason = "a host makes a handle of what it is to hold on to")]
mod tables {
    use super::{Field, Fields, Function, Kind, Name, Shape, Type};

    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}

pub(super) use tables::FUNCTIONS;
#[cfg(all(target_arch = "wasm32", not(test), not(feature = "tools")))]
pub(super) use tables::new_handle;
use tables::{FIELDS, NAMES, SHAPES};
