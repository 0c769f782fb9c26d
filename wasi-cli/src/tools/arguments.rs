//! From the arguments of a call to a request.

use std::fmt;

use huddle_api::Request;
use huddle_core::model::{Json, JsonMap};
use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, Deserializer, Error, IntoDeserializer, Visitor};

/// Makes a request of arguments that fit the tool's parameters.
pub(crate) type Parse = fn(JsonMap) -> Result<Request, Fault>;

/// Deserializes a request.
pub(crate) fn request<R: DeserializeOwned + Into<Request>>(arguments: JsonMap) -> Result<Request, Fault> {
    let arguments = arguments.into_iter().map(|(name, value)| (name.clone(), Argument { name, value }));
    Ok(R::deserialize(MapDeserializer::new(arguments))?.into())
}

/// Why arguments make no request.
#[derive(Debug)]
pub(crate) enum Fault {
    /// An argument is missing.
    Missing(&'static str),
    /// An argument does not belong there.
    Unknown(String),
    /// Something else is wrong.
    Other(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "{name:?} is missing"),
            Self::Unknown(name) => write!(f, "{name:?} does not belong here"),
            Self::Other(message) => f.pad(message),
        }
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        Self::Unknown(field.to_owned())
    }
}

/// One argument, whose faults name it.
struct Argument {
    name: String,
    value: Json,
}

impl<'de> IntoDeserializer<'de, Fault> for Argument {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Passes everything on to the value, which knows what it is.
macro_rules! pass_on {
    ($($method:ident($($given:ident: $kind:ty),*);)+) => {$(
        fn $method<V: Visitor<'de>>(self, $($given: $kind,)* visitor: V) -> Result<V::Value, Fault> {
            self.value.$method($($given,)* visitor).map_err(|error| Fault::Other(format!("{:?}: {error}", self.name)))
        }
    )+};
}

impl<'de> Deserializer<'de> for Argument {
    type Error = Fault;

    pass_on! {
        deserialize_any();
        deserialize_option();
        deserialize_newtype_struct(name: &'static str);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}
