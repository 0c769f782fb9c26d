//! Problems in groups: by severity, then by kind.

use crate::protocol::papers::Problem;
use crate::words::term;

/// The severities, the worst first; whatever else there is comes last.
const ORDER: [&str; 3] = ["error", "warning", "info"];

/// Problems of one severity and one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The severity.
    pub severity: String,
    /// The kind.
    pub code: String,
    /// What to do, when it is the same for all of several.
    pub hint: Option<String>,
    /// The problems: their places among all.
    pub members: Vec<u32>,
}

/// Groups problems: the worst first, then in the order of first appearance.
pub fn grouped(problems: &[Problem]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut last = 0;
    for (problem, number) in problems.iter().zip(0..) {
        let is_of = |group: &Group| group.severity == problem.severity && group.code == problem.code;
        // Most problems are of the same kind as the one before.
        if !groups.get(last).is_some_and(is_of) {
            last = groups.iter().position(is_of).unwrap_or(groups.len());
        }
        match groups.get_mut(last) {
            Some(group) => {
                group.members.push(number);
                group.hint.take_if(|hint| *hint != problem.hint);
            }
            None => groups.push(Group {
                severity: problem.severity.clone(),
                code: problem.code.clone(),
                hint: Some(problem.hint.clone()).filter(|hint| !hint.is_empty()),
                members: vec![number],
            }),
        }
    }
    groups.iter_mut().filter(|group| group.members.len() < 2).for_each(|group| group.hint = None);
    groups.sort_by_key(|group| ORDER.iter().position(|known| *known == group.severity).unwrap_or(ORDER.len()));
    groups
}

/// Gives how many are wanted after a press.
pub fn next(shown: usize, total: usize, press: usize) -> usize {
    total.min(shown + press)
}

/// Gives what to look for when a problem is with somebody, not with a message or a file.
pub fn leads_to(place: &str) -> Option<String> {
    match place.strip_prefix("inbox of ") {
        Some(name) => Some(term("to", name) + " is:unread"),
        None => place.strip_prefix("agent ").map(|name| term("from", name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(severity: &str, code: &str, hint: &str) -> Problem {
        Problem { severity: severity.into(), code: code.into(), hint: hint.into(), ..Problem::default() }
    }

    #[test]
    fn problems_stand_by_severity_and_kind() {
        let problems = [
            problem("warning", "late", "a"),
            problem("error", "torn", "b"),
            problem("warning", "odd", "c"),
            problem("warning", "late", "a"),
            problem("warning", "odd", "d"),
        ];
        let told: Vec<_> =
            grouped(&problems).into_iter().map(|group| (group.code, group.members, group.hint)).collect();
        let wanted = [
            ("torn".to_owned(), vec![1], None),
            ("late".to_owned(), vec![0, 3], Some("a".to_owned())),
            ("odd".to_owned(), vec![2, 4], None),
        ];
        assert_eq!(told, wanted);
    }

    #[test]
    fn a_problem_with_somebody_leads_to_their_messages() {
        assert_eq!(leads_to("inbox of ada").as_deref(), Some("to:ada is:unread"));
        assert_eq!(leads_to("agent a b").as_deref(), Some("from:\"a b\""));
        assert_eq!(leads_to("messages.jsonl, byte 7"), None);
    }

    #[test]
    fn a_press_shows_more_and_at_last_all() {
        assert_eq!(next(50, 3_400, 2_000), 2_050);
        assert_eq!(next(2_050, 3_400, 2_000), 3_400);
    }
}
