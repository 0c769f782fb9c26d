//! From JSON to memory: what a host is given.

use huddle_core::model::{Json, JsonMap};

use super::passed::Block;
use super::shape::{Field, Fields, Kind, Shape};

/// Lays out an answer, or what went wrong, and tells where.
pub(super) fn result(shape: &Shape, answer: Result<Json, Json>) -> (Vec<Block>, *const u8) {
    let mut layout = Layout(Vec::new());
    let mut block = Block::new(shape.size());
    let out = block.bytes_mut();
    match (shape.kind, answer) {
        (Kind::Result(ok, _), Ok(answer)) => layout.put(answer, ok.shape(), &mut out[shape.align()..]),
        (Kind::Result(_, err), Err(failure)) => {
            out[0] = 1;
            layout.put(failure, err.shape(), &mut out[shape.align()..]);
        }
        (_, Ok(answer) | Err(answer)) => layout.put(answer, shape, out),
    }
    let place = block.place();
    layout.0.push(block);
    (layout.0, place)
}

/// The blocks that a value has been laid out in.
struct Layout(Vec<Block>);

impl Layout {
    /// Lays a value out. What is not as the type has it becomes what is nearest to nothing: a host never sees garbage.
    fn put(&mut self, value: Json, shape: &Shape, out: &mut [u8]) {
        match shape.kind {
            Kind::Bool => out[0] = u8::from(value == Json::Bool(true)),
            Kind::U32 | Kind::U64 => {
                let bytes = value.as_u64().unwrap_or_default().to_le_bytes();
                out[..shape.size()].copy_from_slice(&bytes[..shape.size()]);
            }
            Kind::Text => self.text(value, out),
            Kind::Json => self.text(Json::String(value.to_string()), out),
            Kind::Option(_) if value.is_null() => {}
            Kind::Option(some) => {
                out[0] = 1;
                self.put(value, some.shape(), &mut out[shape.align()..]);
            }
            Kind::List(one) => self.list(value, one.shape(), out),
            Kind::Record(fields) => {
                let mut value = value;
                for field in fields.all() {
                    self.put(taken(&mut value, field), field.shape.shape(), &mut out[field.at()..]);
                }
            }
            Kind::Tuple(fields) => {
                let mut parts = items(value).into_iter();
                for field in fields.all() {
                    self.put(parts.next().unwrap_or_default(), field.shape.shape(), &mut out[field.at()..]);
                }
            }
            Kind::Enum(words) => out[0] = place_of(&value, words) as u8,
            Kind::Variant(cases) => {
                let case = place_of(&value["kind"], cases);
                out[0] = case as u8;
                self.put(value, cases.all()[case].shape.shape(), &mut out[shape.align()..]);
            }
            Kind::Handle => {
                let kept = value.as_u64().unwrap_or_default() as u32;
                #[cfg(all(target_arch = "wasm32", not(test), not(feature = "tools")))]
                let kept = super::shape::new_handle(kept);
                out[..4].copy_from_slice(&kept.to_le_bytes());
            }
            // No function gives one within another.
            Kind::Result(..) => {}
        }
    }

    /// Lays a text out; other JSON is written as text.
    fn text(&mut self, value: Json, out: &mut [u8]) {
        let text = match value {
            Json::String(text) => text,
            Json::Null => String::new(),
            other => other.to_string(),
        };
        let length = text.len();
        self.point(Block::text(text.into_bytes()), length, out);
    }

    fn list(&mut self, value: Json, one: &Shape, out: &mut [u8]) {
        let items = match (value, one.kind) {
            // A map is a list of its entries.
            (Json::Object(map), Kind::Tuple(_)) => {
                map.into_iter().map(|(key, value)| Json::Array(vec![Json::String(key), value])).collect()
            }
            (value, _) => items(value),
        };
        let mut block = Block::new(items.len() * one.size());
        let count = items.len();
        for (item, out) in items.into_iter().zip(block.bytes_mut().chunks_exact_mut(one.size())) {
            self.put(item, one, out);
        }
        self.point(block, count, out);
    }

    /// Writes where a block is and how much is in it.
    fn point(&mut self, block: Block, length: usize, out: &mut [u8]) {
        out[..4].copy_from_slice(&(block.place() as usize as u32).to_le_bytes());
        out[4..8].copy_from_slice(&(length as u32).to_le_bytes());
        self.0.push(block);
    }
}

/// Gives what is in a list. An answer that lists something has it beside its count; what is listed by name has its name.
fn items(value: Json) -> Vec<Json> {
    let mut map = match value {
        Json::Array(items) => return items,
        Json::Object(map) => map,
        _ => return Vec::new(),
    };
    if let Some(Json::Array(items)) = map.values_mut().find(|value| value.is_array()) {
        return std::mem::take(items);
    }
    let named = map.into_iter().map(|(name, mut entry)| {
        if let Some(fields) = entry.as_object_mut() {
            fields.insert("name".to_owned(), name.into());
        }
        entry
    });
    named.collect()
}

/// Takes a field, which may be spelled as sessions spell theirs.
fn taken(value: &mut Json, field: &Field) -> Json {
    let Some(map) = value.as_object_mut() else { return Json::Null };
    match map.get_mut(field.name.text()) {
        Some(found) => found.take(),
        None => taken_as_snake(map, field.name.text()),
    }
}

fn taken_as_snake(map: &mut JsonMap, name: &str) -> Json {
    if !name.contains(|letter: char| letter.is_ascii_uppercase()) {
        return Json::Null;
    }
    let mut snake = String::with_capacity(name.len() + 2);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    map.get_mut(&snake).map_or(Json::Null, Json::take)
}

/// Finds a word, however its parts are joined; the first stands for what is not known.
fn place_of(value: &Json, words: Fields) -> usize {
    let said = value.as_str().unwrap_or_default().replace('_', "-");
    words.all().iter().position(|word| word.name.text() == said).unwrap_or_default()
}
