//! What a question and its answer say.

use crate::model::{Json, Message, MessageId, Priority};
use crate::wire::object;

/// The type of message that carries a question.
pub const QUERY: &str = "query";

/// The urgency of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Urgency {
    /// When there is time.
    Low,
    /// As usual.
    #[default]
    Medium,
    /// Soon.
    High,
    /// Before anything else.
    Critical,
}

impl Urgency {
    /// Every urgency, least urgent first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// Returns the word that the protocol uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// Reads the word that the protocol uses.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|urgency| urgency.as_str() == text)
    }

    /// Returns the priority that a message of this urgency has.
    pub const fn priority(self) -> Priority {
        match self {
            Self::Low => Priority::Low,
            Self::Medium => Priority::Normal,
            Self::High => Priority::High,
            Self::Critical => Priority::Critical,
        }
    }
}

/// The contents of a question.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The question.
    pub question: &'a str,
    /// Background for the recipient.
    pub context: &'a str,
    /// The urgency.
    pub urgency: Urgency,
    /// The expected format of the answer; null for any.
    pub format: &'a Json,
    /// The previous attempt.
    pub after: After<'a>,
}

/// The previous attempt of a question.
#[derive(Debug, Clone, Copy)]
pub enum After<'a> {
    /// Nothing: it is asked for the first time.
    Nothing,
    /// The same question, which nobody answered in time.
    Silence(&'a MessageId),
    /// An answer that does not fit, and why.
    Misfit(&'a MessageId, &'a str),
}

/// Writes the body of a question.
pub fn request(request: &Request<'_>) -> Json {
    let query = object(vec![
        ("question", request.question.into()),
        ("context", request.context.into()),
        ("urgency", request.urgency.as_str().into()),
        ("expected_format", request.format.clone()),
    ]);
    let mut body = vec![("query_type", "request".into()), ("query", query)];
    match request.after {
        After::Nothing => {}
        After::Silence(first) => body.push(("retry_of", first.as_str().into())),
        After::Misfit(answer, fault) => {
            let misfit = object(vec![("answer", answer.as_str().into()), ("misfit", fault.into())]);
            body.push(("clarification", misfit));
        }
    }
    object(body)
}

/// Writes the body of an answer.
pub fn response(answer: &Json) -> Json {
    object(vec![("query_type", "response".into()), ("answer", answer.clone())])
}

/// Returns whether a message asks a question in this protocol.
pub fn is_request(message: &Message) -> bool {
    message.body.get("query_type").and_then(Json::as_str) == Some("request")
}

/// Returns what an answer should look like, as the question says; null for anything.
pub fn expected_format(question: &Message) -> &Json {
    question.body.pointer("/query/expected_format").unwrap_or(&Json::Null)
}

/// Takes the answer out of a message; an agent that does not know this protocol just says it.
pub fn answer_in(message: &Message) -> Json {
    let body = &message.body;
    let is_response = body.get("query_type").and_then(Json::as_str) == Some("response");
    body.get("answer").filter(|_| is_response).unwrap_or(body).clone()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_question_has_the_structure_of_the_protocol() {
        let format = Json::from("OpenAPI schema");
        let asked = Request {
            question: "What's the API endpoint schema for /users?",
            context: "Building frontend form",
            urgency: Urgency::Medium,
            format: &format,
            after: After::Nothing,
        };
        let expected = r#"{"query_type":"request","query":{"question":"What's the API endpoint schema for /users?","context":"Building frontend form","urgency":"medium","expected_format":"OpenAPI schema"}}"#;
        assert_eq!(request(&asked).to_string(), expected);
        let id: MessageId = "msg_1".parse().unwrap();
        assert_eq!(request(&Request { after: After::Silence(&id), ..asked })["retry_of"], "msg_1");
        let misfit = request(&Request { after: After::Misfit(&id, "too short"), ..asked });
        assert_eq!(misfit["clarification"], json!({"answer": "msg_1", "misfit": "too short"}));
    }

    #[test]
    fn an_answer_has_the_structure_of_the_protocol() {
        let body = response(&json!({"schema": {}, "additional_info": "Auth required"}));
        let expected = r#"{"query_type":"response","answer":{"schema":{},"additional_info":"Auth required"}}"#;
        assert_eq!(body.to_string(), expected);
    }
}
