//! Times and priorities as people give them.

use std::fmt::Display;

use huddle_core::model::{Priority, Span, Timestamp};
use huddle_core::wire::orchestrator::query::Urgency;
use serde::de::{Deserialize, Deserializer, Error};

/// The longest wait that is taken as a number: a hundred years.
const MAX_SECONDS: f64 = 3.2e9;

/// A time that is given outright or counted from now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// At this time.
    At(Timestamp),
    /// This far from now.
    Away(Span),
}

impl When {
    /// Reads `2025-11-29T16:30:00Z`, `2h`, `90` (seconds) and the like.
    pub fn parse(text: &str) -> Result<Self, String> {
        let at = Timestamp::parse(text).map(Self::At);
        at.or_else(|| Span::parse(text).map(Self::Away))
            .ok_or_else(|| "give a time such as 2025-11-29T16:30:00Z, or a span such as 2h or 90s".to_owned())
    }

    /// Gives the time, counting a span forward.
    pub fn ahead_of(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(at) => at,
            Self::Away(span) => now.plus(span),
        }
    }

    /// Gives the time, counting a span back.
    pub fn before(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(at) => at,
            Self::Away(span) => now.minus(span),
        }
    }
}

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|fault| unusable(&text, &fault))
    }
}

/// Reads a priority.
pub fn priority(text: &str) -> Result<Priority, String> {
    Priority::parse(text).ok_or_else(|| "give critical, high, normal or low".to_owned())
}

/// Deserializes a priority that may be left out.
pub(crate) fn optional_priority<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Priority>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| priority(&text).map_err(|fault| unusable(&text, &fault))).transpose()
}

/// Deserializes a time that may be left out.
pub(crate) fn optional_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let fault = "give a time as 2025-01-23T10:00:00Z";
    text.map(|text| Timestamp::parse(&text).ok_or_else(|| unusable(&text, fault))).transpose()
}

/// Reads the urgency of a question.
pub fn urgency(text: &str) -> Result<Urgency, String> {
    Urgency::parse(text).ok_or_else(|| "give low, medium, high or critical".to_owned())
}

/// Deserializes an urgency that may be left out.
pub(crate) fn optional_urgency<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Urgency>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| urgency(&text).map_err(|fault| unusable(&text, &fault))).transpose()
}

/// Deserializes a number of seconds that may be left out.
pub(crate) fn optional_seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Span>, D::Error> {
    let seconds = Option::<f64>::deserialize(deserializer)?;
    let read = |seconds: f64| match (0.0..=MAX_SECONDS).contains(&seconds) {
        true => Ok(Span::from_millis((seconds * 1000.0) as i64)),
        false => Err(unusable(seconds, "give seconds")),
    };
    seconds.map(read).transpose()
}

fn unusable<E: Error>(value: impl Display, fault: &str) -> E {
    E::custom(format!("{value} cannot be used: {fault}"))
}

/// Reads a span: `90` (seconds), `2h`, `1h 30m`.
pub fn span(text: &str) -> Result<Span, String> {
    Span::parse(text).ok_or_else(|| "give seconds, or a span such as 90s, 5m or 2h".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_counts_from_now_in_the_direction_asked_for() {
        let now = Timestamp::parse("2025-11-29T14:00:00Z").unwrap();
        let check = |text: &str, ahead: &str, before: &str| {
            let when = When::parse(text).unwrap();
            assert_eq!((when.ahead_of(now).to_string(), when.before(now).to_string()), (ahead.into(), before.into()));
        };
        check("2h", "2025-11-29T16:00:00Z", "2025-11-29T12:00:00Z");
        check("60", "2025-11-29T14:01:00Z", "2025-11-29T13:59:00Z");
        check("2025-12-01T00:00:00Z", "2025-12-01T00:00:00Z", "2025-12-01T00:00:00Z");
        assert!(When::parse("soon").is_err());
    }
}
