//! Extended JSON: how `mongoexport` spells what JSON has no words for.

use huddle_scan::time::since_1970;

use crate::model::{Json, JsonMap, Timestamp};
use crate::wire::parse;

/// What a key with a dollar sign may be, where it stands for a type; under any other, `mongoimport` refuses the line.
const WRAPPERS: [&str; 9] =
    ["$date", "$oid", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$binary", "$timestamp", "$uuid"];

/// Writes a time.
pub(super) fn date(at: Timestamp) -> Json {
    object!({"$date": at.to_string()})
}

/// Reads a time: relaxed or canonical, as plain text, or as a number whose size tells what it counts.
pub(super) fn decode_date(value: &Json) -> Option<Timestamp> {
    match value {
        Json::String(text) => Timestamp::parse(text),
        Json::Object(map) => match wrapped(map, "$date") {
            Some(Json::String(text)) => Timestamp::parse(text),
            Some(inner) => number(inner)?.as_f64().and_then(millis),
            None => since_1970(number(value)?.as_f64()?).map(Timestamp::from_micros),
        },
        _ => since_1970(value.as_f64()?).map(Timestamp::from_micros),
    }
}

/// Takes milliseconds since 1970 for a time, if calendars have a name for it.
fn millis(millis: f64) -> Option<Timestamp> {
    const YEAR_0: f64 = -62_167_219_200e3;
    const YEAR_10000: f64 = 253_402_300_800e3;
    (YEAR_0..YEAR_10000).contains(&millis).then(|| Timestamp::from_micros((millis * 1e3) as i64))
}

/// Reads a number, plain or wrapped.
pub(super) fn number(value: &Json) -> Option<Json> {
    let Json::Object(map) = value else { return value.is_number().then(|| value.clone()) };
    let whole = wrapped(map, "$numberInt").or_else(|| wrapped(map, "$numberLong"));
    if let Some(text) = whole.and_then(Json::as_str) {
        return text.parse::<i64>().ok().map(Json::from);
    }
    double(wrapped(map, "$numberDouble").and_then(Json::as_str)?).map(Json::from)
}

/// Reads a double, which is written so that it can be read back to the last bit; serde_json may miss that by one.
fn double(text: &str) -> Option<f64> {
    let near = parse(text.as_bytes()).ok()?.as_f64()?;
    let written = |number: f64| Json::from(number).to_string();
    [near.next_up(), near.next_down()].into_iter().find(|&number| written(number) == text).or(Some(near))
}

/// Replaces wrapped numbers by plain ones, however deep.
pub(super) fn with_plain_numbers(value: Json) -> Json {
    if let Some(number) = number(&value) {
        return number;
    }
    match value {
        Json::Array(items) => items.into_iter().map(with_plain_numbers).collect(),
        Json::Object(map) => map.into_iter().map(|(key, value)| (key, with_plain_numbers(value))).collect(),
        value => value,
    }
}

/// Reads an object id, or a text in its place.
pub(super) fn object_id(value: &Json) -> Option<&str> {
    value.as_str().or_else(|| wrapped(value.as_object()?, "$oid")?.as_str())
}

/// Reads the time that an object id begins with.
pub(super) fn time_in(id: &str) -> Option<Timestamp> {
    let seconds = id.get(..8).filter(|_| id.len() == 24)?;
    u32::from_str_radix(seconds, 16).ok().map(|seconds| Timestamp::from_seconds(i64::from(seconds)))
}

/// Returns whether a value has a key with a dollar sign anywhere: to `mongoimport` it would mean something else.
pub(super) fn has_dollars(value: &Json) -> bool {
    any_key(value, &|key| key.starts_with('$'))
}

/// Returns whether `mongoimport` takes a field as it is.
pub(super) fn is_importable(key: &str, value: &Json) -> bool {
    !key.starts_with('$') && !any_key(value, &|key| key.starts_with('$') && !WRAPPERS.contains(&key))
}

fn any_key(value: &Json, is_wanted: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Json::Array(items) => items.iter().any(|item| any_key(item, is_wanted)),
        Json::Object(map) => map.iter().any(|(key, value)| is_wanted(key) || any_key(value, is_wanted)),
        _ => false,
    }
}

/// Returns what stands under the only key of an object.
fn wrapped<'a>(map: &'a JsonMap, key: &str) -> Option<&'a Json> {
    map.get(key).filter(|_| map.len() == 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn doubles_are_read_to_the_last_bit() {
        // A plain reader is wrong about some of them: that is why there is another.
        let mut missed = 0;
        for step in 0..2000_u32 {
            let exact = f64::from(step).sqrt().exp() / 3e7;
            let text = Json::from(exact).to_string();
            missed += u32::from(serde_json::from_str::<f64>(&text).unwrap().to_bits() != exact.to_bits());
            assert_eq!(double(&text).map(f64::to_bits), Some(exact.to_bits()), "{text}");
        }
        assert!(missed > 0);
        assert_eq!((double("NaN"), double("Infinity"), double("-2")), (None, None, Some(-2.0)));
    }

    #[test]
    fn times_are_read_in_all_their_spellings() {
        let check = |value: Json, shown: Option<&str>| {
            let read = decode_date(&value).map(|at| at.to_string());
            assert_eq!(read.as_deref(), shown, "{value}");
        };
        let wanted = Some("2026-01-10T11:03:20Z");
        check(json!({"$date": "2026-01-10T11:03:20Z"}), wanted);
        check(json!({"$date": {"$numberLong": "1768043000000"}}), wanted);
        check(json!({"$date": 1_768_043_000_000_i64}), wanted);
        check(json!("2026-01-10T12:03:20+01:00"), wanted);
        check(json!(1_768_043_000), wanted);
        check(json!(1_768_043_000_000_i64), wanted);
        check(json!({"$numberLong": "1768043000000"}), wanted);
        check(json!({"$date": {"$numberLong": "-1500"}}), Some("1969-12-31T23:59:58.5Z"));
        check(date(Timestamp::from_micros(1_500_001)), Some("1970-01-01T00:00:01.500001Z"));
        for bad in [json!(null), json!("soon"), json!({"$date": "soon"}), json!({"$date": {"$numberLong": "x"}})] {
            check(bad, None);
        }
        check(json!({"$date": {"$numberLong": "9223372036854775807"}}), None);
        check(json!({"$date": "2026-01-10T11:03:20Z", "zone": "UTC"}), None);
    }

    #[test]
    fn wrapped_numbers_become_plain() {
        let wrapped = json!({"a": {"$numberInt": "5"}, "b": [{"$numberLong": "-6"}, {"$numberDouble": "0.5"}],
            "c": {"$numberDouble": "NaN"}, "d": {"$oid": "x"}});
        let plain = json!({"a": 5, "b": [-6, 0.5], "c": {"$numberDouble": "NaN"}, "d": {"$oid": "x"}});
        assert_eq!(with_plain_numbers(wrapped), plain);
    }

    #[test]
    fn object_ids_carry_a_time() {
        let id = json!({"$oid": "67812e9c0000000000000001"});
        assert_eq!(object_id(&id).and_then(time_in).map(|at| at.to_string()).as_deref(), Some("2025-01-10T14:28:44Z"));
        assert_eq!(object_id(&json!("task-1")).and_then(time_in), None);
        assert_eq!(object_id(&json!(7)), None);
    }
}
