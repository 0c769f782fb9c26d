//! `reports/{agent}.json`: reading, checking field by field, and filling in what every reader counts on.

use std::fmt;

use crate::model::{AgentName, Json, JsonMap, Timestamp};
use crate::wire::mailbox::pretty;

/// An agent's report, with every field that it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The author, which is the name of the file.
    pub agent: AgentName,
    /// The fields, in the order they were written.
    pub fields: JsonMap,
}

/// A fault of a report's field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFault {
    /// The field, as in `findings[2].severity`.
    pub path: String,
    /// The expected and the actual value.
    pub message: String,
}

impl fmt::Display for ReportFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path, self.message)
    }
}

/// The type of a report field.
#[derive(Clone, Copy)]
enum ReportFieldType {
    Text,
    Time,
    OneOf(&'static [&'static str]),
    Texts,
    Count,
    Object(&'static [ReportField]),
    Objects(&'static [ReportField]),
}

struct ReportField(&'static str, bool, ReportFieldType);

const fn required(name: &'static str, field_type: ReportFieldType) -> ReportField {
    ReportField(name, true, field_type)
}

const fn optional(name: &'static str, field_type: ReportFieldType) -> ReportField {
    ReportField(name, false, field_type)
}

const REPORT: &[ReportField] = &[
    required("agent_name", ReportFieldType::Text),
    required("timestamp", ReportFieldType::Time),
    required("status", ReportFieldType::OneOf(&["completed", "partial", "in_progress", "failed"])),
    required("summary", ReportFieldType::Text),
    required("findings", ReportFieldType::Objects(FINDING)),
    optional("metrics", ReportFieldType::Object(METRICS)),
    optional("data_artifacts", ReportFieldType::Texts),
    optional("next_actions", ReportFieldType::Texts),
    optional("recommendations_for_automation", ReportFieldType::Texts),
];

const FINDING: &[ReportField] = &[
    required("type", ReportFieldType::OneOf(&["issue", "recommendation", "info"])),
    required("severity", ReportFieldType::OneOf(&["high", "medium", "low"])),
    required("title", ReportFieldType::Text),
    required("description", ReportFieldType::Text),
    optional("location", ReportFieldType::Text),
    optional("recommendation", ReportFieldType::Text),
    optional("example", ReportFieldType::Text),
];

const METRICS: &[ReportField] = &[
    optional("items_analyzed", ReportFieldType::Count),
    optional("issues_found", ReportFieldType::Count),
    optional("high_severity", ReportFieldType::Count),
    optional("medium_severity", ReportFieldType::Count),
    optional("low_severity", ReportFieldType::Count),
    optional("time_taken", ReportFieldType::Text),
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
    pub fn faults(&self) -> Vec<ReportFault> {
        let mut faults = Vec::new();
        check_fields(REPORT, &self.fields, "", &mut faults);
        let name = self.text("agent_name").unwrap_or(self.agent.as_str());
        if name != self.agent.as_str() {
            let message = format!("must be {:?}, whose report it is, not {name:?}", self.agent.as_str());
            faults.push(ReportFault { path: "agent_name".into(), message });
        }
        faults
    }

    /// Writes the file.
    pub fn encode(&self) -> String {
        pretty(&Json::Object(self.fields.clone()))
    }

    /// Returns a field that is text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field).and_then(Json::as_str)
    }

    /// Returns the texts in a field that is a list.
    pub fn texts(&self, field: &str) -> Vec<&str> {
        self.list(field).iter().filter_map(Json::as_str).collect()
    }

    /// Returns the findings.
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

fn check_fields(fields: &[ReportField], object: &JsonMap, above: &str, faults: &mut Vec<ReportFault>) {
    for ReportField(name, required, field_type) in fields {
        let path = if above.is_empty() { (*name).to_owned() } else { format!("{above}.{name}") };
        match object.get(*name) {
            Some(value) => check(*field_type, value, path, faults),
            None if *required => {
                let message = format!("is missing: it must be {}", field_type.words());
                faults.push(ReportFault { path, message });
            }
            None => {}
        }
    }
}

fn check(field_type: ReportFieldType, value: &Json, path: String, faults: &mut Vec<ReportFault>) {
    let fits = match field_type {
        ReportFieldType::Text => value.is_string(),
        ReportFieldType::Time => value.as_str().is_some_and(|text| Timestamp::parse(text).is_some()),
        ReportFieldType::OneOf(words) => value.as_str().is_some_and(|text| words.contains(&text)),
        ReportFieldType::Count => value.is_u64(),
        ReportFieldType::Object(_) => value.is_object(),
        ReportFieldType::Texts | ReportFieldType::Objects(_) => value.is_array(),
    };
    if !fits {
        let mut shown = value.to_string();
        if shown.chars().count() > 40 {
            shown = format!("{}…", shown.chars().take(39).collect::<String>());
        }
        faults.push(ReportFault { path, message: format!("must be {}, not {shown}", field_type.words()) });
        return;
    }
    let one = match field_type {
        ReportFieldType::Object(fields) => {
            return value.as_object().map_or((), |object| check_fields(fields, object, &path, faults));
        }
        ReportFieldType::Texts => ReportFieldType::Text,
        ReportFieldType::Objects(fields) => ReportFieldType::Object(fields),
        _ => return,
    };
    for (number, value) in value.as_array().into_iter().flatten().enumerate() {
        check(one, value, format!("{path}[{number}]"), faults);
    }
}

impl ReportFieldType {
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
        assert_eq!(report.faults().iter().map(ReportFault::to_string).collect::<Vec<_>>(), faults, "{text}");
    }

    #[test]
    fn the_protocols_example_is_a_template_and_said_to_be_one() {
        let mut report = report(BY_SPEC);
        let faults = [
            "findings[0].type must be one of issue, recommendation, info, not \"issue|recommendation|info\"",
            "findings[0].severity must be one of high, medium, low, not \"high|medium|low\"",
        ];
        assert_eq!(report.faults().iter().map(ReportFault::to_string).collect::<Vec<_>>(), faults);
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
