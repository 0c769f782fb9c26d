//! From memory to JSON: what a host passes.

use huddle_core::model::Json;

use super::passed;
use super::shape::{Field, Function, Kind, Shape};

/// Takes the parameters of a function, an object with one field for each that was given.
pub(super) fn params(function: &Function, passed: &[u64]) -> Json {
    let mut passed = passed.iter().copied();
    let params = function.params.shape();
    if function.spilled {
        let mut taken = memory(number(&mut passed), 1, params);
        return taken.pop().unwrap_or_default();
    }
    flat(params, &mut passed)
}

/// Takes a value that is passed as numbers, one for each of its parts.
fn flat(shape: &Shape, passed: &mut dyn Iterator<Item = u64>) -> Json {
    match shape.kind {
        Kind::Text => text(passed),
        Kind::List(one) => list(passed, one.shape()),
        Kind::Option(some) => {
            let is_some = number(passed) != 0;
            // What is not there is passed as zeros.
            let value = flat(some.shape(), passed);
            if is_some { value } else { Json::Null }
        }
        Kind::Record(fields) => {
            fields.all().iter().map(|field| named(field, flat(field.shape.shape(), passed))).collect()
        }
        simple => told(simple, number(passed)),
    }
}

/// Takes a value from where it lies.
fn lying(shape: &Shape, bytes: &[u8]) -> Json {
    match shape.kind {
        Kind::Text => text(&mut pair(bytes)),
        Kind::List(one) => list(&mut pair(bytes), one.shape()),
        Kind::Option(_) if bytes[0] == 0 => Json::Null,
        Kind::Option(some) => lying(some.shape(), &bytes[shape.align()..]),
        Kind::Record(fields) => {
            fields.all().iter().map(|field| named(field, lying(field.shape.shape(), &bytes[field.at()..]))).collect()
        }
        simple => told(simple, word(&bytes[..shape.size()])),
    }
}

/// Gives the value that a number stands for.
fn told(kind: Kind, number: u64) -> Json {
    match kind {
        Kind::Bool => Json::Bool(number != 0),
        Kind::Enum(words) => words.all().get(number as usize).map_or(Json::Null, |word| Json::from(word.name.text())),
        _ => number.into(),
    }
}

fn named(field: &Field, value: Json) -> (String, Json) {
    (field.name.text().to_owned(), value)
}

fn number(passed: &mut dyn Iterator<Item = u64>) -> u64 {
    passed.next().unwrap_or_default()
}

/// Reads a number, the lowest byte first.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Reads where something lies and how long it is.
fn pair(bytes: &[u8]) -> impl Iterator<Item = u64> {
    [word(&bytes[..4]), word(&bytes[4..8])].into_iter()
}

fn text(passed: &mut dyn Iterator<Item = u64>) -> Json {
    let (place, length) = (number(passed) as u32, number(passed) as usize);
    let bytes = if length == 0 { None } else { passed::take(place) };
    let bytes = bytes.map_or_else(Vec::new, |block| block.into_bytes(length));
    // A host that does not pass UTF-8 breaks the canonical ABI; what can be read of it is taken.
    Json::String(String::from_utf8(bytes).unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned()))
}

fn list(passed: &mut dyn Iterator<Item = u64>, one: &Shape) -> Json {
    let (place, count) = (number(passed), number(passed) as usize);
    Json::Array(memory(place, count, one))
}

/// Takes some values that lie one after the other.
fn memory(place: u64, count: usize, one: &Shape) -> Vec<Json> {
    let block = if count == 0 { None } else { passed::take(place as u32) };
    let values = block.iter().flat_map(|block| block.bytes().chunks_exact(one.size().max(1)).take(count));
    values.map(|bytes| lying(one, bytes)).collect()
}

#[cfg(all(test, not(feature = "tools")))]
mod tests {
    use serde_json::json;

    use super::super::shape::FUNCTIONS;
    use super::*;

    fn pair_of(place: u32, length: usize) -> [u64; 2] {
        [place.into(), length as u64]
    }

    fn passed_text(text: &str) -> [u64; 2] {
        pair_of(passed::passed(1, text.as_bytes()), text.len())
    }

    fn lifted(name: &str, passed: &[u64]) -> Json {
        params(FUNCTIONS.iter().find(|function| function.name.text() == name).expect(name), passed)
    }

    #[test]
    fn texts_and_lists_are_read_where_the_host_has_put_them() {
        let events = ["built", "größer", ""].map(|event| if event.is_empty() { [1, 0] } else { passed_text(event) });
        let bytes: Vec<u8> = events.as_flattened().iter().flat_map(|word| (*word as u32).to_le_bytes()).collect();
        let list = pair_of(passed::passed(4, &bytes), events.len());
        let given = [passed_text("ann"), list].concat();
        assert_eq!(lifted("subscribe", &given), json!({"agent": "ann", "events": ["built", "größer", ""]}));
        // All of it has been taken.
        assert_eq!(lifted("subscribe", &given), json!({"agent": "", "events": []}));
    }

    #[test]
    fn what_was_left_out_is_null() {
        let given = [&passed_text("ann")[..], &passed_text("m-1"), &[0, 0]].concat();
        assert_eq!(lifted("read-message", &given), json!({"agent": "ann", "message-id": "m-1", "peek": null}));
        let given = [&passed_text("ann")[..], &passed_text("m-1"), &[1, 1]].concat();
        assert_eq!(lifted("read-message", &given)["peek"], json!(true));
    }

    #[test]
    fn addresses_and_lengths_that_are_wrong_lead_to_nothing() {
        let place = passed::passed(1, b"ann");
        for (agent, expected) in [(pair_of(place, 1 << 30), "ann"), (pair_of(place, 3), ""), (pair_of(12345, 7), "")] {
            let given = [agent, pair_of(99, usize::MAX)].concat();
            assert_eq!(lifted("subscribe", &given), json!({"agent": expected, "events": []}));
        }
    }
}
