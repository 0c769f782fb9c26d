//! `reports/{agent}.json`: reading, checking field by field, and filling in what every reader counts on.

use std::fmt;

use crate::model::{AgentName, Json, JsonMap, Timestamp};
use crate::wire::mailbox::pretty;

/// An agent's report, with every field that it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Whose it is: what its file is called.
    pub agent: AgentName,
    /// The fields, in the order they were written.
    pub fields: JsonMap,
}

/// What a field of a report is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The field, as in `findings[2].severity`.
    pub path: String,
    /// What it must be and what it is.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path, self.message)
    }
}

/// What a field must be.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    Time,
    OneOf(&'static [&'static str]),
    Texts,
    Count,
    Object(&'static [Field]),
    Objects(&'static [Field]),
}

struct Field(&'static str, bool, Shape);

const fn must(name: &'static str, shape: Shape) -> Field {
    Field(name, true, shape)
}

const fn may(name: &'static str, shape: Shape) -> Field {
    Field(name, false, shape)
}

const REPORT: &[Field] = &[
    must("agent_name", Shape::Text),
    must("timestamp", Shape::Time),
    must("status", Shape::OneOf(&["completed", "partial", "in_progress", "failed"])),
    must("summary", Shape::Text),
    must("findings", Shape::Objects(FINDING)),
    may("metrics", Shape::Object(METRICS)),
    may("data_artifacts", Shape::Texts),
    may("next_actions", Shape::Texts),
    may("recommendations_for_automation", Shape::Texts),
];

const FINDING: &[Field] = &[
    must("type", Shape::OneOf(&["issue", "recommendation", "info"])),
    must("severity", Shape::OneOf(&["high", "medium", "low"])),
    must("title", Shape::Text),
    must("description", Shape::Text),
    may("location", Shape::Text),
    may("recommendation", Shape::Text),
    may("example", Shape::Text),
];

const METRICS: &[Field] = &[
    may("items_analyzed", Shape::Count),
    may("issues_found", Shape::Count),
    may("high_severity", Shape::Count),
    may("medium_severity", Shape::Count),
    may("low_severity", Shape::Count),
    may("time_taken", Shape::Text),
];

impl Report {
    /// Fills in what the writer need not say: who and when, and an empty list for each that is absent, because the
    /// protocol's queries go through all of them.
    pub fn fill_in(&mut self, at: Timestamp) {
        let given = std::mem::take(&mut self.fields);
        let mut put = |name: &str, value: Json| {
            self.fields.insert(name.to_owned(), given.get(name).cloned().unwrap_or(value));
        };
        put("agent_name", self.agent.as_str().into());
        put("timestamp", at.floor().to_string().into());
        for (name, value) in &given {
            if !self.fields.contains_key(name) {
                self.fields.insert(name.clone(), value.clone());
            }
        }
        for name in ["data_artifacts", "next_actions", "recommendations_for_automation"] {
            self.fields.entry(name).or_insert_with(|| Json::Array(Vec::new()));
        }
    }

    /// Finds what is not as the protocol has it.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        check_fields(REPORT, &self.fields, "", &mut faults);
        let name = self.text("agent_name").unwrap_or(self.agent.as_str());
        if name != self.agent.as_str() {
            let message = format!("must be {:?}, whose report it is, not {name:?}", self.agent.as_str());
            faults.push(Fault { path: "agent_name".into(), message });
        }
        faults
    }

    /// Writes the file.
    pub fn encode(&self) -> String {
        pretty(&Json::Object(self.fields.clone()))
    }

    /// Gives a field that is text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field).and_then(Json::as_str)
    }

    /// Gives the texts in a field that is a list.
    pub fn texts(&self, field: &str) -> Vec<&str> {
        self.list(field).iter().filter_map(Json::as_str).collect()
    }

    /// Gives the findings.
    pub fn findings(&self) -> &[Json] {
        self.list("findings")
    }

    /// Counts the findings that matter most.
    pub fn high(&self) -> usize {
        self.findings().iter().filter(|finding| finding["severity"] == "high").count()
    }

    fn list(&self, field: &str) -> &[Json] {
        self.fields.get(field).and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }
}

fn check_fields(fields: &[Field], object: &JsonMap, above: &str, faults: &mut Vec<Fault>) {
    for Field(name, required, shape) in fields {
        let path = if above.is_empty() { (*name).to_owned() } else { format!("{above}.{name}") };
        match object.get(*name) {
            Some(value) => check(*shape, value, path, faults),
            None if *required => {
                let message = format!("is missing: it must be {}", shape.words());
                faults.push(Fault { path, message });
            }
            None => {}
        }
    }
}

fn check(shape: Shape, value: &Json, path: String, faults: &mut Vec<Fault>) {
    let fits = match shape {
        Shape::Text => value.is_string(),
        Shape::Time => value.as_str().is_some_and(|text| Timestamp::parse(text).is_some()),
        Shape::OneOf(words) => value.as_str().is_some_and(|text| words.contains(&text)),
        Shape::Count => value.is_u64(),
        Shape::Object(_) => value.is_object(),
        Shape::Texts | Shape::Objects(_) => value.is_array(),
    };
    if !fits {
        let mut shown = value.to_string();
        if shown.chars().count() > 40 {
            shown = format!("{}…", shown.chars().take(39).collect::<String>());
        }
        faults.push(Fault { path, message: format!("must be {}, not {shown}", shape.words()) });
        return;
    }
    let one = match shape {
        Shape::Object(fields) => {
            return value.as_object().map_or((), |object| check_fields(fields, object, &path, faults));
        }
        Shape::Texts => Shape::Text,
        Shape::Objects(fields) => Shape::Object(fields),
        _ => return,
    };
    for (number, value) in value.as_array().into_iter().flatten().enumerate() {
        check(one, value, format!("{path}[{number}]"), faults);
    }
}

impl Shape {
    fn words(self) -> String {
        match self {
            Self::Text => "text".to_owned(),
            Self::Time => "a time such as 2025-01-23T10:05:00Z".to_owned(),
            Self::OneOf(words) => format!("one of {}", words.join(", ")),
            Self::Texts => "a list of texts".to_owned(),
            Self::Count => "a whole number".to_owned(),
            Self::Object(_) => "an object".to_owned(),
            Self::Objects(_) => "a list of objects".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY_SPEC: &str = by_spec!("reports/security-analyzer.json");

    fn report(text: &str) -> Report {
        Report { agent: "security-analyzer".parse().unwrap(), fields: serde_json::from_str(text).unwrap() }
    }

    fn check(text: &str, faults: &[&str]) {
        let mut report = report(text);
        report.fill_in(Timestamp::default());
        assert_eq!(report.faults().iter().map(Fault::to_string).collect::<Vec<_>>(), faults, "{text}");
    }

    #[test]
    fn the_protocols_example_is_a_template_and_said_to_be_one() {
        let mut report = report(BY_SPEC);
        let faults = [
            "findings[0].type must be one of issue, recommendation, info, not \"issue|recommendation|info\"",
            "findings[0].severity must be one of high, medium, low, not \"high|medium|low\"",
        ];
        assert_eq!(report.faults().iter().map(Fault::to_string).collect::<Vec<_>>(), faults);
        let before = report.encode();
        report.fill_in(Timestamp::default());
        assert_eq!(report.encode(), before, "there is nothing to fill in");
        assert_eq!((report.findings().len(), report.texts("next_actions").len()), (1, 3));
    }

    #[test]
    fn a_fault_names_its_field() {
        check(r#"{"status":"completed","summary":"s","findings":[]}"#, &[]);
        check(r#"{"status":"partial","summary":"s","findings":[],"mine":{"a":1}}"#, &[]);
        let one = |finding: &str| format!(r#"{{"status":"completed","summary":"s","findings":[{finding}]}}"#);
        let good = r#"{"type":"info","severity":"low","title":"t","description":"d"}"#;
        check(&one(good), &[]);
        let bad = good.replace("low", "dire");
        let fault = "findings[2].severity must be one of high, medium, low, not \"dire\"";
        check(&one(&format!("{good},{good},{bad}")), &[fault]);
        check(&one("7"), &["findings[0] must be an object, not 7"]);
        check(
            "{}",
            &[
                "status is missing: it must be one of completed, partial, in_progress, failed",
                "summary is missing: it must be text",
                "findings is missing: it must be a list of objects",
            ],
        );
        check(
            r#"{"agent_name":"bob","timestamp":"now","status":"completed","summary":"s","findings":[],
                "metrics":{"issues_found":-1},"next_actions":["a",2]}"#,
            &[
                "timestamp must be a time such as 2025-01-23T10:05:00Z, not \"now\"",
                "metrics.issues_found must be a whole number, not -1",
                "next_actions[1] must be text, not 2",
                "agent_name must be \"security-analyzer\", whose report it is, not \"bob\"",
            ],
        );
    }
}
